//! `same-as`: a value that repeats another field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A value that is the same as another field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SameAs {
    /// The fields that the value must not repeat, compared word by word.
    pub fields: Vec<String>,
}

impl CheckSpec for SameAs {
    const FILLS: &'static [&'static str] = &["value", "other"];
}
