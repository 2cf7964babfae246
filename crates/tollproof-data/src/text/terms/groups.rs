//! The groups that a part of a rule names: names in its file, numbers after preparation.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::table::number_set::NumberSet;
use crate::text::words::hit::GroupId;

/// Names of groups of the vocabulary; any of them counts. Read from YAML as a list, or as `one|other`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    pub names: Vec<String>,
    pub ids: NumberSet,
}

impl Groups {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.ids.is_empty()
    }

    pub fn has(&self, group: GroupId) -> bool {
        self.ids.has(group)
    }
}

impl Serialize for Groups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.names.serialize(serializer)
        } else {
            self.ids.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Groups {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Ok(Self { names: Vec::new(), ids: NumberSet::deserialize(deserializer)? });
        }
        let names = match WrittenGroups::deserialize(deserializer) {
            Ok(WrittenGroups::Alternatives(text)) => {
                text.split('|').map(|name| name.trim().to_owned()).collect()
            }
            Ok(WrittenGroups::List(names)) => names,
            Err(_) => {
                return Err(D::Error::custom("groups are a list of names, or names with `|` between them"));
            }
        };
        Ok(Self { names, ids: NumberSet::default() })
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum WrittenGroups {
    Alternatives(String),
    List(Vec<String>),
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Groups {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Groups".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Names of groups of the vocabulary, as a list or with `|` between them; any of them counts.",
            "type": ["array", "string"],
            "items": {"type": "string"}
        })
    }
}
