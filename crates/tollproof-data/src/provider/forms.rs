//! The notation that a provider wants for a value where several mean the same.

use serde::{Deserialize, Serialize};

/// The notation of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A country as two letters: `US`.
    #[serde(rename = "alpha-2")]
    Alpha2,
    /// A country as three letters: `USA`.
    #[serde(rename = "alpha-3")]
    Alpha3,
    /// A country or state as its English name: `Texas`.
    Name,
    /// A state as its postal abbreviation: `TX`.
    Code,
    /// A phone number with `+` and country code: `+18005550100`.
    E164,
    /// A phone number with country code and without `+`.
    Digits,
}
