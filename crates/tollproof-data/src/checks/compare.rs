//! `compare`: a text whose meanings do not fit those of another field.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::checks::spec::CheckSpec;
use crate::text::terms::groups::Groups;

/// A text whose meanings do not fit another field. By default, both texts have some of the groups, and none in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The groups that are compared: the text has at least one of them, and the other field none that the text has.
    pub facts: Groups,
    /// The other field.
    pub with: String,
    /// Groups of which the other field has at least one, so that it says something about the matter. It has none of
    /// `facts`.
    #[serde(default)]
    pub against: Groups,
    /// For values of the other field, the groups that fit them: the text has none of those, but other `facts`. Values
    /// that are not listed fit everything.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<String, Groups>"))]
    pub expects: ExpectedGroups,
    /// Groups; nothing is reported if either text has one of them.
    #[serde(default)]
    pub unless: Groups,
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

impl CheckSpec for Compare {
    const FILLS: &'static [&'static str] = &["value", "match", "other"];

    fn lacks(&self) -> Option<&'static str> {
        self.facts.is_empty().then_some("`facts`")
    }

    fn groups(&mut self) -> Vec<&mut Groups> {
        let expected = self.expects.0.iter_mut().map(|(_, groups)| groups);
        expected.chain([&mut self.facts, &mut self.against, &mut self.unless]).collect()
    }
}
