//! The integration tests, one binary.

mod cli;
mod generated;
mod house;
mod properties;
mod rules;
