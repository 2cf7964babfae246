//! What a text says: its words, the terms and phrases in them, its sentences, and what they assert or deny.

mod bit_rows;
pub(crate) mod business_name;
#[cfg(test)]
mod covered_terms;
mod entry;
mod found_terms;
pub(crate) mod groups;
pub(crate) mod hit;
pub(crate) mod invisible;
pub(crate) mod lexicon;
pub(crate) mod lexicon_builder;
pub(crate) mod matcher;
pub(crate) mod number_set;
mod occurring;
pub(crate) mod own_name;
pub(crate) mod phrase;
mod phrase_parts;
pub(crate) mod phrase_search;
pub(crate) mod phrases;
pub(crate) mod polarity;
pub(crate) mod prefilter;
pub(crate) mod prepared;
pub(crate) mod reading;
pub(crate) mod scan;
mod search;
mod split_text;
pub(crate) mod term_entries;
pub(crate) mod text_rules;
mod text_terms;
pub(crate) mod tokenize;
pub(crate) mod vocabulary;
pub(crate) mod vocabulary_check;
mod word_ids;
pub(crate) mod words;
pub(crate) mod work;
