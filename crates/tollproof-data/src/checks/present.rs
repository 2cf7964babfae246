//! `present`: a field that must be missing when the conditions of the rule are true.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};
use crate::checks::texts::Texts;

/// A field that has a value. Use `when` to limit the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Present {
    /// Fields that are reported together: the finding is at the first of them that has a value, and labels the others.
    #[serde(default)]
    pub together: Texts,
}

impl CheckSpec for Present {
    const FILLS: &'static [&'static str] = &["value"];
    const LOOKS_AT: LooksAt = LooksAt::Value;
}
