//! The integration tests, one binary.

mod changed;
mod cli;
mod explain;
mod fixes;
mod fixing;
mod generated;
mod history;
#[cfg(target_os = "linux")]
mod hostile;
mod house;
mod man;
mod mending;
mod messages;
mod properties;
mod rules;
mod safe_fixes;
mod support;
mod watching;
