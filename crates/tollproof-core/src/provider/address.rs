//! An address in one line or cell, taken apart for the fields of a provider.

use std::collections::BTreeMap;

use tollproof_data::provider::forms::Form;
use tollproof_data::provider::written::ADDRESS_PARTS;
use tollproof_data::tables::address_line::AddressLine;
use tollproof_data::tables::countries;

use super::kind::Kind;

impl Kind {
    /// The parts of an address in one line by the roles of their fields, with state and country as the provider writes them.
    /// The postal code tells the country. `None` if street, city and postal code cannot be told from each other.
    #[must_use]
    pub fn address_parts(self, text: &str) -> Option<BTreeMap<&'static str, String>> {
        let AddressLine { street, city, state, zip, region, country_code, .. } = AddressLine::of(text)?;
        let [of_street, of_city, of_state, of_zip, of_country] = ADDRESS_PARTS;
        // The lines of a cell become one.
        let joined = |part: &str| {
            let lines =
                part.lines().map(|line| line.trim().trim_end_matches(',')).filter(|line| !line.is_empty());
            lines.collect::<Vec<_>>().join(", ")
        };
        let state = match (region, self.form(of_state)) {
            (Some(region), Some(Form::Name)) => region.name,
            (Some(region), _) => region.code,
            (None, _) => state.and_then(|state| text.get(state)).unwrap_or_default(),
        };
        let country = match self.form(of_country) {
            Some(Form::Alpha3) => countries::alpha3_of(country_code),
            Some(Form::Name) => countries::name_of(country_code),
            _ => None,
        };
        Some(BTreeMap::from([
            (of_street, joined(&text[street])),
            (of_city, text[city].to_owned()),
            (of_state, state.to_owned()),
            (of_zip, text[zip].to_owned()),
            (of_country, country.unwrap_or(country_code).to_owned()),
        ]))
    }
}
