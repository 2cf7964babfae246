//! `closed-list`: a value that the schema does not list for its field.

use serde::{Deserialize, Serialize};

use crate::checks::spec::{CheckSpec, LooksAt};

/// A value that is not in the closed list of its field in the schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClosedList {
    /// The suffix of the testing value, which follows the name of the configured vendor: ` Testing`.
    #[serde(default)]
    pub vendor_suffix: Option<String>,
}

impl CheckSpec for ClosedList {
    const FILLS: &'static [&'static str] = &["value", "nearest", "count", "values", "suggestion"];
    const JUDGES_FORM: bool = true;
    const LOOKS_AT: LooksAt = LooksAt::ListedText;
}
