//! Reports of system rules: each check belongs to one built-in rule, and a user's rule cannot use it.

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use crate::provider::schema::error::SchemaErrorKind;
use crate::syntax_error::SyntaxErrorKind;

/// A report of tollproof itself, through the built-in rule of the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SystemCheck {
    /// For built-in rules only: errors of the file itself, before its fields are known.
    Input(Input),
    /// For built-in rules only: errors of an ignore comment or entry.
    Ignore(IgnoreCheck),
    /// For built-in rules only: a document of unknown kind.
    Kind(KindCheck),
    /// For built-in rules only: violations of the kind's schema.
    Schema(Schema),
    /// For built-in rules only: a violation of the user's own schema.
    HouseSchema(HouseSchemaCheck),
    /// For built-in rules only: an answer of the API or of the reviewers.
    Answer(AnswerCheck),
    /// For built-in rules only: a draft that no reader has read as it is.
    Readings(ReadingsCheck),
}

impl SystemCheck {
    pub const NAMES: [&str; 7] = ["input", "ignore", "kind", "schema", "house-schema", "answer", "readings"];

    /// The name of the check in rule files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Ignore(_) => "ignore",
            Self::Kind(_) => "kind",
            Self::Schema(_) => "schema",
            Self::HouseSchema(_) => "house-schema",
            Self::Answer(_) => "answer",
            Self::Readings(_) => "readings",
        }
    }

    /// The placeholders that the check fills in messages and help, besides `{field}`.
    pub fn fills(&self) -> &'static [&'static str] {
        match self {
            Self::Input(_) | Self::Kind(_) | Self::Answer(_) | Self::Readings(_) => &[],
            Self::Ignore(_) => &["rule", "nearest", "reason", "until"],
            Self::HouseSchema(_) => &["problem", "schema"],
            Self::Schema(_) => {
                &["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest", "max"]
            }
        }
    }

    /// Reads the parameters of a check in [`SystemCheck::NAMES`].
    pub fn read<'de, A: MapAccess<'de>>(name: &str, map: &mut A) -> Result<Self, A::Error> {
        Ok(match name {
            "input" => Self::Input(map.next_value()?),
            "ignore" => Self::Ignore(map.next_value()?),
            "kind" => Self::Kind(map.next_value()?),
            "schema" => Self::Schema(map.next_value()?),
            "house-schema" => Self::HouseSchema(map.next_value()?),
            "answer" => Self::Answer(map.next_value()?),
            _ => Self::Readings(map.next_value()?),
        })
    }
}

/// Errors of the file itself, before its fields are known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Errors of the file that the rule reports.
    pub problems: Vec<SyntaxErrorKind>,
}

/// Errors of an ignore comment or entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IgnoreCheck {
    /// The error of an ignore comment or entry that the rule reports.
    pub problem: IgnoreProblem,
}

/// The problem of an ignore comment or of an `ignore` entry of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum IgnoreProblem {
    /// It matches no finding.
    Unused,
    /// It names an unknown rule.
    Unknown,
    /// Its last day has passed.
    Expired,
    /// It has no reason.
    Unexplained,
}

/// A document of unknown kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindCheck {}

/// Violations of the kind's schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Schema errors that the rule reports. A rule whose `at` names the field replaces one whose `at` is `$document`.
    pub violations: Vec<SchemaErrorKind>,
    /// Only for providers whose request names exactly one number.
    #[serde(default)]
    pub one_number: bool,
}

/// A violation of the user's own schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HouseSchemaCheck {}

/// An answer of the API or of the reviewers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AnswerCheck {
    /// The part of the answer that the rule reports.
    pub says: AnswerPart,
}

/// The parts of an answer that no other rule reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AnswerPart {
    /// A reason that no rule checks for.
    Unforeseen,
    /// A message about a name that is not a field.
    UnknownName,
    /// The step to take.
    NextStep,
}

/// A draft that no reader has read as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadingsCheck {}
