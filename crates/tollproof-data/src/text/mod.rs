//! Words, phrases and the vocabulary, and the table of all phrases.

pub mod covered_terms;
pub mod groups;
pub mod hit;
pub mod invisible;
pub mod language;
pub mod lexicon;
pub mod lexicon_builder;
pub mod number_set;
pub mod phrase;
pub mod phrase_parts;
pub mod phrases;
pub mod polarity;
pub mod prefilter;
pub mod stored;
pub mod tokenize;
pub mod vocabulary;
pub mod vocabulary_check;
pub mod vocabulary_file;
pub mod words;
