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
#[cfg(unix)]
mod pipelines;
mod properties;
mod rules;
mod safe_fixes;
mod support;
