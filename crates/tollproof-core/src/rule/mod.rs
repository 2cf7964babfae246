//! Rules: rule files, users' rules, and the settings that select rules and change their parameters.

pub(crate) mod builtin;
pub(crate) mod config;
pub(crate) mod errors;
pub(crate) mod parameters;
pub(crate) mod selection;
pub(crate) mod target;
mod user_rule;
pub(crate) mod user_rules;
pub(crate) mod validate;

pub use tollproof_data::rule::file::*;
