//! `registration-country`: a kind of business registration that the country does not have.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;
use crate::checks::texts::Texts;

/// A kind of business registration that does not exist in the country of the registration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RegistrationCountry {
    /// The field with the kind of registration.
    #[serde(rename = "type")]
    pub kind: String,
    /// Providers that accept a kind only in the countries of their own list.
    #[serde(default)]
    pub listed_only: Texts,
}

impl CheckSpec for RegistrationCountry {
    const FILLS: &'static [&'static str] = &["value", "type", "where", "country"];
}
