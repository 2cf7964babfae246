//! The content of a text: its words, the terms and phrases in them, its sentences, and what they assert or
//! deny.

pub(crate) mod asked;
pub(crate) mod phrases;
pub(crate) mod terms;
pub(crate) mod words;
