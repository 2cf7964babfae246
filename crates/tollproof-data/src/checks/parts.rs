//! Parts of the parameters of checks.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::checks::texts::Texts;
use crate::severity::Severity;
use crate::text::phrases::interner::Phrases;
use crate::text::terms::groups::Groups;

/// A way to agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DeclaredWay {
    /// The values that declare it.
    pub values: Texts,
    /// Groups that describe it; nothing is reported if the description has one of them.
    pub fits: Groups,
    /// Groups that describe other ways.
    pub others: Groups,
}

/// One element that a text must contain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Element {
    /// The name of the element in messages, as a part of a sentence.
    pub name: String,
    /// Phrases of which one is enough.
    #[serde(default)]
    pub any_of: Phrases,
    /// Whether the name of the business is enough.
    #[serde(default)]
    pub brand: bool,
    /// Whether a web address, an e-mail address or a phone number is enough.
    #[serde(default)]
    pub contact: bool,
    /// The severity if it is missing, if higher than that of the rule.
    pub severity: Option<Severity>,
}

/// The groups that fit each value of a field. Read from YAML as a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedGroups(pub Vec<(String, Groups)>);

impl Serialize for ExpectedGroups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_map(self.0.iter().map(|(value, groups)| (value, groups)))
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for ExpectedGroups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            BTreeMap::deserialize(deserializer).map(|map| Self(map.into_iter().collect()))
        } else {
            Vec::deserialize(deserializer).map(Self)
        }
    }
}
