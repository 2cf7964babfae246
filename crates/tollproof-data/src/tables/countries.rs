//! Countries by ISO 3166-1 alpha-2 code, with the other names that people write in a country field.

include!(concat!(env!("OUT_DIR"), "/countries.rs"));

/// The English name of a country by its alpha-2 code.
pub fn name_of(code: &str) -> Option<&'static str> {
    let at = COUNTRIES.binary_search_by_key(&code, |&(known, _)| known).ok()?;
    Some(COUNTRIES[at].1)
}

/// The alpha-2 code itself, if it is assigned.
pub fn code_of(alpha2: &str) -> Option<&'static str> {
    let at = COUNTRIES.binary_search_by_key(&alpha2, |&(known, _)| known).ok()?;
    Some(COUNTRIES[at].0)
}

/// Whether a text names a country, rather than giving its code.
pub fn is_name(text: &str) -> bool {
    text.len() > 3 && text.trim() == text && alpha2_of(text).is_some()
}

/// Whether `code` is an assigned alpha-2 code in upper case.
pub fn is_alpha2(code: &str) -> bool {
    COUNTRIES.binary_search_by_key(&code, |&(known, _)| known).is_ok()
}

/// The English name of a country inside a sentence: some names have an article.
pub fn name_in_sentence(code: &str) -> Option<String> {
    let name = name_of(code)?;
    let has_article = name.starts_with("United ")
        || ["Islands", "Netherlands", "Republic"].iter().any(|it| name.ends_with(it));
    Some(if has_article { format!("the {name}") } else { name.to_owned() })
}

/// The alpha-3 code of a country by its alpha-2 code.
pub fn alpha3_of(alpha2: &str) -> Option<&'static str> {
    ALPHA3.iter().find(|(_, known)| *known == alpha2).map(|&(code, _)| code)
}

/// Whether `code` is an assigned alpha-3 code in upper case.
pub fn is_alpha3(code: &str) -> bool {
    ALPHA3.binary_search_by_key(&code, |&(known, _)| known).is_ok()
}

/// The alpha-2 code for a code, country name or alias, in any case and with surrounding whitespace.
pub fn alpha2_of(name: &str) -> Option<&'static str> {
    // Fast path: most values are the code as it should be written.
    if let Some(code) = code_of(name) {
        return Some(code);
    }
    let code = name.trim().to_ascii_uppercase();
    if let Ok(at) = COUNTRIES.binary_search_by_key(&code.as_str(), |&(known, _)| known) {
        return Some(COUNTRIES[at].0);
    }
    if let Ok(at) = ALPHA3.binary_search_by_key(&code.as_str(), |&(known, _)| known) {
        return Some(ALPHA3[at].1);
    }
    let name = name.trim().to_lowercase();
    if let Ok(at) = ALIASES.binary_search_by_key(&name.as_str(), |&(alias, _)| alias) {
        return Some(ALIASES[at].1);
    }
    COUNTRIES.iter().find(|(_, known)| known.to_lowercase() == name).map(|&(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_is_there() {
        assert_eq!(COUNTRIES.len(), 249);
    }

    #[test]
    fn codes_are_exact() {
        assert!(is_alpha2("US") && is_alpha2("CA") && is_alpha2("ZW"));
        assert!(!is_alpha2("us") && !is_alpha2("UK") && !is_alpha2("USA") && !is_alpha2(""));
    }

    #[test]
    fn codes_of_three_letters_mean_the_same_countries() {
        for (three, two) in ALPHA3 {
            assert_eq!((alpha3_of(two), alpha2_of(three)), (Some(*three), Some(*two)));
        }
        assert!(is_alpha3("USA") && is_alpha3("CAN") && !is_alpha3("usa") && !is_alpha3("UKR1"));
    }

    #[test]
    fn names_and_aliases_are_found() {
        assert_eq!(alpha2_of(" United States of America "), Some("US"));
        assert_eq!(alpha2_of("U.S.A."), Some("US"));
        assert_eq!(alpha2_of("ÉTATS-UNIS"), Some("US"));
        assert_eq!(alpha2_of("CANADA"), Some("CA"));
        assert_eq!(alpha2_of("México"), Some("MX"));
        assert_eq!(alpha2_of("Côte d'Ivoire"), Some("CI"));
        assert_eq!(alpha2_of("Georgia"), Some("GE"));
        assert_eq!(alpha2_of("gb"), Some("GB"));
        assert_eq!(alpha2_of("California"), None);
    }
}
