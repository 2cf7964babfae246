//! The severity of a finding, and the codes of reviewers that a rule prevents.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The severity of a finding, in ascending order: an error is the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    #[default]
    Info,
    /// Often rejected, or up to the reviewer.
    Warning,
    /// The API refuses it, or reviewers reject it.
    Error,
}

impl Severity {
    /// All severities, in ascending order.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// `error`, `warning` or `info`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Severity {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|severity| severity.name() == name)
            .ok_or_else(|| format!("`{name}` is not a severity: use error, warning or info"))
    }
}

/// A reviewers' code for a rejection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Prevents {
    /// The provider: `twilio`, `bandwidth`, ...
    pub by: Cow<'static, str>,
    /// The code, as the provider writes it.
    pub code: Cow<'static, str>,
}
