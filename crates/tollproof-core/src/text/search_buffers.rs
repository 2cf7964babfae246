//! Memory that the search for terms uses again from text to text.

use super::hit::{GroupId, Hit};
use super::known_sentence::SentenceKey;
use super::matcher::MatcherBuffers;

/// What is only needed while a text is read.
#[derive(Debug, Default)]
pub(super) struct SearchBuffers {
    /// For each lexicon.
    pub(super) matchers: Vec<MatcherBuffers>,
    /// The phrases with groups in a sentence.
    pub(super) composites: Vec<Hit>,
    /// The words in a sentence that are terms by themselves, with their groups.
    pub(super) tokens: Vec<(usize, GroupId)>,
    /// What terms and phrases in a sentence depend on.
    pub(super) key: SentenceKey,
}
