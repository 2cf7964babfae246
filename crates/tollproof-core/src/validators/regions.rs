//! States, territories, military regions and provinces of the United States and Canada, as postal addresses name them (USPS and Canada Post, 2026-11).

/// A state, territory, military region, province or district of one country.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The alpha-2 code of the country, `US` or `CA`.
    pub(crate) country: &'static str,
    /// The two-letter postal code, in upper case.
    pub(crate) code: &'static str,
    /// The full English name.
    pub(crate) name: &'static str,
    /// Other ways to write it, in lower case and without dots.
    pub(crate) aliases: &'static [&'static str],
}

/// Every region of both countries: first the United States, then Canada.
pub(crate) static REGIONS: &[Region] = &[
    us("AL", "Alabama", &["ala"]),
    us("AK", "Alaska", &[]),
    us("AZ", "Arizona", &["ariz"]),
    us("AR", "Arkansas", &["ark"]),
    us("CA", "California", &["calif"]),
    us("CO", "Colorado", &["colo"]),
    us("CT", "Connecticut", &["conn"]),
    us("DE", "Delaware", &["del"]),
    us(
        "DC",
        "District of Columbia",
        &[
            "washington dc",
            "washington, dc",
            "washington d c",
            "d c",
            "dist of columbia",
            "the district of columbia",
        ],
    ),
    us("FL", "Florida", &["fla"]),
    us("GA", "Georgia", &[]),
    us("HI", "Hawaii", &["hawai'i", "hawai’i", "hawaiʻi"]),
    us("ID", "Idaho", &[]),
    us("IL", "Illinois", &["ill"]),
    us("IN", "Indiana", &["ind"]),
    us("IA", "Iowa", &[]),
    us("KS", "Kansas", &["kan", "kans"]),
    us("KY", "Kentucky", &["commonwealth of kentucky"]),
    us("LA", "Louisiana", &[]),
    us("ME", "Maine", &[]),
    us("MD", "Maryland", &[]),
    us("MA", "Massachusetts", &["mass", "commonwealth of massachusetts"]),
    us("MI", "Michigan", &["mich"]),
    us("MN", "Minnesota", &["minn"]),
    us("MS", "Mississippi", &["miss"]),
    us("MO", "Missouri", &[]),
    us("MT", "Montana", &["mont"]),
    us("NE", "Nebraska", &["neb", "nebr"]),
    us("NV", "Nevada", &["nev"]),
    us("NH", "New Hampshire", &["n h"]),
    us("NJ", "New Jersey", &["n j"]),
    us("NM", "New Mexico", &["n m", "n mex", "nuevo méxico", "nuevo mexico"]),
    us("NY", "New York", &["n y", "new york state", "nys", "state of new york", "nueva york"]),
    us("NC", "North Carolina", &["n c", "n carolina"]),
    us("ND", "North Dakota", &["n d", "n dak", "n dakota"]),
    us("OH", "Ohio", &[]),
    us("OK", "Oklahoma", &["okla"]),
    us("OR", "Oregon", &["ore", "oreg"]),
    us("PA", "Pennsylvania", &["penn", "penna", "commonwealth of pennsylvania"]),
    us("RI", "Rhode Island", &["r i", "rhode island and providence plantations"]),
    us("SC", "South Carolina", &["s c", "s carolina"]),
    us("SD", "South Dakota", &["s d", "s dak", "s dakota"]),
    us("TN", "Tennessee", &["tenn"]),
    us("TX", "Texas", &["tex"]),
    us("UT", "Utah", &[]),
    us("VT", "Vermont", &[]),
    us("VA", "Virginia", &["commonwealth of virginia"]),
    us("WA", "Washington", &["wash", "washington state", "state of washington"]),
    us("WV", "West Virginia", &["w va", "w virginia", "wva"]),
    us("WI", "Wisconsin", &["wis", "wisc"]),
    us("WY", "Wyoming", &["wyo"]),
    us("AS", "American Samoa", &[]),
    us("GU", "Guam", &[]),
    us(
        "MP",
        "Northern Mariana Islands",
        &["cnmi", "northern marianas", "commonwealth of the northern mariana islands"],
    ),
    us("PR", "Puerto Rico", &["p r", "commonwealth of puerto rico"]),
    us(
        "VI",
        "Virgin Islands",
        &["us virgin islands", "usvi", "united states virgin islands", "virgin islands of the united states"],
    ),
    us("FM", "Micronesia", &["federated states of micronesia"]),
    us("MH", "Marshall Islands", &["republic of the marshall islands"]),
    us("PW", "Palau", &["republic of palau"]),
    us("AA", "Armed Forces Americas", &["armed forces of the americas"]),
    us(
        "AE",
        "Armed Forces Europe",
        &["armed forces africa", "armed forces canada", "armed forces middle east"],
    ),
    us("AP", "Armed Forces Pacific", &[]),
    ca("AB", "Alberta", &["alta", "alb"]),
    ca("BC", "British Columbia", &["b c", "colombie-britannique", "colombie britannique", "c-b"]),
    ca("MB", "Manitoba", &["man"]),
    ca("NB", "New Brunswick", &["n b", "nouveau-brunswick", "nouveau brunswick", "n-b"]),
    ca(
        "NL",
        "Newfoundland and Labrador",
        &[
            "newfoundland",
            "labrador",
            "newfoundland & labrador",
            "nf",
            "nfld",
            "terre-neuve-et-labrador",
            "terre-neuve et labrador",
            "terre-neuve",
            "t-n-l",
            "tnl",
        ],
    ),
    ca(
        "NT",
        "Northwest Territories",
        &["n w t", "nwt", "north west territories", "territoires du nord-ouest", "t n-o", "tno"],
    ),
    ca(
        "NS",
        "Nova Scotia",
        &["n s", "nouvelle-écosse", "nouvelle-ecosse", "nouvelle écosse", "nouvelle ecosse", "n-é"],
    ),
    ca("NU", "Nunavut", &[]),
    ca("ON", "Ontario", &["ont"]),
    ca(
        "PE",
        "Prince Edward Island",
        &[
            "pei",
            "p e i",
            "île-du-prince-édouard",
            "ile-du-prince-edouard",
            "île du prince édouard",
            "ile du prince edouard",
            "î-p-é",
            "ipe",
        ],
    ),
    ca(
        "QC",
        "Quebec",
        &[
            "québec",
            "pq",
            "p q",
            "que",
            "qué",
            "province of quebec",
            "province de québec",
            "province de quebec",
        ],
    ),
    ca("SK", "Saskatchewan", &["sask"]),
    ca("YT", "Yukon", &["yukon territory", "the yukon", "territoire du yukon", "yk"]),
];

/// Finds the region of a country (`US` or `CA`) that a text means by its code, name or alias; case, dots and extra blanks do not count.
pub(crate) fn find(country: &str, text: &str) -> Option<&'static Region> {
    let text = plain(text);
    REGIONS.iter().find(|region| {
        region.country == country
            && (region.code.eq_ignore_ascii_case(&text)
                || region.name.eq_ignore_ascii_case(&text)
                || region.aliases.contains(&text.as_str()))
    })
}

/// A row of the United States.
const fn us(code: &'static str, name: &'static str, aliases: &'static [&'static str]) -> Region {
    Region { country: "US", code, name, aliases }
}

/// A row of Canada.
const fn ca(code: &'static str, name: &'static str, aliases: &'static [&'static str]) -> Region {
    Region { country: "CA", code, name, aliases }
}

/// Lower case, without dots, with single blanks between words.
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
