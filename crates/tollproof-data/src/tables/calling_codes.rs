//! Calling codes of countries, as international numbers begin after their `+`.

include!(concat!(env!("OUT_DIR"), "/calling_codes.rs"));

/// Splits the digits of an international number after its calling code; `None` if no country has such a code.
///
/// No code begins with another one, so at most one fits.
pub fn split(digits: &str) -> Option<(&str, &str)> {
    let is_code = |length: &usize| {
        let code = digits.get(..*length);
        code.is_some_and(|code| CODES.binary_search_by_key(&code, |&(known, _)| known).is_ok())
    };
    (1..=3).find(is_code).map(|length| digits.split_at(length))
}

/// The calling code of a country by its ISO 3166-1 alpha-2 code.
pub fn of_country(alpha2: &str) -> Option<&'static str> {
    CODES.iter().find(|(_, countries)| countries.contains(&alpha2)).map(|&(code, _)| code)
}

/// Whether a number after this calling code may begin with a 0.
pub fn keeps_zero(code: &str) -> bool {
    KEEP_ZERO.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_by_number_and_by_country() {
        assert_eq!(split("442079460958"), Some(("44", "2079460958")));
        assert_eq!(split("35315550123"), Some(("353", "15550123")));
        assert_eq!((split("999123456"), split("")), (None, None));
        assert_eq!((of_country("JM"), of_country("IE"), of_country("XX")), (Some("1"), Some("353"), None));
        assert!(keeps_zero("39") && !keeps_zero("44"));
    }
}
