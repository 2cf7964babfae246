//! The data for reading texts.

use tollproof_data::text::table::lexicon::Lexicon;
use tollproof_data::text::terms::vocabulary::Vocabulary;

/// The phrases of a set of rules, and the groups that have them as terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRules<'r> {
    /// The built-in lexicon first, then those of users.
    pub(crate) lexicons: &'r [Lexicon<'r>],
    pub(crate) vocabulary: &'r Vocabulary<'r>,
}
