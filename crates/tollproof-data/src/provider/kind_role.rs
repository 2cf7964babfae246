//! The purpose of a kind of document, whatever the provider.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The purpose of a kind of document. Every provider uses the same roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Kind"))]
pub enum KindRole {
    /// A draft that asks for the verification of one number.
    #[serde(rename = "submit-request")]
    Submit,
    /// A draft that changes an earlier submission.
    #[serde(rename = "update-request")]
    Update,
    /// The API's answer when a verification is fetched or updated.
    #[serde(rename = "verification-record")]
    Record,
    /// A purchase of numbers.
    #[serde(rename = "number-purchase")]
    Purchase,
    /// The query of a search for available numbers.
    #[serde(rename = "number-search")]
    Search,
    /// The body of a refused request.
    #[serde(rename = "error-response")]
    Error,
}

impl KindRole {
    /// The name of the kinds with this role.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Submit => "submit-request",
            Self::Update => "update-request",
            Self::Record => "verification-record",
            Self::Purchase => "number-purchase",
            Self::Search => "number-search",
            Self::Error => "error-response",
        }
    }
}

impl fmt::Display for KindRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
