//! `one-sample`: a single message, where another field has several values.

use serde::{Deserialize, Serialize};

use crate::checks::spec::CheckSpec;

/// A text with one message, though another field has several values, each of which needs a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OneSample {
    /// The field with the values.
    pub of: String,
}

impl CheckSpec for OneSample {
    const FILLS: &'static [&'static str] = &["count"];
}
