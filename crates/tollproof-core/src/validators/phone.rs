//! Phone numbers: the North American plan by our table, other countries by libphonenumber's metadata.

use rlibphonenumber::{NumberLengthType, PhoneNumber, PhoneNumberFormat, Region};
use tollproof_data::tables::area_codes::{Area, area};
use tollproof_data::tables::regions;

/// A possible phone number in E.164 format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phone {
    /// E.164.
    pub(crate) e164: String,
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
    let national = text.strip_prefix("+1").filter(|it| it.bytes().all(|byte| byte.is_ascii_digit()));
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
    if text.chars().any(|it| !it.is_ascii_digit() && !" +-.()/\u{a0}\u{2010}\u{2011}\u{2013}".contains(it)) {
        return Err("it contains characters that a phone number cannot have");
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let home = country.is_none_or(|it| matches!(it, "US" | "CA") || regions::is_territory(it));
    // International dialling prefixes: 011 in North America, 00 in most other countries.
    let dialled = digits.strip_prefix("011").filter(|_| home).or_else(|| digits.strip_prefix("00"));
    if let Some(number) = dialled.filter(|number| !international && number.len() > 6) {
        return parse(&format!("+{number}"), country);
    }
    match digits.strip_prefix('1') {
        Some(national) if international => north_american(national),
        _ if international => abroad(text, None),
        Some(national) if home && national.len() == 10 => north_american(national),
        _ if home => north_american(&digits),
        _ => abroad(text, country),
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
    Ok(Phone { e164: ["+1", national].concat(), area: Some(area) })
}

fn abroad(text: &str, country: Option<&str>) -> Result<Phone, &'static str> {
    let region = country.and_then(|country| country.parse::<Region>().ok());
    let number = PhoneNumber::parse(text, region).map_err(|_| "it is not a number of any country")?;
    if number.is_possible_with_reason() != Ok(NumberLengthType::IsPossible) {
        return Err("its length is wrong for its country");
    }
    let e164 = number.format_as(PhoneNumberFormat::E164).into_owned();
    Ok(Phone { e164, area: None })
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
        assert_eq!(e164("020 7946 0958", Some("GB")), Ok("+442079460958".to_owned()));
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
            "123",
        ] {
            assert!(parse(bad, Some("US")).is_err(), "{bad}");
        }
    }
}
