//! Reports of system rules: each check belongs to one built-in rule, and a user's rule cannot use it.

use serde::de::MapAccess;
use serde::{Deserialize, Serialize};

use super::spec::{CheckSpec, LooksAt, checks, plain};
use crate::provider::schema::error::SchemaErrorKind;
use crate::syntax_error::SyntaxErrorKind;
use crate::text::phrases::interner::Phrases;
use crate::text::terms::groups::Groups;

checks! {
    /// A report of tollproof itself, through the built-in rule of the check.
    SystemCheck;

    /// For built-in rules only: errors of the file itself, before its fields are known.
    "input" => Input {} of {
        /// Errors of the file that the rule reports.
        problems: Vec<SyntaxErrorKind>,
    },
    /// For built-in rules only: errors of an ignore comment or entry.
    "ignore" => IgnoreCheck { fills: ["rule", "nearest", "reason", "until"] } of {
        /// The error of an ignore comment or entry that the rule reports.
        problem: IgnoreProblem,
    },
    /// For built-in rules only: a document of unknown kind.
    "kind" => KindCheck {},
    /// For built-in rules only: violations of the kind's schema.
    "schema" => Schema {
        fills: ["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest", "max"],
    } of {
        /// Schema errors that the rule reports. A rule whose `at` names the field replaces one whose `at` is `$document`.
        violations: Vec<SchemaErrorKind>,
        /// Only for providers whose request names exactly one number.
        #[serde(default)]
        one_number: bool,
    },
    /// For built-in rules only: a violation of the user's own schema.
    "house-schema" => HouseSchemaCheck { fills: ["problem", "schema"] },
    /// For built-in rules only: an answer of the API or of the reviewers.
    "answer" => AnswerCheck {} of {
        /// The part of the answer that the rule reports.
        says: AnswerPart,
    },
    /// For built-in rules only: a draft that no reader has read as it is.
    "readings" => ReadingsCheck {},
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
