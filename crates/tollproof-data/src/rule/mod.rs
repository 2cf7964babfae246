//! A rule file, and which rules can find something in a text.

pub mod error;
pub mod file;
mod one_or_many;
pub mod prefilter;
pub mod question;
