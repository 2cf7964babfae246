//! What system rules report: each is bound to one built-in rule, and a user's rule cannot use it.

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use crate::provider::schema::violation::Violation as SchemaErrorKind;
use crate::syntax::document::Problem;

/// What tollproof reports by itself, through the built-in rule that is bound to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SystemCheck {
    /// For built-in rules only: what is wrong with the text itself, before anything is known of its fields.
    Input(Input),
    /// For built-in rules only: what is wrong with an ignore comment or entry.
    Ignore(IgnoreCheck),
    /// For built-in rules only: a document whose kind cannot be detected.
    Kind(KindCheck),
    /// For built-in rules only: what the schema of the kind refuses.
    Schema(Schema),
    /// For built-in rules only: what the response of the provider or of the reviewers says.
    Answer(Answer),
}

impl SystemCheck {
    /// The names of all of them in rule files.
    pub(crate) const NAMES: [&str; 5] = ["input", "ignore", "kind", "schema", "answer"];

    /// Its name in rule files.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Ignore(_) => "ignore",
            Self::Kind(_) => "kind",
            Self::Schema(_) => "schema",
            Self::Answer(_) => "answer",
        }
    }

    /// The placeholders that it fills in messages and help, beside `{field}`.
    pub(crate) fn fills(&self) -> &'static [&'static str] {
        match self {
            Self::Input(_) | Self::Kind(_) | Self::Answer(_) => &[],
            Self::Ignore(_) => &["rule", "nearest", "reason", "until"],
            Self::Schema(_) => {
                &["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest"]
            }
        }
    }

    /// Reads the parameters that stand at one of [`SystemCheck::NAMES`].
    pub(crate) fn read<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Self, A::Error> {
        Ok(match name {
            "input" => Self::Input(map.next_value()?),
            "ignore" => Self::Ignore(map.next_value()?),
            "kind" => Self::Kind(map.next_value()?),
            "schema" => Self::Schema(map.next_value()?),
            _ => Self::Answer(map.next_value()?),
        })
    }
}

/// What is wrong with the text itself, before anything is known of its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Which faults of the text the rule reports.
    pub problems: Vec<Problem>,
}

/// What is wrong with an ignore comment or entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IgnoreCheck {
    /// What is wrong with who ignores findings.
    pub problem: IgnoreProblem,
}

/// What is wrong with a comment, or an entry of the configuration, that ignores findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IgnoreProblem {
    /// There is nothing to ignore.
    Unused,
    /// What it names is no rule.
    Unknown,
    /// Its last day has passed.
    Expired,
    /// It does not say why.
    Unexplained,
}

/// A document whose kind cannot be detected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindCheck {}

/// What the schema of the kind refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// What the schema complains of. A rule whose `at` names the field goes before one whose `at` is `$document`.
    pub violations: Vec<SchemaErrorKind>,
}

/// What the response of the provider or of the reviewers says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Which part of the answer the rule puts into words.
    pub says: AnswerPart,
}

/// The parts of an answer that no other rule puts into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AnswerPart {
    /// A reason that no rule foresees.
    Unforeseen,
    /// Something said of a name that is no field.
    UnknownName,
    /// What to do next.
    NextStep,
}
