//! A phrase or term found in a text.

/// The number of a set of phrases: one list, the phrases written in one place of a rule, or the terms of a group in one
/// language.
pub(crate) type SetId = u16;

/// The number of a group of the vocabulary.
pub(crate) type GroupId = u16;

/// A phrase or term found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The set that contains the phrase.
    pub(crate) set: SetId,
    /// The group that contains the term; `None` for other phrases.
    pub(crate) group: Option<GroupId>,
    /// Index of its first word.
    pub(crate) first: usize,
    /// Index of its last word.
    pub(crate) last: usize,
    /// Whether the phrase itself contains a required negation. Not determined for phrases of one or two words.
    pub(crate) negative: bool,
}

impl Hit {
    /// Whether two hits share a word.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }
}
