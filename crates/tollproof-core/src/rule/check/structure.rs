//! Parameters of the checks of a document's structure, of closed values and of what is known beside it.

use crate::document::Problem;
use serde::{Deserialize, Serialize};

/// Parameters of `input`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Which faults of the text the rule reports.
    pub problems: Vec<Problem>,
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
    /// What the schema complains of. A rule whose `at` names the field goes before one whose `at` is `$document`.
    pub violations: Vec<Violation>,
}

impl Schema {
    pub(super) const FILLS: &[&str] =
        &["kind", "count", "home", "home_kind", "expected", "found", "value", "nearest"];
}

/// What a schema complains of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Violation {
    /// A required field is absent.
    Missing,
    /// A required value is empty: a blank text or an empty list.
    Empty,
    /// A list has too few or too many items.
    Count,
    /// The value has another type.
    Type,
    /// The field is none of this kind, nor of another.
    Unknown,
    /// The field belongs to another kind.
    Misplaced,
    /// An identifier that is no UUID.
    Uuid,
    /// A time that is not ISO 8601 in UTC with milliseconds.
    Timestamp,
    /// A text outside a closed list; `closed_list` and `address` say it better.
    Unlisted,
    /// A number below the least; `search` says it better.
    TooSmall,
}

/// Parameters of `closed_list`.
///
/// Fills `{value}`, `{nearest}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ClosedList {
    /// The end of a value whose beginning is the configured vendor.
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
    /// The values, compared without regard to case and blanks.
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

/// Parameters of `history`.
///
/// Fills `{status}`, `{ago}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Whether an earlier submission of the number that is still open is refused.
    pub open: bool,
}

impl History {
    pub(super) const FILLS: &[&str] = &["status", "ago"];
}
