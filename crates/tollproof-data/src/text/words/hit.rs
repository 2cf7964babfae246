//! Phrases and terms found in a text.

use std::ops::Range;

/// The number of a set of phrases: one list, the phrases written in one place of a rule, or the terms of a group in one
/// language.
pub type SetId = u16;

/// The number of a group of the vocabulary.
pub type GroupId = u16;

/// A phrase or term found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The set that contains the phrase.
    pub set: SetId,
    /// The group that contains the term; `None` for other phrases.
    pub group: Option<GroupId>,
    /// Index of its first word.
    pub first: usize,
    /// Index of its last word.
    pub last: usize,
    /// Whether the phrase itself contains a required negation. Not determined for phrases of one or two words.
    pub negative: bool,
}

impl Hit {
    /// Whether two hits share their first or last words. A term with a gap may have others inside it.
    pub fn shares_end(&self, other: &Self) -> bool {
        let ends = [other.first, other.last];
        ends.contains(&self.first) || ends.contains(&self.last)
    }

    /// Whether two hits share a word.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}

/// Some of the hits in a text, sorted by their first words.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    hits: Vec<Hit>,
    /// For each hit, the last word of it and of those before.
    ends: Vec<usize>,
}

impl Hits {
    /// Selects the hits whose sets satisfy `counts`; `all` must be sorted.
    pub fn of(all: &[Hit], counts: impl Fn(SetId) -> bool) -> Self {
        let hits: Vec<Hit> = all.iter().filter(|hit| counts(hit.set)).copied().collect();
        let latest = |end: &mut usize, hit: &Hit| {
            *end = hit.last.max(*end);
            Some(*end)
        };
        let ends = hits.iter().scan(0, latest).collect();
        Self { hits, ends }
    }

    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }

    /// Whether one of the hits shares a word with another phrase.
    pub fn overlap(&self, other: &Hit) -> bool {
        let begun = self.hits.partition_point(|hit| hit.first <= other.last);
        begun > 0 && self.ends[begun - 1] >= other.first
    }

    /// The hits whose first word is in a range of words.
    pub fn begin_in(&self, words: Range<usize>) -> &[Hit] {
        let before = |word: usize| self.hits.partition_point(|hit| hit.first < word);
        &self.hits[before(words.start)..before(words.end)]
    }
}
