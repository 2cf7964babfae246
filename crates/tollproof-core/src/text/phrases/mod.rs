//! The search for phrases in a sentence, by the numbers of its words.

pub(crate) mod matcher;
pub(crate) mod phrase_search;
pub(crate) mod word_ids;
pub(crate) mod work;
