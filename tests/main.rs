//! The integration tests, one binary.

mod cli;
mod explain;
mod fixes;
mod generated;
mod history;
#[cfg(target_os = "linux")]
mod hostile;
mod house;
mod messages;
mod outputs;
mod properties;
mod redact;
mod rules;
mod safe_fixes;
mod support;
