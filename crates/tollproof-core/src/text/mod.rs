//! Text analysis: words, the phrases in them, and whether a clause asserts or negates a phrase.

pub(crate) mod business_name;
mod hit;
pub(crate) mod lexicon;
pub(crate) mod phrase;
pub(crate) mod phrases;
pub(crate) mod polarity;
pub(crate) mod scan;
pub(crate) mod tokenize;
