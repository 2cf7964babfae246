//! `known-value`: a value outside a list that is known to be incomplete.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A value that is not in a list that is known to be incomplete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownValue {
    /// The known values; case and spaces are ignored.
    pub values: Vec<String>,
}

impl CheckSpec for KnownValue {
    const FILLS: &'static [&'static str] = &["value", "nearest"];
    const JUDGES_FORM: bool = true;
}
