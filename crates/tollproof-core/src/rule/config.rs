//! What a user may set, as plain data.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::finding::Severity;

/// Which rules run, how much they weigh, and what they need to know of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The brand in the testing use case, `<vendor> Testing`; none refuses every `… Testing`.
    pub vendor: Option<String>,
    /// Rules or groups that replace the default set; empty keeps it. Naming a rule that is off by default turns it on.
    pub select: Vec<String>,
    /// Rules or groups that are taken away from the set.
    pub ignore: Vec<String>,
    /// How much rules or groups weigh; that of a rule counts more than that of its group. A rule that is off by default
    /// is turned on by its own name alone.
    pub levels: Vec<(String, Level)>,
    /// Findings that do not count.
    pub ignores: Vec<Ignore>,
    /// Whether nothing is ignored: neither `ignores` nor comments in YAML count, and nothing is said of them.
    pub no_ignores: bool,
    /// Rules or groups whose findings count whatever `ignores` and comments say.
    pub locked: Vec<String>,
}

/// How much a rule weighs by a user's will.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It does not run.
    Off,
    /// An info.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Level {
    /// The severity; none where the rule is off.
    #[must_use]
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

/// Findings that do not count, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignore {
    /// The rule or group.
    pub rule: String,
    /// The value, as an RFC 6901 pointer into its document, and all that is in it; none stands for every value.
    pub pointer: Option<String>,
    /// Why they do not count.
    pub reason: String,
    /// The last day on which it holds, in UTC.
    pub until: Option<Date>,
}

/// Parameters of a rule's check that take the place of those in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// The rule.
    pub rule: String,
    /// Values by the names of parameters, as in the rule's file; `min-chars` and `min_chars` are one name.
    pub with: serde_json::Map<String, serde_json::Value>,
    /// Items to be added to the lists of parameters.
    pub add: serde_json::Map<String, serde_json::Value>,
}

/// Parameters that do not fit their rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParameterError {
    /// The rule.
    pub rule: String,
    /// Which of [`Parameters`] is wrong, and below it the name: `/with/min-chars`; empty where the rule is.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<Cow<'static, str>>,
}
