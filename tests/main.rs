//! The integration tests, one binary.

mod properties;
mod rules;
