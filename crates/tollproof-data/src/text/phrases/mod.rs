//! Phrases as they are written: read, checked, and put into the table.

pub mod covered_terms;
pub mod interner;
pub mod lexicon_builder;
pub mod phrase;
pub mod phrase_parts;
pub mod vocabulary_check;
