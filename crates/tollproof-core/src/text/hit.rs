//! A phrase found in a text.

/// The number of a set of phrases: one list, or the phrases written in one place of a rule.
pub(crate) type SetId = u16;

/// A phrase found in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The set that contains the phrase.
    pub(crate) set: SetId,
    /// Index of its first word.
    pub(crate) first: usize,
    /// Index of its last word.
    pub(crate) last: usize,
    /// Whether the phrase itself contains a required negation. Not determined for phrases of one or two words.
    pub(crate) negative: bool,
}
