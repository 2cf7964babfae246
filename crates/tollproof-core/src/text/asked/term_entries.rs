//! The entries of vocabulary files by which a text has its terms.

use std::collections::BTreeSet;

use serde::Serialize;
use tollproof_data::text::phrases::lexicon_builder::{Builder, Meaning};
use tollproof_data::text::table::lexicon::Lexicon;
use tollproof_data::text::terms::vocabulary::Vocabulary;
use tollproof_data::text::terms::vocabulary_file::VocabularyFile;
use tollproof_data::text::words::hit::SetId;

/// An entry of a vocabulary file that matches a term of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TermEntry {
    /// The name of the group that has the entry.
    pub group: String,
    /// The entry as it is written: `opt|opts|opted in`.
    #[serde(rename = "entry")]
    pub text: String,
    /// The file, such as `rules/vocabulary/consent.yaml`.
    pub file: String,
}

/// The entries of some groups, each as a set of phrases of its own.
#[derive(Debug, Default)]
pub(crate) struct TermEntries {
    /// The phrases, in a table for each group.
    pub(crate) lexicons: Vec<Lexicon<'static>>,
    first: SetId,
    entries: Vec<TermEntry>,
}

impl TermEntries {
    /// The entries of groups in files, which are names with texts; the sets are numbered from `first`.
    pub(crate) fn of(
        files: &[(String, &str)],
        groups: &BTreeSet<&str>,
        vocabulary: &Vocabulary<'_>,
        first: SetId,
    ) -> Self {
        let mut found = Self { first, ..Self::default() };
        let mut next = first;
        let names: BTreeSet<&str> = groups.iter().filter_map(|group| group.split('.').next()).collect();
        for (file, text) in files {
            for name in &names {
                let part = group_lines(text, name).and_then(|part| serde_yaml::from_str(&part).ok());
                let Some(VocabularyFile(mut part)) = part else { continue };
                let Some(group) = part.remove(*name) else { continue };
                let mut builder = Builder::starting_at(next);
                for list in group.lists() {
                    let group = list.group(name);
                    let id = vocabulary.groups(&group).first().copied();
                    let meaning = Meaning { group: id, language: list.language };
                    for term in list.terms.iter().filter(|_| groups.contains(&*group)) {
                        if builder.add_terms(meaning, [&**term], vocabulary).is_err() {
                            break;
                        }
                        let (group, text, file) = (group.clone(), term.clone(), file.clone());
                        found.entries.push(TermEntry { group, text, file });
                    }
                }
                next = builder.next_set();
                found.lexicons.push(builder.finish().build());
            }
        }
        found
    }

    /// The entry with a set.
    pub(crate) fn get(&self, set: SetId) -> Option<&TermEntry> {
        self.entries.get(usize::from(set.checked_sub(self.first)?))
    }
}

/// The lines of a group in a vocabulary file.
fn group_lines(text: &str, name: &str) -> Option<String> {
    let is_heading = |line: &&str| line.split_once(':').is_some_and(|(key, _)| key == name);
    let mut lines = text.lines().skip_while(|line| !is_heading(line));
    let mut part = lines.next()?.to_owned();
    for line in lines.take_while(|line| line.is_empty() || line.starts_with([' ', '#', '-'])) {
        part += "\n";
        part += line;
    }
    Some(part)
}
