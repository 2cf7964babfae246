//! What a text has, as its search finds it.

use super::found_terms::FoundTerms;
use super::prefilter::FoundPatterns;
use super::split_text::SplitText;
use super::vocabulary::Languages;

/// What a text has: its words and sentences, and the terms and phrases in them.
#[derive(Debug, Default)]
pub(super) struct TextTerms {
    pub(super) split: SplitText,
    /// The languages of each sentence, and then those of the text.
    pub(super) languages: Vec<Languages>,
    /// Behind the groups of the last sentence, it has those of the whole text.
    pub(super) found: FoundTerms,
    /// What checks need that is in the text.
    pub(super) patterns: FoundPatterns,
    /// The length of a bit set of groups.
    pub(super) width: usize,
    /// Whether all phrases were searched for.
    pub(super) is_complete: bool,
}
