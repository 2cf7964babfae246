//! Groups of terms, as files have them and as they are prepared.

pub mod groups;
pub mod vocabulary;
pub mod vocabulary_file;
