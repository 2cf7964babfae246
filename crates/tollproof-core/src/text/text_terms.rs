//! What a text has, as its search finds it.

use tollproof_data::text::language::Languages;

use super::found_terms::FoundTerms;
use super::split_text::SplitText;

/// What a text has: its words and sentences, and the terms and phrases in them.
#[derive(Debug, Default)]
pub(super) struct TextTerms {
    pub(super) split: SplitText,
    /// The languages of each sentence, and then those of the text.
    pub(super) languages: Vec<Languages>,
    pub(super) found: FoundTerms,
    /// Whether all phrases were searched for.
    pub(super) is_complete: bool,
}
