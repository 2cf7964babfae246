//! The content of a text, as its search finds it.

use tollproof_data::text::words::language::Languages;

use crate::text::terms::found_terms::FoundTerms;
use crate::text::words::split_text::SplitText;

/// The content of a text: its words and sentences, and the terms and phrases in them.
#[derive(Debug, Default)]
pub(crate) struct TextTerms {
    pub(crate) split: SplitText,
    /// The languages of each sentence, and then those of the text.
    pub(crate) languages: Vec<Languages>,
    pub(crate) found: FoundTerms,
    /// Whether all phrases were searched for.
    pub(crate) is_complete: bool,
}
