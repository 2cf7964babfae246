//! `same-domain`: a domain that differs from the domain of another field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A domain that must be the same as the domain of another field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SameDomain {
    /// The field whose domain the value must share, unless its own domain contains the name of the business.
    #[serde(rename = "as")]
    pub other: String,
}

impl CheckSpec for SameDomain {
    const FILLS: &'static [&'static str] = &["match", "other"];
}
