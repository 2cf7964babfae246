//! States, territories, military regions and provinces of the United States and Canada, as used in postal addresses.

/// A state, territory, military region, province or district of one country.
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    /// The alpha-2 code of the country, `US` or `CA`.
    pub country: &'static str,
    /// The two-letter postal code, in upper case.
    pub code: &'static str,
    /// The full English name.
    pub name: &'static str,
    /// Other spellings, in lower case and without dots.
    pub aliases: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/regions.rs"));

/// The region of a country (`US` or `CA`) by code, name or alias, ignoring case, dots and extra whitespace.
pub fn find(country: &str, text: &str) -> Option<&'static Region> {
    // Fast path: most values are the code as it should be written.
    if let Ok(code) = <&[u8; 2]>::try_from(text.as_bytes()) {
        let of_code =
            REGIONS.iter().find(|region| region.code.as_bytes() == code && region.country == country);
        if of_code.is_some() {
            return of_code;
        }
    }
    let text = plain(text);
    REGIONS.iter().find(|region| {
        region.country == country
            && (region.code.eq_ignore_ascii_case(&text)
                || region.name.eq_ignore_ascii_case(&text)
                || region.aliases.contains(&text.as_str()))
    })
}

/// Whether an ISO 3166-1 country is a territory of the United States, with US phone numbers and ZIP codes.
pub fn is_territory(country: &str) -> bool {
    TERRITORIES.contains(&country)
}

/// Whether the US Postal Service treats an ISO 3166-1 country as a state.
pub fn is_postal_state(country: &str) -> bool {
    is_territory(country) || FREELY_ASSOCIATED.contains(&country)
}

/// Lower case, without dots, words separated by single spaces.
fn plain(text: &str) -> String {
    let lower = text.replace('.', "").to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(country: &str, text: &str) -> Option<&'static str> {
        find(country, text).map(|region| region.code)
    }

    #[test]
    fn every_spelling_means_one_region() {
        assert_eq!(REGIONS.len(), 62 + 13);
        for region in REGIONS {
            let spellings = region.aliases.iter().chain([&region.code, &region.name]);
            for spelling in spellings {
                assert_eq!(code(region.country, spelling), Some(region.code));
            }
            assert!(region.aliases.iter().all(|alias| plain(alias) == *alias));
        }
    }

    #[test]
    fn states_and_territories() {
        assert_eq!(code("US", " california "), Some("CA"));
        assert_eq!(code("US", "Calif."), Some("CA"));
        assert_eq!(code("US", "N.Y."), Some("NY"));
        assert_eq!(code("US", "Washington, D.C."), Some("DC"));
        assert_eq!(code("US", "Washington"), Some("WA"));
        assert_eq!(code("US", "pr"), Some("PR"));
        assert_eq!(code("US", "Ontario"), None);
        assert_eq!(code("US", "California USA"), None);
    }

    #[test]
    fn provinces_in_both_languages() {
        assert_eq!(code("CA", "Québec"), Some("QC"));
        assert_eq!(code("CA", "P.Q."), Some("QC"));
        assert_eq!(code("CA", "Newfoundland"), Some("NL"));
        assert_eq!(code("CA", "Île-du-Prince-Édouard"), Some("PE"));
        assert_eq!(code("CA", "Yukon Territory"), Some("YT"));
        assert_eq!(code("CA", "California"), None);
    }
}
