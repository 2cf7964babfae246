//! The one place that runs rules, levels and sorts what they find.

use serde::Serialize;
use serde_json::Value;

use crate::config::Config;
use crate::facts::Facts;
use crate::input::Format;
use crate::kind::{Kind, Telling};
use crate::report::Report;
use crate::source::Source;
use crate::strict::StrictError;

/// Rules, settings and facts, ready to judge any number of texts.
#[derive(Debug)]
pub struct Linter {
    config: Config,
    facts: Facts,
}

/// How to read the documents of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The notation.
    pub format: Format,
    /// The kind of every document, where it is known; else it is told from the keys.
    pub kind: Option<Kind>,
    /// Whether the text was named or met on a walk.
    pub telling: Telling,
}

impl Linter {
    /// All built-in rules at their own levels.
    pub fn builtin() -> Result<Self, Box<StrictError>> {
        Ok(Self { config: Config::default(), facts: Facts::default() })
    }

    /// Adds rules of the user's own: pairs of an id (`group/name`) and a rule file's name and text.
    pub fn with_rules(self, files: &[UserRule]) -> Result<Self, Vec<StrictError>> {
        let _ = files;
        Ok(self)
    }

    /// Applies settings; call it after [`Linter::with_rules`].
    pub fn with_config(self, config: Config) -> Result<Self, UnknownRule> {
        Ok(Self { config, ..self })
    }

    /// Hands in what is known beyond the documents.
    #[must_use]
    pub fn with_facts(self, facts: Facts) -> Self {
        Self { facts, ..self }
    }

    /// Checks one text.
    #[must_use]
    pub fn check_source(&self, source: &Source<'_>, reading: Reading) -> Report {
        let _ = (source, reading);
        Report::default()
    }

    /// Checks JSON text: one document or a list.
    #[must_use]
    pub fn check_json(&self, text: &str) -> Report {
        let reading = Reading { format: Format::Json, kind: None, telling: Telling::Named };
        self.check_source(&Source::new("draft", text), reading)
    }

    /// Checks a JSON value; findings have pointers and no spans.
    #[must_use]
    pub fn check_value(&self, value: &Value) -> Report {
        let _ = value;
        Report::default()
    }

    /// Checks anything that serializes to the interface's JSON; findings have pointers and no spans.
    pub fn check(&self, draft: &impl Serialize) -> Result<Report, serde_json::Error> {
        Ok(self.check_value(&serde_json::to_value(draft)?))
    }
}

/// A rule file of the user's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserRule {
    /// The rule's id, `group/name`: its path below the rules folder without the ending.
    pub id: String,
    /// The file's name, for errors.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// A name in `select` or `ignore` that is neither a rule nor a group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is neither a rule nor a group of rules{}", crate::nearest::did_you_mean(nearest.as_deref()))]
pub struct UnknownRule {
    /// What was asked for.
    pub name: String,
    /// The rule or group that was probably meant.
    pub nearest: Option<String>,
}
