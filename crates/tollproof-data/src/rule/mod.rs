//! A rule file, and which rules can find something in a text.

pub mod file;
pub mod prefilter;
