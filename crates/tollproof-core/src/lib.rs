//! Reads drafts of toll-free verification submissions and says what is wrong with them.

pub mod config;
pub mod document;
pub mod facts;
pub mod finding;
pub mod input;
pub mod kind;
pub mod linter;
pub mod nearest;
pub(crate) mod position;
pub mod report;
pub mod rule;
pub mod schema;
pub mod source;
pub mod strict;
