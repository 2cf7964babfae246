//! The integration tests, one binary.

mod baseline;
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
mod ignores;
mod init;
mod man;
mod mending;
mod messages;
mod new;
mod outputs;
mod persons;
#[cfg(unix)]
mod pipelines;
mod printable;
mod properties;
mod redact;
mod reports;
mod rules;
mod safe_fixes;
mod secrets;
mod support;
mod watching;
