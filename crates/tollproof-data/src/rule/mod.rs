//! A rule file, and what is wrong with one.

pub mod error;
pub mod file;
mod one_or_many;
pub mod question;
