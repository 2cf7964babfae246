//! Words of a text, by the words of its language, and what they deny.

pub mod hit;
pub mod invisible;
pub mod language;
pub mod polarity;
pub mod tokenize;
pub mod word;
