//! Kinds of business registration numbers: their countries, and what is wrong with a number of a kind.

use super::registration_number::NumberForm;
use super::{countries, ein};
use crate::suggest::is_same_name;

/// A kind of business registration number.
#[derive(Debug, PartialEq, Eq)]
pub struct RegistrationType {
    /// The countries, as alpha-2 codes, that a provider's specification allows. Empty if there are such numbers in every
    /// country.
    pub countries: &'static [&'static str],
    /// Further countries with numbers of this kind.
    also: &'static [&'static str],
    /// Its names; the last one is that of most lists.
    names: &'static [&'static str],
    form: Option<NumberForm>,
}

include!(concat!(env!("OUT_DIR"), "/registration.rs"));

/// The kind with a name, however that is written.
pub fn find(name: &str) -> Option<&'static RegistrationType> {
    TYPES.iter().find(|entry| entry.names.iter().any(|known| is_same_name(known, name)))
}

impl RegistrationType {
    /// The name in most lists.
    pub fn name(&self) -> &'static str {
        self.names.last().copied().unwrap_or_default()
    }

    /// Whether a country, as an alpha-2 code, has numbers of this kind. The territories of the United States have those
    /// of the United States.
    pub fn exists_in(&self, country: &str) -> bool {
        let is_here = |country: &str| self.countries.contains(&country) || self.also.contains(&country);
        self.countries.is_empty()
            || is_here(country)
            || super::regions::is_territory(country) && is_here("US")
    }

    /// Whether the specification of a provider allows the kind in a country, as an alpha-2 code.
    pub fn is_listed_in(&self, country: &str) -> bool {
        self.countries.is_empty() || self.countries.contains(&country)
    }

    /// The names of the countries, as in a sentence.
    pub fn places(&self) -> impl Iterator<Item = String> {
        self.countries.iter().filter_map(|code| countries::name_in_sentence(code))
    }

    /// Returns why a number is not one of this kind, as a part of a sentence. `country` is the country that issued
    /// it, as an alpha-2 code.
    pub fn fault(&self, number: &str, country: Option<&str>) -> Option<&'static str> {
        // Kinds with the same name differ from country to country; the form is that of the first one.
        let is_first =
            country.is_none_or(|code| self.countries.first() == Some(&code) || self.countries.len() == 1);
        self.form.filter(|_| is_first && country.is_none_or(|it| self.exists_in(it)))?.fault(number)
    }

    /// Whether no provider states the form of its numbers, so that they may accept others.
    pub fn is_unpublished(&self) -> bool {
        self.form == Some(NumberForm::Neq)
    }

    /// A number with the same digits as it is written, where the kind has one way to write it.
    pub fn written(&self, number: &str) -> Option<String> {
        (self.form == Some(NumberForm::Ein)).then(|| ein::written(number))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_however_they_are_written() {
        let name = |text| find(text).and_then(|entry| entry.names.last().copied());
        assert_eq!(name("USt-IdNr"), Some("USt-IdNr"));
        assert_eq!(name("UST_IDNR"), Some("USt-IdNr"));
        assert_eq!(name("Companies House"), Some("CRN"));
        assert_eq!(name("provincial number"), Some("PROVINCIAL_NUMBER"));
        assert_eq!(name("Passport"), None);
    }

    #[test]
    fn kinds_belong_to_countries() {
        let kind = |name: &str| find(name).expect("it is in the table");
        assert!(kind("EIN").exists_in("US") && kind("EIN").exists_in("PR") && !kind("EIN").exists_in("CA"));
        assert!(kind("OTHER").exists_in("JP") && kind("VAT").exists_in("FR") && !kind("VAT").exists_in("US"));
        assert_eq!(kind("EIN").places().collect::<Vec<_>>(), ["the United States"]);
        assert_eq!(kind("CRN").places().collect::<Vec<_>>(), ["the United Kingdom", "Hong Kong"]);
    }

    #[test]
    fn an_ein_has_a_dash_after_two_digits() {
        let written = |name: &str, number| find(name).expect("it is in the table").written(number);
        assert_eq!(written("EIN", "34 1982736"), Some("34-1982736".to_owned()));
        assert_eq!(written("EIN", "3-4198 2736"), Some("34-1982736".to_owned()));
        assert_eq!(written("EIN", "34 198273"), None);
        assert_eq!(written("CRN", "34 1982736"), None);
    }

    #[test]
    fn the_form_of_a_kind_is_that_of_its_first_country() {
        let crn = find("crn").expect("it is in the table");
        assert!(crn.fault("123456", Some("GB")).is_some() && crn.fault("123456", Some("HK")).is_none());
    }
}
