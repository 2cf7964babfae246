//! Parameters of the checks of addresses, numbers and names.

use serde::{Deserialize, Serialize};

use crate::rule::texts::Texts;

/// Parameters of `url`: any one that holds is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// Looks at the addresses inside a text instead of the whole value.
    #[serde(default)]
    pub within_text: bool,
    /// Not an absolute http or https address with a host under a known public suffix.
    #[serde(default)]
    pub malformed: bool,
    /// Hosts, or names of host lists, that must not be used.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Names that are reserved for examples and tests: `example.com`, `.test`.
    #[serde(default)]
    pub reserved: bool,
    /// Addresses that only the writer's own network reaches: `localhost`, IP addresses, `.local`.
    #[serde(default)]
    pub local: bool,
    /// Words that must not be a part of the path, such as `login`.
    #[serde(default)]
    pub path_words: Texts,
    /// A path that begins with one of these after one of its hosts: `drive.google.com/drive/folders`.
    #[serde(default)]
    pub prefixes: Texts,
    /// A route behind `#/`, which no server sees.
    #[serde(default)]
    pub hash_route: bool,
    /// `http://`, and in a text an address without a scheme.
    #[serde(default)]
    pub insecure: bool,
    /// The root of a site, or the very address that another field gives.
    #[serde(default)]
    pub home_page: bool,
    /// A domain that shows nothing of the name of the business.
    #[serde(default)]
    pub unbranded: bool,
    /// A registrable domain other than the website's, that does not carry the name of the business.
    #[serde(default)]
    pub foreign: bool,
}

impl Url {
    pub(super) const FILLS: &[&str] = &["value", "match", "reason"];
}

/// Parameters of `name`.
///
/// Fills `{value}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// What is refused.
    pub problem: NameProblem,
}

impl Name {
    pub(super) const FILLS: &[&str] = &["value", "reason"];
}

/// What a name can be instead of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NameProblem {
    /// A user name or a web address.
    Handle,
    /// A name of a person that holds digits or marks, is a single letter, or the name of the business.
    NoPerson,
    /// A name with another one in brackets, of which one has a legal form.
    Bracketed,
}

/// Parameters of `ein`: none.
///
/// Fills `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ein {}

impl Ein {
    pub(super) const FILLS: &[&str] = &["match", "reason"];
}

/// Parameters of `email`: any one that holds is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Email {
    /// Not an address, or its domain is not under a known public suffix.
    #[serde(default)]
    pub malformed: bool,
    /// Domains, or names of host lists, that must not be used.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Domains that are set apart for examples and tests.
    #[serde(default)]
    pub reserved: bool,
    /// Words that must not be the whole part before the `@`.
    #[serde(default)]
    pub local_words: Texts,
}

impl Email {
    pub(super) const FILLS: &[&str] = &["value", "match", "reason"];
}

/// Parameters of `same_domain`.
///
/// Fills `{match}`, `{other}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SameDomain {
    /// The field whose registrable domain the value must share, unless it carries the name of the business.
    #[serde(rename = "as")]
    pub other: String,
}

impl SameDomain {
    pub(super) const FILLS: &[&str] = &["match", "other"];
}

/// Parameters of `phone`.
///
/// Fills `{value}`, `{reason}`, `{e164}`, `{code}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Phone {
    /// What is refused.
    pub problem: PhoneProblem,
}

impl Phone {
    pub(super) const FILLS: &[&str] = &["value", "reason", "e164", "code"];
}

/// What can be wrong with a phone number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PhoneProblem {
    /// No number of any country, or none that can be dialled.
    Malformed,
    /// A number, but not written as `+` and digits.
    NotE164,
    /// An ordered number that is not written as `+` and digits, or a +1 number without ten digits.
    NotOrderable,
    /// An ordered +1 number that is not toll-free.
    NotTollFree,
    /// A number set apart for fiction (555-0100 to 555-0199), or all of one digit.
    Fictional,
    /// A toll-free number where that of a person is asked for.
    TollFree,
}

/// Parameters of `address`.
///
/// Fills `{value}`, `{where}`, `{shape}`, `{state}`, `{code}`, `{country}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// What is refused.
    pub problem: AddressProblem,
}

impl Address {
    pub(super) const FILLS: &[&str] = &["value", "where", "shape", "state", "code", "country"];
}

/// What can be wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AddressProblem {
    /// Not the code of a country, though it may name one.
    Country,
    /// A country in which neither the state nor the postal code lies, though both are of one place in the US or Canada.
    CountryElsewhere,
    /// Not a state or province of its country.
    State,
    /// An abbreviation of a state or province that is neither its code nor its name.
    StateForm,
    /// Not a postal code of its country.
    PostalCode,
    /// A postal code of another state or province.
    PostalCodeElsewhere,
}
