//! The integration tests, one binary.

mod cli;
mod properties;
mod rules;
