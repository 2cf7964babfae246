//! `begins-with`: a text that begins with certain characters.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A text that begins with one of these strings, after any whitespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeginsWith {
    /// The strings.
    pub any_of: Vec<String>,
}

impl CheckSpec for BeginsWith {
    const FILLS: &'static [&'static str] = &["value", "match"];

    fn lacks(&self) -> Option<&'static str> {
        self.any_of.iter().all(String::is_empty).then_some("`any_of`")
    }
}
