//! The settings of a user as plain data.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::finding::Severity;
use crate::provider::kind::Provider;

/// The rules that run, their levels, and what they need to know about the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The brand of the testing use case, `<vendor> Testing`; if `None`, every `… Testing` is reported.
    pub vendor: Option<String>,
    /// The provider by whose schema and lists all drafts are judged, whatever provider they are for.
    pub judged_by: Option<Provider>,
    /// Rules or groups that replace the default set; empty keeps it. Naming a rule that is off by default turns it on.
    pub select: Vec<String>,
    /// Rules or groups that are removed from the set.
    pub ignore: Vec<String>,
    /// Levels of rules or groups; the level of a rule takes precedence over that of its group. An entry turns on
    /// a rule that is off by default only if it names the rule itself, not its group.
    pub levels: Vec<(String, Level)>,
    /// Findings to ignore.
    pub ignores: Vec<Ignore>,
    /// Whether to disable ignores: entries of `ignores` and ignore comments have no effect, and are not reported
    /// either.
    pub no_ignores: bool,
    /// Rules or groups whose findings cannot be ignored.
    pub locked: Vec<String>,
}

/// The level that a user sets for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The rule does not run.
    Off,
    /// An info.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Level {
    /// The severity; `None` if the rule is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Info => Some(Severity::Info),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.severity().map_or("off", Severity::name))
    }
}

/// Findings to ignore, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The rule or group.
    pub rule: String,
    /// The value and everything in it, as an RFC 6901 pointer into the document; `None` is every value.
    pub pointer: Option<String>,
    /// The reason they are ignored.
    pub reason: String,
    /// The last day on which the entry applies, in UTC.
    pub until: Option<Date>,
}

/// Parameters of a rule's check that replace those in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The rule.
    pub rule: String,
    /// Values by parameter name, as in the rule file; `min-chars` and `min_chars` are the same name.
    pub with: serde_json::Map<String, serde_json::Value>,
    /// Items to add to list parameters.
    pub add: serde_json::Map<String, serde_json::Value>,
}

/// Parameters that do not fit their rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParameterError {
    /// The rule.
    pub rule: String,
    /// A pointer into [`Parameters`], such as `/with/min-chars`; empty if `rule` is wrong.
    pub pointer: String,
    /// The problem.
    pub message: String,
    /// The text to write instead.
    pub help: Option<Cow<'static, str>>,
}
