//! Words of a text, and phrases looked up among them.

pub(crate) mod clause;
pub(crate) mod fold;
pub(crate) mod lexicon;
pub(crate) mod phrase;
