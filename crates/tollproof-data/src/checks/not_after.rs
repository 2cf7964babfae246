//! `not-after`: a time that is later than the time in another field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A time that is after another time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NotAfter {
    /// The field with the later time.
    pub field: String,
}

impl CheckSpec for NotAfter {
    const FILLS: &'static [&'static str] = &["value", "other"];
}
