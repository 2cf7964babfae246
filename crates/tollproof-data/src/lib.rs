//! Parts shared by tollproof-core and its build script: the formats of rules, vocabulary, providers and codes, and how
//! they are prepared to run.
//!
//! This crate is a part of tollproof-core and has no stable interface of its own. What others may use, the core exports.

// The core documents what it exports.
#![allow(missing_docs)]

pub mod checks;
pub mod code_file;
pub mod code_table;
pub mod encoded;
pub mod fingerprint;
pub mod language;
pub mod pointer;
pub mod prepare;
mod prepare_columns;
pub mod prepared;
pub mod provider;
pub mod public_suffixes;
pub mod rule;
pub mod seen;
pub mod severity;
pub mod suggest;
pub mod syntax_error;
pub mod tables;
pub mod text;
