//! The phrases of a rule: strings in its file, and numbers of lexicon sets after preparation.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::lexicon::{Builder, SetId};

/// Phrases and names of phrase lists (`@free-mail`); a match of any of them counts.
///
/// Read from YAML as a list of strings; prepared rules contain only the set numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phrases {
    pub(crate) texts: Vec<String>,
    pub(crate) sets: Vec<SetId>,
}

impl Phrases {
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.sets.is_empty()
    }

    /// Whether a lexicon set is one of these.
    pub(crate) fn has(&self, set: SetId) -> bool {
        self.sets.contains(&set)
    }
}

impl Serialize for Phrases {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.texts.serialize(serializer)
        } else {
            self.sets.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Phrases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            Ok(Self { texts: Vec::deserialize(deserializer)?, sets: Vec::new() })
        } else {
            Ok(Self { texts: Vec::new(), sets: Vec::deserialize(deserializer)? })
        }
    }
}

/// Assigns set numbers to phrases while rules are prepared; a list has the same number in all rules.
#[derive(Debug, Default)]
pub(crate) struct Interner<'l> {
    lists: BTreeMap<&'l str, &'l str>,
    known: BTreeMap<String, SetId>,
    builder: Builder,
}

impl<'l> Interner<'l> {
    /// An interner for the texts of the built-in lists, with set numbers from `first`.
    pub(crate) fn new(lists: impl IntoIterator<Item = (&'l str, &'l str)>, first: SetId) -> Self {
        let (lists, known) = (lists.into_iter().collect(), BTreeMap::new());
        Self { lists, known, builder: Builder::starting_at(first) }
    }

    /// Assigns sets to the phrases of one place in a rule.
    pub(crate) fn intern(&mut self, phrases: &mut Phrases) -> Result<(), String> {
        phrases.sets.clear();
        let own: Vec<&str> =
            phrases.texts.iter().filter(|text| !text.starts_with('@')).map(String::as_str).collect();
        if !own.is_empty() {
            phrases.sets.push(self.builder.add(own)?);
        }
        for name in phrases.texts.iter().filter_map(|text| text.strip_prefix('@')) {
            phrases.sets.push(self.list(name)?);
        }
        Ok(())
    }

    fn list(&mut self, name: &str) -> Result<SetId, String> {
        if let Some(set) = self.known.get(name) {
            return Ok(*set);
        }
        let Some(text) = self.lists.get(name) else {
            let nearest = crate::suggest::nearest(name, self.lists.keys().copied());
            return Err(format!("unknown list `{name}`{}", crate::suggest::did_you_mean(nearest)));
        };
        let set = self.builder.add(list_lines(text)).map_err(|error| format!("list `{name}`: {error}"))?;
        self.known.insert(name.to_owned(), set);
        Ok(set)
    }

    /// The lexicon of all phrases, the sets of the lists by name, and the next free set number.
    pub(crate) fn finish(self) -> (crate::text::lexicon::Lexicon<'static>, BTreeMap<String, SetId>, SetId) {
        let next = self.builder.next_set();
        (self.builder.build(), self.known, next)
    }
}

/// The entries of a list: trimmed lines, without comments and empty lines.
pub(crate) fn list_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The title in the header of a list: `# title: gambling`.
pub(crate) fn list_title(text: &str) -> Option<&str> {
    text.lines().find_map(|line| line.strip_prefix("# title:")).map(str::trim)
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Phrases {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Phrases".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Phrases and names of phrase lists (`@placeholders`); any of them counts.",
            "type": "array",
            "items": {"type": "string"}
        })
    }
}
