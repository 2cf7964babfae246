//! `brand`: a text that must contain the name of the business.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A text that must contain the name of the business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Brand {
    /// Report a text that names the business only in a link, instead of one that does not name it.
    #[serde(default)]
    pub only_in_link: bool,
}

impl CheckSpec for Brand {
    const FILLS: &'static [&'static str] = &["value"];
}
