//! A string, or a list of strings, as rule files write them.

use serde::{Deserialize, Deserializer};

/// A string, or a list of strings.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

pub(super) fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => Ok(vec![text]),
        OneOrMany::Many(texts) => Ok(texts),
    }
}
