//! What a text says: its words, the terms and phrases in them, its sentences, and what they assert or deny.

mod bit_rows;
pub(crate) mod business_name;
mod found_terms;
pub(crate) mod matcher;
pub(crate) mod own_name;
pub(crate) mod phrase_search;
pub(crate) mod reading;
pub(crate) mod scan;
mod search;
mod split_text;
pub(crate) mod term_entries;
pub(crate) mod text_rules;
mod text_terms;
mod word_ids;
pub(crate) mod work;
