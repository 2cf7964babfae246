//! `length`: a text that is too long.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// The length of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Length {
    /// The maximum number of characters.
    pub max: usize,
}

impl CheckSpec for Length {
    const FILLS: &'static [&'static str] = &["count", "max"];
}
