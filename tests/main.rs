//! The integration tests, one binary.

mod advice;
mod baseline;
mod changed;
mod cli;
mod completions;
mod cut_values;
mod deepest;
mod explain;
mod fixes;
mod fixing;
mod folders;
mod generated;
mod history;
#[cfg(target_os = "linux")]
mod hostile;
mod house;
mod ignores;
mod init;
mod limits;
mod locked;
mod lost_zeros;
mod man;
mod mending;
mod messages;
mod new;
mod new_errors;
mod outputs;
mod own_rules;
mod persons;
#[cfg(unix)]
mod pipelines;
mod printable;
mod properties;
mod quotes;
mod redact;
mod reports;
mod rules;
mod safe_fixes;
mod secrets;
mod support;
mod syntax;
mod watching;
