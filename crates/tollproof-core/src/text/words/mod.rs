//! The words and sentences of a text, and where it names the business.

pub(crate) mod own_name;
pub(crate) mod split_text;
