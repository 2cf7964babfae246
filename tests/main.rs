//! The integration tests, one binary.

mod cli;
mod fixes;
mod generated;
#[cfg(target_os = "linux")]
mod hostile;
mod house;
mod properties;
mod rules;
mod support;
