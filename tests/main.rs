//! The integration tests, one binary.

mod cli;
#[cfg(target_os = "linux")]
mod hostile;
mod properties;
mod rules;
mod support;
