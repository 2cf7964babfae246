//! Detects the type of a sender: toll-free number, long code, short code or alphanumeric sender.

use tollproof_data::tables::area_codes::Area;
use tollproof_data::tables::look_alikes::DIGITS;

use crate::validators::phone::{self, Phone};

/// The type of a message sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A toll-free number of the US and Canada.
    TollFree {
        /// E.164.
        number: String,
    },
    /// Any other number with a country prefix.
    LongCode {
        /// E.164.
        number: String,
        /// The country or plan that the number belongs to.
        home: Home,
    },
    /// A short code of 4 to 6 digits.
    ShortCode {
        /// The number of digits.
        digits: usize,
    },
    /// An alphanumeric sender ID: letters and digits.
    Alphanumeric,
}

/// The country or plan of a long code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Home {
    /// The United States, with its territories.
    UnitedStates,
    /// Canada.
    Canada,
    /// No country: personal, government, carrier and premium-rate numbers of the North American plan.
    NonGeographic,
    /// Any other country.
    Elsewhere,
}

/// An error for a value that is not a sender.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSender(String);

/// The longest alphanumeric sender: GSM 03.40 allows eleven 7-bit characters.
const MAX_ALPHANUMERIC: usize = 11;

/// An alphanumeric sender with this many digits is reported as a mistyped number.
const DIGITS_OF_A_NUMBER: usize = 7;

impl Sender {
    /// Detects the type of a sender; a number without `+` belongs to the North American plan.
    ///
    /// # Errors
    ///
    /// The reason that the value is not a sender, as a part of a sentence.
    pub fn detect(value: &str) -> Result<Self, NoSender> {
        let value = value.trim();
        let value = value.strip_prefix("tel:").unwrap_or(value);
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let letters = value.chars().any(|it| it.is_ascii_alphabetic());
        let only_both = value.bytes().all(|it| it.is_ascii_alphanumeric());
        match () {
            () if value.is_empty() => Err(NoSender("it is empty".to_owned())),
            () if crate::validators::format::is_uuid(value) || seems_identifier(value) => Err(NoSender(
                "it is the identifier of a number, which does not show the number itself".to_owned(),
            )),
            () if !letters && digits == value.len() && (4..=6).contains(&digits) => {
                Ok(Self::ShortCode { digits })
            }
            () if letters => match spelt_out(value).map(|number| phone::parse(&number, None)) {
                Some(Ok(phone)) if phone.area == Some(Area::TollFree) => {
                    Ok(Self::TollFree { number: phone.e164 })
                }
                _ if only_both && (digits < DIGITS_OF_A_NUMBER || begins_with_a_word(value)) => {
                    match value.len() {
                        ..=MAX_ALPHANUMERIC => Ok(Self::Alphanumeric),
                        length => Err(NoSender(format!(
                            "it has {length} characters, but an alphanumeric sender has at most {MAX_ALPHANUMERIC}"
                        ))),
                    }
                }
                _ if value.starts_with('+') || digits >= DIGITS_OF_A_NUMBER => Err(among_digits(value)),
                _ => Err(NoSender("an alphanumeric sender may contain only letters and digits".to_owned())),
            },
            () if digits == value.len() && digits < 10 => Err(NoSender(format!(
                "it has {digits} digits, but a short code has 4 to 6 and a number of the US or Canada has ten"
            ))),
            () => match phone::parse(value, None) {
                Ok(phone) => Ok(Self::of(phone)),
                Err(why) => Err(NoSender(why.to_owned())),
            },
        }
    }

    fn of(phone: Phone) -> Self {
        let number = phone.e164;
        let home = match phone.area {
            Some(Area::TollFree) => return Self::TollFree { number },
            Some(Area::UnitedStates) => Home::UnitedStates,
            Some(Area::Canada) => Home::Canada,
            Some(Area::NonGeographic) => Home::NonGeographic,
            Some(Area::Elsewhere) | None => Home::Elsewhere,
        };
        Self::LongCode { number, home }
    }

    /// The name of the type: `toll-free number`, ...
    pub fn noun(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => "toll-free number",
            Self::LongCode { .. } => "long code number",
            Self::ShortCode { .. } => "short code number",
            Self::Alphanumeric => "alphanumeric sender",
        }
    }

    /// The number in E.164 format; `None` for short codes and alphanumeric senders.
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::TollFree { number } | Self::LongCode { number, .. } => Some(number),
            Self::ShortCode { .. } | Self::Alphanumeric => None,
        }
    }

    /// The area of use of the sender, according to provider documentation and the carriers of its country.
    pub fn usable(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => "in the US and Canada, once it has passed verification",
            Self::LongCode { home: Home::UnitedStates, .. } => {
                "in the US, once its brand and campaign are registered for 10DLC; other countries: unknown"
            }
            Self::LongCode { home: Home::Canada, .. } => {
                "in Canada; to send to the US it needs a 10DLC registration; other countries: unknown"
            }
            Self::LongCode { .. } => "unknown: ask your provider which countries it may send to",
            Self::ShortCode { .. } => {
                "within one country, to send and receive SMS and MMS; not recommended for international traffic"
            }
            Self::Alphanumeric => {
                "in every country where it is registered, to send only, not to receive; the most common sender in the \
                 world, except in the US and Canada"
            }
        }
    }

    /// The steps required before the sender may be used, according to provider documentation and the carriers of its
    /// country.
    pub fn needs(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => {
                "a purchase, then a verification request that ends as Verified; numbers that are not verified have \
                 been blocked from sending since 8 November 2023"
            }
            Self::LongCode { home: Home::UnitedStates, .. } => {
                "a purchase or an order from the inventory, then a 10DLC registration: your provider registers the \
                 brand and the campaign with The Campaign Registry before the number may send to the US; \
                 toll-free verification does not apply to it"
            }
            Self::LongCode { home: Home::Canada, .. } => {
                "a purchase or an order from the inventory; to send to the US also a 10DLC registration of brand and \
                 campaign; other requirements of Canadian carriers: unknown"
            }
            Self::LongCode { home: Home::NonGeographic, .. } => {
                "unknown: its area code belongs to no place; ask your provider whether it can send texts at all"
            }
            Self::LongCode { .. } => {
                "a purchase or an order from the inventory; other requirements of its country: unknown"
            }
            Self::ShortCode { digits: 4 } => {
                "unknown: short codes of the US and Canada have 5 or 6 digits; ask your provider which country \
                 this one belongs to"
            }
            Self::ShortCode { .. } => {
                "a lease from the short code registry of its country, and a program that the carriers there approve, \
                 which takes weeks; the country of this code is unknown"
            }
            Self::Alphanumeric => "registration in each destination country; some countries require more",
        }
    }
}

/// Whether a value is written as identifiers of providers are: long, with letters and digits, and no spaces.
fn seems_identifier(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| value.bytes().any(|byte| kind(&byte));
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain && value.len() >= 20 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// The error for a number that contains letters, with the digit that a letter was probably mistyped for.
fn among_digits(value: &str) -> NoSender {
    let alike = |letter: char| DIGITS.iter().find(|(it, _)| letter.to_ascii_uppercase() == *it);
    let letters: Vec<char> = value.chars().filter(char::is_ascii_alphabetic).collect();
    let hint = match letters.first().and_then(|letter| Some((letter, alike(*letter)?.1))) {
        Some((letter, digit)) if letters.iter().all(|letter| alike(*letter).is_some()) => {
            format!("; did you mean the digit {digit} instead of the letter {letter}?")
        }
        _ => "; only a toll-free number may end in a word, as 1-800-FLOWERS does".to_owned(),
    };
    NoSender(format!("it contains letters between its digits{hint}"))
}

/// Whether a value begins with a word, such as a name before a number.
fn begins_with_a_word(value: &str) -> bool {
    value.chars().take(WORD).filter(char::is_ascii_alphabetic).count() == WORD
}

/// The number of adjacent letters that count as a word; fewer are a typing error.
const WORD: usize = 3;

/// Converts a vanity number, such as 1-800-FLOWERS, to the digits on a telephone keypad.
fn spelt_out(value: &str) -> Option<String> {
    // Letters before the area code are a name.
    let from = value.find(|it: char| it.is_ascii_alphabetic())?;
    let is_behind_the_area_code = value[..from].chars().filter(char::is_ascii_digit).count() >= 3;
    let pressed = value.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let mut words = pressed.split(|it: char| it.is_ascii_digit());
    if !is_behind_the_area_code || !words.any(|word| word.len() >= WORD) {
        return None;
    }
    let mut number = String::with_capacity(value.len());
    for letter in value.chars() {
        number.push(match letter.to_ascii_uppercase() {
            'A'..='C' => '2',
            'D'..='F' => '3',
            'G'..='I' => '4',
            'J'..='L' => '5',
            'M'..='O' => '6',
            'P'..='S' => '7',
            'T'..='V' => '8',
            'W'..='Z' => '9',
            _ => letter,
        });
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::Sender;

    #[test]
    fn senders_are_told_apart() {
        let noun = |value| {
            Sender::detect(value).map_or_else(|why| why.to_string(), |sender| sender.noun().to_owned())
        };
        for (value, expected) in [
            ("+18334726150", "toll-free number"),
            ("(833) 472-6150", "toll-free number"),
            ("1-800-FLOWERS", "toll-free number"),
            ("+15124721820", "long code number"),
            ("+44 20 7946 0958", "long code number"),
            ("7726", "short code number"),
            ("123456", "short code number"),
            ("tel:+18334726150", "toll-free number"),
            ("Acme", "alphanumeric sender"),
            ("ACME24", "alphanumeric sender"),
            ("Acmeacmeacme", "it has 12 characters, but an alphanumeric sender has at most 11"),
            ("360Dental", "alphanumeric sender"),
            ("+18334FLOWER", "toll-free number"),
            ("1-800-GO-FEDEX", "toll-free number"),
            (
                "+1833472615O",
                "it contains letters between its digits; did you mean the digit 0 instead of the letter O?",
            ),
            (
                "1833472615O",
                "it contains letters between its digits; did you mean the digit 0 instead of the letter O?",
            ),
            (
                "(833) 472-6l5O",
                "it contains letters between its digits; did you mean the digit 1 instead of the letter l?",
            ),
            (
                "+1512472ABCD",
                "it contains letters between its digits; only a toll-free number may end in a word, as 1-800-FLOWERS does",
            ),
            (
                "PN5f0c2a8e71d94b36a8c25e90d17f43bb",
                "it is the identifier of a number, which does not show the number itself",
            ),
            ("Acme Dental", "an alphanumeric sender may contain only letters and digits"),
            ("", "it is empty"),
            ("123", "it has 3 digits, but a short code has 4 to 6 and a number of the US or Canada has ten"),
            ("+1234567", "a number of the US or Canada has ten digits, not counting +1"),
        ] {
            assert_eq!(noun(value), expected, "{value}");
        }
        assert_eq!(
            Sender::detect("1-800-FLOWERS").ok().as_ref().and_then(Sender::number),
            Some("+18003569377")
        );
        assert!(Sender::detect("9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9").is_err());
    }
}
