//! The integration tests, one binary.

#[cfg(target_os = "linux")]
mod adversarial;
mod advice;
mod architecture;
#[cfg(unix)]
mod ask;
#[cfg(all(target_os = "linux", feature = "online", feature = "sandbox"))]
mod attack;
mod baseline;
mod changed;
mod cli;
mod completions;
mod conversions;
mod cut_values;
mod deepest;
mod doctor;
mod eval;
mod explain;
mod fix;
mod folders;
mod forms;
mod generated;
mod history;
mod house_schema;
mod ignores;
mod init;
mod limits;
mod locked;
#[cfg(feature = "online")]
mod look;
mod lost_zeros;
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod meaning;
mod messages;
mod new;
#[cfg(all(target_os = "linux", feature = "online"))]
mod offline;
#[cfg(all(feature = "online", feature = "sandbox"))]
mod online;
mod opt_in;
mod outputs;
#[cfg(feature = "workbooks")]
mod own_names;
mod own_provider;
mod own_rules;
mod page;
mod payload_shapes;
mod persons;
#[cfg(unix)]
mod pipelines;
mod preview;
mod printable;
#[cfg(unix)]
mod progress;
mod properties;
mod provider_files;
mod quotes;
#[cfg(feature = "online")]
mod read;
mod redact;
mod reports;
#[cfg(all(unix, feature = "online", feature = "sandbox"))]
mod repositories;
mod rules;
#[cfg(feature = "sandbox")]
mod sandbox;
mod secrets;
mod seen;
#[cfg(feature = "workbooks")]
mod sent_reports;
mod streams;
mod support;
mod syntax;
#[cfg(feature = "workbooks")]
mod tables;
mod vocabulary;
#[cfg(feature = "sandbox")]
mod walk;
mod watch;
#[cfg(feature = "workbooks")]
mod workbooks;
