//! The words by which pages are read, from `words.yaml`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

/// The file.
const FILE: &str = include_str!("words.yaml");

/// Words in a text, each as a whole.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WordGroup")]
pub(super) struct TermPattern(Regex);

/// Parts of an address or of HTML.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "WordGroup")]
pub(super) struct PartList(Vec<String>);

/// A group as the file has it: a page may be in any language, so the terms of all languages count.
#[derive(Debug, Deserialize)]
struct WordGroup {
    #[serde(rename = "means")]
    _means: String,
    #[serde(flatten)]
    by_language: BTreeMap<String, Vec<String>>,
}

/// The groups by their names in the file, which says what they mean.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct PageWords {
    pub(super) phone_fields: TermPattern,
    pub(super) other_fields: TermPattern,
    pub(super) decoy_fields: TermPattern,
    pub(super) refusals: TermPattern,
    pub(super) agreements: TermPattern,
    pub(super) required_marks: TermPattern,
    pub(super) required_notes: TermPattern,
    pub(super) required_classes: PartList,
    pub(super) messaging: TermPattern,
    pub(super) sharing: TermPattern,
    pub(super) privacy_paths: TermPattern,
    pub(super) privacy_texts: TermPattern,
    pub(super) privacy_names: TermPattern,
    pub(super) terms_paths: TermPattern,
    pub(super) terms_texts: TermPattern,
    pub(super) terms_names: TermPattern,
    pub(super) tool_hosts: PartList,
    pub(super) parked: TermPattern,
    pub(super) for_sale: TermPattern,
    pub(super) domain: TermPattern,
    pub(super) offer: TermPattern,
    pub(super) placeholder: TermPattern,
    pub(super) bare: PartList,
    pub(super) under_construction: TermPattern,
    pub(super) soon: TermPattern,
    pub(super) parked_hosts: PartList,
    pub(super) log_in: TermPattern,
    pub(super) log_in_hosts: PartList,
    pub(super) walls: TermPattern,
    pub(super) wall_marks: PartList,
    pub(super) needs_scripts: TermPattern,
    pub(super) script_roots: PartList,
    pub(super) form_hosts: PartList,
    pub(super) other_frames: PartList,
    pub(super) rights: TermPattern,
    pub(super) business_types: TermPattern,
}

/// The words.
pub(super) fn words() -> &'static PageWords {
    static WORDS: OnceLock<PageWords> = OnceLock::new();
    WORDS.get_or_init(|| serde_yaml::from_str(FILE).expect("the file is tested"))
}

/// A text in lower case and without accents, as terms are compared.
pub(super) fn folded(text: &str) -> String {
    let plain = |it: char| match it {
        'à' | 'á' | 'â' | 'ã' | 'ä' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        '\u{2019}' | '\u{2018}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '\u{a0}' => ' ',
        other => other,
    };
    text.chars().flat_map(char::to_lowercase).map(plain).collect()
}

impl TermPattern {
    /// Whether one of the terms is in a folded text.
    pub(super) fn are_in(&self, folded: &str) -> bool {
        self.0.is_match(folded)
    }

    /// Finds the start of the first in a folded text.
    pub(super) fn find(&self, folded: &str) -> Option<usize> {
        self.0.find(folded).map(|it| it.start())
    }

    /// Counts the matches.
    pub(super) fn count(&self, folded: &str) -> usize {
        self.0.find_iter(folded).count()
    }
}

impl WordGroup {
    fn terms(self) -> impl Iterator<Item = String> {
        self.by_language.into_values().flatten()
    }
}

impl From<WordGroup> for PartList {
    fn from(group: WordGroup) -> Self {
        Self(group.terms().collect())
    }
}

impl TryFrom<WordGroup> for TermPattern {
    type Error = regex::Error;

    fn try_from(group: WordGroup) -> Result<Self, regex::Error> {
        let patterns: Vec<String> = group.terms().map(|term| pattern(&term)).collect();
        Regex::new(&patterns.join("|")).map(Self)
    }
}

/// The pattern of a term.
fn pattern(term: &str) -> String {
    let term = folded(term);
    let (core, ends_open) = term.strip_suffix('*').map_or((&*term, false), |it| (it, true));
    let (core, begins_open) = core.strip_prefix('*').map_or((core, false), |it| (it, true));
    let is_word = |character: Option<char>| character.is_some_and(|letter| letter.is_ascii_alphanumeric());
    let mut pattern = String::from("(?-u:");
    if !begins_open && is_word(core.chars().next()) {
        pattern.push_str(r"\b");
    }
    let words: Vec<String> = core.split(' ').map(regex::escape).collect();
    pattern.push_str(&words.join(r"\s+"));
    if ends_open {
        pattern.push_str(r"\w*");
    } else if is_word(core.chars().last()) {
        pattern.push_str(r"\b");
    }
    pattern.push(')');
    pattern
}

impl PartList {
    /// Whether one of the parts is in a text in lower case.
    pub(super) fn are_in(&self, text: &str) -> bool {
        self.0.iter().any(|word| text.contains(word.as_str()))
    }

    /// Whether one of the parts is the text.
    pub(super) fn have(&self, text: &str) -> bool {
        self.0.iter().any(|it| it == text)
    }

    /// Whether a host is one of the parts, or below one.
    pub(super) fn have_host(&self, host: &str) -> bool {
        self.0.iter().any(|domain| {
            host.strip_suffix(domain.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_are_those_of_a_vocabulary() {
        let file: tollproof_core::VocabularyFile =
            serde_yaml::from_str(FILE).expect("its languages are known");
        assert!(file.0.values().all(|group| group.means.is_some() && !group.lists().is_empty()));
    }

    #[test]
    fn terms_are_whole_words_in_any_case() {
        let words = words();
        for text in [
            "Reply STOP to end",
            "Reply  stop",
            "msg & data rates",
            "Mensajes de texto",
            "Répondez STOP",
            "Repondez stop",
        ] {
            assert!(words.messaging.are_in(&folded(text)), "{text}");
        }
        for text in ["the context", "a textbook", "option"] {
            assert!(!words.messaging.are_in(&folded(text)), "{text}");
        }
        assert!(words.business_types.are_in("localbusiness") && !words.business_types.are_in("webpage"));
        assert!(words.parked_hosts.have_host("www.sedo.com") && !words.parked_hosts.have_host("notsedo.com"));
    }
}
