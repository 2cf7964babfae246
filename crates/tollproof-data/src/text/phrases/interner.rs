//! The phrases of a rule: strings in its file, and numbers of lexicon sets after preparation.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::phrases::lexicon_builder::{Builder, Meaning, PhraseTexts};
use crate::text::phrases::vocabulary_check::{self, VocabularyError};
use crate::text::table::number_set::NumberSet;
use crate::text::terms::groups::Groups;
use crate::text::terms::vocabulary::{COMPUTED, Vocabulary};
use crate::text::terms::vocabulary_file::VocabularyFile;
use crate::text::words::hit::SetId;
use crate::text::words::tokenize::{BOX, TICKED_BOX, URL};

/// Phrases and names of phrase lists (`@free-mail`); a match of any of them counts.
///
/// Read from YAML as a list of strings; prepared rules contain only the set numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrases {
    pub texts: Vec<String>,
    pub sets: NumberSet,
}

impl Phrases {
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.sets.is_empty()
    }

    /// Whether a lexicon set is one of these.
    pub fn has(&self, set: SetId) -> bool {
        self.sets.has(set)
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
            Ok(Self { texts: Vec::deserialize(deserializer)?, sets: NumberSet::default() })
        } else {
            Ok(Self { texts: Vec::new(), sets: NumberSet::deserialize(deserializer)? })
        }
    }
}

/// Assigns set numbers to phrases while rules are prepared; a list has the same number in all rules.
#[derive(Debug, Default)]
pub struct Interner<'l> {
    lists: BTreeMap<&'l str, &'l str>,
    known: BTreeMap<String, SetId>,
    vocabulary: Vocabulary<'static>,
    builder: Builder,
    /// Whether each term has a set of its own.
    splits_groups: bool,
}

/// The phrases of prepared rules.
#[derive(Debug)]
pub struct Interned {
    pub phrases: PhraseTexts,
    /// The sets of the lists by name.
    pub lists: BTreeMap<String, SetId>,
    /// The groups, those from before included.
    pub vocabulary: Vocabulary<'static>,
    /// The next free set number.
    pub next_set: SetId,
}

impl<'l> Interner<'l> {
    /// An interner for the texts of the built-in lists, without groups.
    pub fn new(lists: impl IntoIterator<Item = (&'l str, &'l str)>) -> Self {
        Self::beside(lists, Vocabulary::computed(), COMPUTED.len() as SetId)
    }

    /// An interner that knows the groups of a vocabulary and numbers its sets from `first`.
    pub fn beside(
        lists: impl IntoIterator<Item = (&'l str, &'l str)>,
        vocabulary: Vocabulary<'static>,
        first: SetId,
    ) -> Self {
        let (lists, known) = (lists.into_iter().collect(), BTreeMap::new());
        Self { lists, known, vocabulary, builder: Builder::starting_at(first), splits_groups: false }
    }

    /// An interner that gives each term of the vocabulary a set of its own, so that a test can leave out one of them.
    pub fn splitting_groups(lists: impl IntoIterator<Item = (&'l str, &'l str)>) -> Self {
        Self { splits_groups: true, ..Self::new(lists) }
    }

    /// Adds the groups of files. Terms may name groups of any of them; a group that exists already gets more terms.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the files.
    pub fn add_vocabulary(&mut self, files: &[(String, VocabularyFile)]) -> Result<(), Vec<VocabularyError>> {
        let mut errors = vocabulary_check::groups(files, &self.vocabulary)?;
        let before = self.vocabulary.group_count();
        let groups = files.iter().flat_map(|(_, file)| &file.0);
        for (name, group) in groups.filter(|(name, _)| vocabulary_check::is_name(name)) {
            if let Some(title) = &group.title {
                self.vocabulary.entitle(name, title);
            }
            for list in group.lists() {
                let id = self.vocabulary.add(&list.group(name));
                if group.excuses {
                    self.vocabulary.let_excuse(id);
                }
            }
        }
        errors.extend(vocabulary_check::terms(files, &self.vocabulary));
        if errors.is_empty() {
            errors = vocabulary_check::circles(files);
        }
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.file);
            return Err(errors);
        }
        for (at, (_, file)) in files.iter().enumerate() {
            for (name, group) in &file.0 {
                for list in group.lists() {
                    let id = self.vocabulary.add(&list.group(name));
                    if let Some(language) = Vocabulary::told_by(name) {
                        self.vocabulary.tell(language, list.terms.iter().map(String::as_str));
                        continue;
                    }
                    let meaning = Meaning { group: Some(id), language: list.language };
                    let size = if self.splits_groups { 1 } else { list.terms.len() };
                    for terms in list.terms.chunks(size) {
                        let terms = terms.iter().map(String::as_str);
                        let set =
                            self.builder.add_terms(meaning, terms, &self.vocabulary).map_err(|message| {
                                vec![VocabularyError::new(at, name, &list.pointer(), message)]
                            })?;
                        let is_older = usize::from(id) < before;
                        let known = is_older.then(|| self.vocabulary.sets(id).next()).flatten();
                        if let Some(known) = known {
                            self.vocabulary.extend(known, set);
                        }
                        self.vocabulary.bind(set, id, list.language);
                    }
                }
            }
        }
        Ok(())
    }

    /// The terms of added files that add nothing to their group.
    pub fn covered_terms(&self, files: &[(String, VocabularyFile)]) -> Vec<VocabularyError> {
        vocabulary_check::covered(files, &self.vocabulary)
    }

    /// Finds the numbers of groups.
    pub fn intern_groups(&self, groups: &mut Groups) -> Result<(), String> {
        let known = groups.names.iter().map(|name| self.vocabulary.known_groups(name));
        groups.ids = known.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        Ok(())
    }

    /// Assigns sets to the phrases of one place in a rule. A phrase that is only the name of a group has the sets of
    /// its terms.
    pub fn intern(&mut self, phrases: &mut Phrases) -> Result<(), String> {
        let mut sets: Vec<SetId> = Vec::new();
        let mut own: Vec<&str> = Vec::new();
        let mut named = BTreeSet::new();
        for text in &phrases.texts {
            if let Some(name) = text.strip_prefix('@') {
                sets.push(self.list(name)?);
            } else if let Some(name) = group_name(text) {
                let groups = self.vocabulary.known_groups(name)?;
                for group in groups.into_iter().filter(|group| named.insert(*group)) {
                    sets.extend(self.vocabulary.sets(group));
                }
            } else {
                own.push(text);
            }
        }
        if !own.is_empty() {
            sets.push(self.builder.add(own, &self.vocabulary)?);
        }
        phrases.sets = sets.into_iter().collect();
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
        let set = self.builder.add(list_lines(text), &self.vocabulary);
        let set = set.map_err(|error| format!("list `{name}`: {error}"))?;
        self.known.insert(name.to_owned(), set);
        Ok(set)
    }

    pub fn finish(self) -> Interned {
        let next_set = self.builder.next_set();
        Interned { phrases: self.builder.finish(), lists: self.known, vocabulary: self.vocabulary, next_set }
    }
}

/// The name in a phrase that is only the name of a group: `<consent>`.
fn group_name(phrase: &str) -> Option<&str> {
    let name = phrase.trim().strip_prefix('<')?.strip_suffix('>')?;
    (!name.contains(['<', ' ']) && ![URL, BOX, TICKED_BOX].contains(&phrase.trim())).then_some(name)
}

/// The entries of a list: trimmed lines, without comments and empty lines.
pub fn list_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The title in the header of a list: `# title: gambling`.
pub fn list_title(text: &str) -> Option<&str> {
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
