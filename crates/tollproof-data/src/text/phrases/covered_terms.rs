//! Terms of a list that add nothing, because others of it match the same words.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::phrases::phrase_parts::{PhrasePart, PhrasePartKind, PhraseStart, WordClass, parts, starts};
use crate::text::words::hit::GroupId;
use crate::text::words::polarity;

/// A term that adds nothing.
#[derive(Debug, PartialEq, Eq)]
pub struct CoveredTerm {
    /// Its index.
    pub term: usize,
    /// The index of the term that matches the same words, or of the first one.
    pub by: usize,
}

/// The terms that add nothing. All are in normal form and in one language of a group. Of terms that cover each other, the
/// first one counts.
///
/// A term covers another one only if it matches exactly the same words wherever the other one does: how many words a match
/// has decides what is near it and what negates it.
pub fn covered_terms(terms: &[String]) -> Vec<CoveredTerm> {
    let parts: Vec<_> = terms.iter().map(|term| parts(term)).collect();
    let mut list = CoverSearch::default();
    let of_terms = terms.iter().zip(&parts).enumerate().map(|(term, (text, parts))| {
        let after = text.split_once(' ').map_or("", |(_, after)| after);
        let is_negative = polarity::asks_for_negation(after.as_bytes());
        starts(parts).into_iter().map(|start| TermStart { term, start, is_negative }).collect::<Vec<_>>()
    });
    let of_terms: Vec<_> = of_terms.collect();
    for start in of_terms.iter().flatten() {
        list.by_first.entry(start.start.first).or_default().push(*start);
    }
    // The last of two equal terms is removed first.
    let mut covered: Vec<_> = of_terms.iter().rev().filter_map(|starts| list.covered(starts)).collect();
    covered.reverse();
    covered
}

/// A way in which a term can begin.
#[derive(Clone, Copy, Debug)]
struct TermStart<'a, 'p> {
    term: usize,
    start: PhraseStart<'a, 'p>,
    is_negative: bool,
}

/// The terms of a list.
#[derive(Default)]
struct CoverSearch<'a, 'p> {
    by_first: BTreeMap<Result<WordClass<'p>, GroupId>, Vec<TermStart<'a, 'p>>>,
    /// Those that add nothing, so that none of them covers another one.
    removed: BTreeSet<usize>,
}

impl CoverSearch<'_, '_> {
    /// Finds the cover of a term that can begin in some ways.
    fn covered(&mut self, starts: &[TermStart<'_, '_>]) -> Option<CoveredTerm> {
        let by: Option<Vec<usize>> = starts.iter().map(|start| self.covering(start)).collect();
        let (term, by) = (starts.first()?.term, *by?.first()?);
        self.removed.insert(term);
        Some(CoveredTerm { term, by })
    }

    /// Another term that matches the same words as one that begins in a way.
    fn covering(&self, narrow: &TermStart<'_, '_>) -> Option<usize> {
        let classes = match narrow.start.first {
            Ok(word) => word.classes().map(Ok).collect(),
            Err(group) => vec![Err(group)],
        };
        let wide = classes.iter().filter_map(|first| self.by_first.get(first)).flatten();
        let mut wide = wide.filter(|wide| wide.term != narrow.term && !self.removed.contains(&wide.term));
        wide.find(|wide| wide.covers(narrow)).map(|wide| wide.term)
    }
}

impl TermStart<'_, '_> {
    /// Whether it matches the same words as another one, whose first word it has.
    fn covers(&self, narrow: &Self) -> bool {
        let has_second = match (self.start.second, narrow.start.second) {
            (Some(wide), Some(narrow)) => wide.has(narrow),
            (wide, narrow) => wide == narrow,
        };
        // One or two words have no negation of their own.
        let is_short = narrow.start.rest.is_empty();
        has_second
            && (is_short || self.is_negative == narrow.is_negative)
            && covers(self.start.rest, narrow.start.rest)
    }
}

/// Whether the elements of a phrase match the same words as others. Behind a gap, an optional word or a group, where a match
/// ends depends on all that follows, so that they must be equal from there.
fn covers(wide: &[PhrasePart<'_>], narrow: &[PhrasePart<'_>]) -> bool {
    let word = |part: &PhrasePart<'_>| !part.is_optional && matches!(part.kind, PhrasePartKind::AnyOf(_));
    match (wide.split_first(), narrow.split_first()) {
        (Some((first, wide)), Some((other, narrow))) if word(first) && word(other) => {
            let mut others = other.words();
            others.all(|other| first.words().any(|first| first.has(*other))) && covers(wide, narrow)
        }
        _ => wide == narrow,
    }
}

impl<'p> WordClass<'p> {
    /// All classes that contain its words and can be first in a phrase.
    fn classes(self) -> impl Iterator<Item = Self> {
        let letters = self.letters();
        let stems = (1..=letters.len()).filter_map(|end| letters.get(..end)).map(Self::Stem);
        [self, Self::Number].into_iter().chain(stems).filter(move |class| class.has(self))
    }

    /// Whether it contains all words of another class.
    fn has(self, other: Self) -> bool {
        let letters = other.letters();
        match self {
            Self::Stem(stem) => !matches!(other, Self::Ending(_)) && letters.starts_with(stem),
            Self::Number => {
                !matches!(other, Self::Ending(_)) && letters.starts_with(|it: char| it.is_ascii_digit())
                    || self == other
            }
            Self::Ending(ending) => match other {
                Self::Word(word) => word.len() > ending.len() && word.ends_with(ending),
                Self::Ending(other) => other.ends_with(ending),
                Self::Stem(_) | Self::Number => false,
            },
            Self::Word(_) => self == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::phrases::phrase;
    use crate::text::terms::vocabulary::Vocabulary;

    /// Lists redundant terms, and what covers them.
    fn covered(terms: &[&str]) -> Vec<String> {
        let vocabulary = Vocabulary::computed();
        let normal = |term: &&str| phrase::normalize(term, &vocabulary).expect("it is a phrase");
        let found = covered_terms(&terms.iter().map(normal).collect::<Vec<_>>());
        let shown = |it: &CoveredTerm| format!("{} < {}", terms[it.term], terms[it.by]);
        found.iter().map(shown).collect()
    }

    #[test]
    fn stems_and_families_cover_words() {
        assert_eq!(covered(&["concent*", "concent", "consnet"]), ["concent < concent*"]);
        assert_eq!(
            covered(&["opt|opts|opting in", "opting in", "opt ins"]),
            ["opting in < opt|opts|opting in"]
        );
        assert_eq!(covered(&["okay", "okay", "ok"]), ["okay < okay"]);
        assert_eq!(covered(&["say yes", "says yes", "say|says yes"]), ["say|says yes < say yes"]);
        assert_eq!(covered(&["do not", "don't"]), ["don't < do not"]);
        assert_eq!(covered(&["by *ing", "by signing", "by ing"]), ["by signing < by *ing"]);
        assert_eq!(covered(&["red flag|line", "red tape", "red tape|line"]), ["red tape|line < red tape"]);
        assert_eq!(covered(&["up to # texts", "up to 5 texts"]), ["up to 5 texts < up to # texts"]);
    }

    #[test]
    fn a_term_with_other_words_adds_something() {
        assert_eq!(covered(&["subscri*", "subscription to"]), Vec::<String>::new(), "the match is longer");
        assert_eq!(
            covered(&["yes ... texts|alerts", "yes ... texts"]),
            Vec::<String>::new(),
            "or ends elsewhere"
        );
        assert_eq!(
            covered(&["text our? list", "text list", "text our list"]),
            ["text list < text our? list", "text our list < text our? list"],
            "each is one of its two ways"
        );
        assert_eq!(covered(&["sign up now? here", "sign up here"]), Vec::<String>::new());
        assert_eq!(
            covered(&["we will not|soon call", "we will soon call"]),
            Vec::<String>::new(),
            "one denies"
        );
    }
}
