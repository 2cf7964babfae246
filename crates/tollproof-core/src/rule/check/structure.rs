//! Parameters of the checks of a document's structure, of closed values and of what is known beside it.

use crate::provider::schema::error::SchemaErrorKind;
use crate::syntax::document::Problem;
use serde::{Deserialize, Serialize};

/// Parameters of `input`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Which errors of the file the rule reports.
    pub problems: Vec<Problem>,
}

/// Parameters of `ignore`.
///
/// Fills `{rule}`, `{nearest}`, `{reason}`, `{until}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IgnoreCheck {
    /// Which error of an ignore comment or entry the rule reports.
    pub problem: IgnoreProblem,
}

impl IgnoreCheck {
    pub(super) const FILLS: &[&str] = &["rule", "nearest", "reason", "until"];
}

/// What is wrong with a comment, or an entry of the configuration, that ignores findings.
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

/// Parameters of `kind`: none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindCheck {}

/// Parameters of `schema`.
///
/// Fills `{kind}`, `{count}`, `{home}`, `{home_kind}`, `{expected}`, `{found}`, `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Which schema errors the rule reports. A rule whose `at` names the field replaces one whose `at` is `$document`.
    pub violations: Vec<SchemaErrorKind>,
}

impl Schema {
    pub(super) const FILLS: &[&str] =
        &["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest"];
}

/// Parameters of `house_schema`: none.
///
/// Fills `{problem}`, `{schema}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HouseSchemaCheck {}

impl HouseSchemaCheck {
    pub(super) const FILLS: &[&str] = &["problem", "schema"];
}

/// Parameters of `closed_list`.
///
/// Fills `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClosedList {
    /// The end of a value that begins with the configured vendor.
    #[serde(default)]
    pub vendor_suffix: Option<String>,
}

impl ClosedList {
    pub(super) const FILLS: &[&str] = &["value", "nearest"];
}

/// Parameters of `known_value`.
///
/// Fills `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KnownValue {
    /// The known values; case and spaces are ignored.
    pub values: Vec<String>,
}

impl KnownValue {
    pub(super) const FILLS: &[&str] = &["value", "nearest"];
}

/// Parameters of `absent`: none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Absent {}

/// Parameters of `present`: none.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Present {}

impl Present {
    pub(super) const FILLS: &[&str] = &["value"];
}

/// Parameters of `search`: none.
///
/// Fills `{value}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Search {}

impl Search {
    pub(super) const FILLS: &[&str] = &["value"];
}

/// Parameters of `answer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Which part of the answer the rule reports.
    pub says: AnswerPart,
}

/// The parts of an answer that no other rule reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AnswerPart {
    /// A reason that no rule checks for.
    Unforeseen,
    /// A text about a name that is not a field.
    UnknownName,
    /// What to do next.
    NextStep,
}

/// Parameters of `not_after`.
///
/// Fills `{value}`, `{other}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NotAfter {
    /// The field with the later time.
    pub field: String,
}

impl NotAfter {
    pub(super) const FILLS: &[&str] = &["value", "other"];
}

/// Parameters of `history`.
///
/// Fills `{status}`, `{ago}`, `{until}`, `{allowed}`, `{left}`, `{since}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// What the rule reports.
    pub problem: HistoryProblem,
}

impl History {
    pub(super) const FILLS: &[&str] = &["status", "ago", "until", "allowed", "left", "since"];
}

/// What can prevent a submission or an update, by the history of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HistoryProblem {
    /// The number has an open submission with other data.
    Open,
    /// The number has an open submission with the same data.
    SameAsOpen,
    /// An earlier draft of the same run names the number.
    Repeated,
    /// Someone has reserved the number to submit it.
    Reserved,
    /// The submission that would be updated has ended.
    Ended,
    /// The submission was rejected for good.
    NotAllowed,
    /// The time to answer the reviewers is over.
    Overdue,
    /// The time to answer the reviewers is running.
    Due,
}
