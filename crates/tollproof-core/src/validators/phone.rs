//! Phone numbers: the North American plan by its area codes, other countries by their calling codes.

use std::ops::RangeInclusive;

use tollproof_data::tables::area_codes::{Area, area};
use tollproof_data::tables::{calling_codes, regions};

/// The digits of a number with its calling code. E.164 allows 15; no country has numbers of fewer than 7.
const DIGITS: RangeInclusive<usize> = 7..=15;

/// A possible phone number in E.164 format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phone {
    /// E.164.
    pub(crate) e164: String,
    /// Whether the number can only mean this one. A number of another country without its `+` may already begin with the
    /// country's code, or with another prefix of calls inside of the country than 0.
    pub(crate) is_certain: bool,
    /// The kind of its area code, if it is a +1 number.
    pub(crate) area: Option<Area>,
}

/// Parses a number; without `+` it belongs to `country` (ISO 3166-1 alpha-2), by default to the North American plan.
///
/// # Errors
///
/// The reason that it is invalid, as a part of a sentence.
pub(crate) fn parse(text: &str, country: Option<&str>) -> Result<Phone, &'static str> {
    let text = text.trim();
    // Fast path: most numbers are written as E.164.
    let national = text.strip_prefix("+1").filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    if let Some(national) = national {
        return north_american(national);
    }
    if text.chars().any(char::is_alphabetic) {
        return Err("it contains letters");
    }
    let international = text.starts_with('+');
    if text.chars().filter(|&it| it == '+').count() > usize::from(international) {
        return Err("the + must be at its beginning");
    }
    if text.chars().any(|character| {
        !character.is_ascii_digit() && !" +-.()/\u{a0}\u{2010}\u{2011}\u{2013}".contains(character)
    }) {
        return Err("it contains characters that a phone number cannot have");
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let home = country.is_none_or(|code| matches!(code, "US" | "CA") || regions::is_territory(code));
    // International dialling prefixes: 011 in North America, 00 in most other countries.
    let dialled = digits.strip_prefix("011").filter(|_| home).or_else(|| digits.strip_prefix("00"));
    if let Some(number) = dialled.filter(|number| !international && number.len() > 6) {
        return parse(&format!("+{number}"), country);
    }
    match digits.strip_prefix('1') {
        Some(national) if international => north_american(national),
        _ if international => abroad(&digits),
        Some(national) if home && national.len() == 10 => north_american(national),
        _ if home => north_american(&digits),
        _ => match country.and_then(calling_codes::of_country) {
            Some("1") => north_american(digits.strip_prefix('1').unwrap_or(&digits)),
            code => {
                let number = abroad(&[code.unwrap_or_default(), &digits].concat())?;
                // Hungary dials 06.
                Ok(Phone { is_certain: digits.starts_with('0') && code != Some("36"), ..number })
            }
        },
    }
}

/// Parses ten digits: an assigned area code, then an exchange code from 200 on that is not a service code.
fn north_american(national: &str) -> Result<Phone, &'static str> {
    if national.len() != 10 {
        return Err("a number of the US or Canada has ten digits, not counting +1");
    }
    let number = |range: std::ops::Range<usize>| national[range].parse::<u16>().unwrap_or(0);
    let (code, exchange) = (number(0..3), number(3..6));
    let Some(area) = area(code) else {
        return Err("its area code is not in use");
    };
    if exchange < 200 || exchange % 100 == 11 && area != Area::TollFree {
        return Err("no number of the US or Canada has these three digits after the area code");
    }
    Ok(Phone { e164: ["+1", national].concat(), is_certain: true, area: Some(area) })
}

/// Parses the digits of a number with its calling code, as people write it: often with the 0 of calls inside the country.
fn abroad(digits: &str) -> Result<Phone, &'static str> {
    let (code, national) = calling_codes::split(digits).ok_or("it is not a number of any country")?;
    let national = match national.strip_prefix('0') {
        Some(rest) if !calling_codes::keeps_zero(code) => rest,
        _ => national,
    };
    if !DIGITS.contains(&(code.len() + national.len())) {
        return Err("a phone number has 7 to 15 digits, with its country code");
    }
    Ok(Phone { e164: ["+", code, national].concat(), is_certain: true, area: None })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn numbers_are_normalised() {
        let e164 = |text, country| parse(text, country).map(|it| it.e164);
        assert_eq!(e164("(512) 472-1820", Some("US")), Ok("+15124721820".to_owned()));
        assert_eq!(e164("1-416-555-0199", Some("CA")), Ok("+14165550199".to_owned()));
        assert_eq!(e164("+44 20 7946 0958", Some("US")), Ok("+442079460958".to_owned()));
        assert_eq!(e164("+44 (0)20 7946 0958", Some("US")), Ok("+442079460958".to_owned()));
        assert_eq!(e164("020 7946 0958", Some("GB")), Ok("+442079460958".to_owned()));
        assert_eq!(e164("06 698 12345", Some("IT")), Ok("+390669812345".to_owned()));
        for jamaican in ["876 555 0199", "1 876 555 0199"] {
            assert_eq!(e164(jamaican, Some("JM")), Ok("+18765550199".to_owned()));
        }
        for (text, country, is_certain) in [
            ("020 7946 0958", "GB", true),
            ("44 20 7946 0958", "GB", false),
            ("8 495 123 45 67", "RU", false),
            ("06 1 234 5678", "HU", false),
            ("+36 1 234 5678", "HU", true),
        ] {
            assert_eq!(parse(text, Some(country)).map(|phone| phone.is_certain), Ok(is_certain), "{text}");
        }
        for bad in [
            "",
            "call us",
            "+1 404 123 4567",
            "+1404911234",
            "555-0199",
            "+15551234567",
            "++14155552671",
            "+14155552671 ext 5",
            "+999123456",
            "+44 2079",
            "+44 2079 4609 5812 3456",
            "123",
        ] {
            assert!(parse(bad, Some("US")).is_err(), "{bad}");
        }
    }
}
