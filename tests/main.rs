//! The integration tests, one binary.

mod cli;
mod fixes;
mod properties;
mod rules;
