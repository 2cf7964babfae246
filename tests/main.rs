//! The integration tests, one binary.

mod cli;
mod generated;
mod properties;
mod rules;
