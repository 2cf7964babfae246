//! Rules: a rule file, strictly decoded; those of users; which rules run, with which parameters.

pub(crate) mod builtin;
pub(crate) mod check;
pub(crate) mod condition;
pub(crate) mod config;
pub mod errors;
pub(crate) mod file;
pub(crate) mod parameters;
pub(crate) mod selection;
pub(crate) mod texts;
pub(crate) mod user_rules;
pub(crate) mod validate;
pub(crate) mod wordlists;

pub use self::file::*;
