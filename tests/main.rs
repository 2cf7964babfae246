//! The integration tests, one binary.

mod cli;
mod generated;
mod hostile;
mod house;
mod properties;
mod rules;
mod support;
