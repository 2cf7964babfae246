//! A text read once: the terms and phrases of all rules in it, sentence by sentence.

pub(crate) mod bit_rows;
pub(crate) mod found_terms;
pub(crate) mod search;
pub(crate) mod text_rules;
pub(crate) mod text_terms;
