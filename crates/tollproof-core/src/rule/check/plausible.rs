//! Parameters of the checks of addresses, numbers and names.

use serde::{Deserialize, Serialize};

use crate::rule::texts::Texts;

/// Parameters of `url`: each one that applies is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Url {
    /// Check the addresses in a text instead of the whole value.
    #[serde(default)]
    pub within_text: bool,
    /// Not an absolute http or https address with a host under a known domain ending.
    #[serde(default)]
    pub malformed: bool,
    /// Hosts, or names of host lists, that are refused.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Domains that are reserved for examples and tests: `example.com`, `.test`.
    #[serde(default)]
    pub reserved: bool,
    /// Addresses that work only on the writer's own network: `localhost`, IP addresses, `.local`.
    #[serde(default)]
    pub local: bool,
    /// Words that must not be a segment of the path, such as `login`.
    #[serde(default)]
    pub path_words: Texts,
    /// Hosts with the beginning of a path: `drive.google.com/drive/folders`.
    #[serde(default)]
    pub prefixes: Texts,
    /// A route after `#/`, which is not sent to the server.
    #[serde(default)]
    pub hash_route: bool,
    /// An address with `http://`, and in a text also one without a scheme.
    #[serde(default)]
    pub insecure: bool,
    /// The home page of a site, or exactly the website of the business.
    #[serde(default)]
    pub home_page: bool,
    /// A domain that does not contain the name of the business.
    #[serde(default)]
    pub unbranded: bool,
    /// A domain that is not the domain of the website and does not contain the name of the business.
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
    /// What the rule reports.
    pub problem: NameProblem,
}

impl Name {
    pub(super) const FILLS: &[&str] = &["value", "reason"];
}

/// What can be wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum NameProblem {
    /// A user name or a web address.
    Handle,
    /// A person's name that contains digits or symbols, is a single letter, or is the name of the business.
    NoPerson,
    /// A name with another name in brackets, one of which has a legal form.
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

/// Parameters of `email`: each one that applies is a finding.
///
/// Fills `{value}`, `{match}`, `{reason}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Email {
    /// Not an e-mail address, or its domain is not under a known domain ending.
    #[serde(default)]
    pub malformed: bool,
    /// Domains, or names of host lists, that are refused.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Domains that are reserved for examples and tests.
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
    /// The field whose domain the value must share, unless its own domain contains the name of the business.
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
    /// What the rule reports.
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
    /// Not a number of any country, or one that cannot be dialled.
    Malformed,
    /// A number that is not written as `+` and digits.
    NotE164,
    /// A number to buy that is not written as `+` and digits, or a +1 number without ten digits.
    NotOrderable,
    /// A +1 number to buy that is not toll-free.
    NotTollFree,
    /// A fictional number (555-0100 to 555-0199), or one with a single repeated digit.
    Fictional,
    /// A toll-free number in place of a person's direct number.
    TollFree,
}

/// Parameters of `address`.
///
/// Fills `{value}`, `{where}`, `{shape}`, `{state}`, `{code}`, `{country}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// What the rule reports.
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
    /// Not the code of a country, but perhaps its name.
    Country,
    /// A country that contradicts the state and the postal code, which are both of one place in the US or Canada.
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
