//! What a sender is: a toll-free number, a long code, a short code or an alphanumeric sender (interface 1).

use crate::plausible::area_codes::Area;
use crate::plausible::phone;

/// What messages can be sent from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// A number of the US and Canada that the called party pays for.
    TollFree {
        /// E.164.
        number: String,
    },
    /// Any other number with a country prefix.
    LongCode {
        /// E.164.
        number: String,
    },
    /// 4 to 6 digits.
    ShortCode,
    /// Letters and digits.
    Alphanumeric,
}

/// A value that messages cannot be sent from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSender(String);

impl Sender {
    /// Tells what a sender is; a number without `+` is one of the North American plan.
    ///
    /// # Errors
    ///
    /// Why the value is none, as a part of a sentence.
    pub fn tell(value: &str) -> Result<Self, NoSender> {
        let value = value.trim();
        let value = value.strip_prefix("tel:").unwrap_or(value);
        let digits = value.chars().filter(char::is_ascii_digit).count();
        let letters = value.chars().any(|it| it.is_ascii_alphabetic());
        let only_both = value.bytes().all(|it| it.is_ascii_alphanumeric());
        match () {
            () if value.is_empty() => Err(NoSender("it is empty".to_owned())),
            () if crate::schema::format::is_uuid(value) => Err(NoSender(
                "it is the identifier of a number, which does not tell what number that is".to_owned(),
            )),
            () if !letters && digits == value.len() && (4..=6).contains(&digits) => Ok(Self::ShortCode),
            () if letters => match spelt_out(value).map(|number| phone::parse(&number, None)) {
                Some(Ok(phone)) if phone.area == Some(Area::TollFree) => {
                    Ok(Self::TollFree { number: phone.e164 })
                }
                _ if only_both => Ok(Self::Alphanumeric),
                _ => Err(NoSender("an alphanumeric sender holds letters and digits alone".to_owned())),
            },
            () if digits == value.len() && digits < 10 => Err(NoSender(format!(
                "it has {digits} digits: a short code has 4 to 6, and a number of the US or Canada has ten"
            ))),
            () => match phone::parse(value, None) {
                Ok(phone) if phone.area == Some(Area::TollFree) => Ok(Self::TollFree { number: phone.e164 }),
                Ok(phone) => Ok(Self::LongCode { number: phone.e164 }),
                Err(why) => Err(NoSender(why.to_owned())),
            },
        }
    }

    /// What it is called: `toll-free number`, ...
    #[must_use]
    pub fn noun(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => "toll-free number",
            Self::LongCode { .. } => "long code number",
            Self::ShortCode => "short code number",
            Self::Alphanumeric => "alphanumeric sender",
        }
    }

    /// The number in E.164; senders of the other sorts have none.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::TollFree { number } | Self::LongCode { number } => Some(number),
            Self::ShortCode | Self::Alphanumeric => None,
        }
    }

    /// Where it may be used, as interface 1 states it.
    #[must_use]
    pub fn usable(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => "in the US and Canada, once it has passed verification",
            Self::LongCode { .. } => "the interface does not say where",
            Self::ShortCode => {
                "within one country, to send and receive SMS and MMS; not recommended for international traffic"
            }
            Self::Alphanumeric => {
                "in every country that it is registered in, one way: it sends and cannot receive; the most common \
                 sender in the world, except in the US and Canada"
            }
        }
    }

    /// What has to be done before it may be used, as interface 1 states it.
    #[must_use]
    pub fn needs(&self) -> &'static str {
        match self {
            Self::TollFree { .. } => {
                "a purchase, then a verification request that ends as Verified; numbers that are not verified are \
                 blocked from sending since 8 November 2023"
            }
            Self::LongCode { .. } => "a purchase, or an order from the inventory",
            Self::ShortCode => "the interface does not say what",
            Self::Alphanumeric => {
                "registration in each destination country, and some countries require more than that"
            }
        }
    }
}

/// A number whose end is spelt in letters, as advertisements have it (1-800-FLOWERS), in the digits of a telephone's keys.
fn spelt_out(value: &str) -> Option<String> {
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
    // Letters in front are a name.
    let from = value.find(|it: char| it.is_ascii_alphabetic())?;
    (value[..from].chars().filter(char::is_ascii_digit).count() >= 3).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::Sender;

    #[test]
    fn senders_are_told_apart() {
        let noun = |value| Sender::tell(value).map_or_else(|why| why.to_string(), |it| it.noun().to_owned());
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
            ("360Dental", "alphanumeric sender"),
            ("Acme Dental", "an alphanumeric sender holds letters and digits alone"),
            ("", "it is empty"),
            ("123", "it has 3 digits: a short code has 4 to 6, and a number of the US or Canada has ten"),
            ("+1234567", "a number of the US or Canada has ten digits, not counting +1"),
        ] {
            assert_eq!(noun(value), expected, "{value}");
        }
        assert_eq!(
            Sender::tell("1-800-FLOWERS").ok().as_ref().and_then(Sender::number),
            Some("+18003569377")
        );
        assert!(Sender::tell("9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9").is_err());
    }
}
