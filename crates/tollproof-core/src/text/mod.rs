//! What a text says: its words, the phrases among them, and whether a clause asserts or denies them.

pub(crate) mod business_name;
pub(crate) mod lexicon;
pub(crate) mod phrase;
pub(crate) mod phrases;
pub(crate) mod polarity;
pub(crate) mod scan;
pub(crate) mod tokenize;
