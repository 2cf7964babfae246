//! The ways in which a document can break its schema.

use serde::{Deserialize, Serialize};

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
    /// A text outside a closed list; `closed-list` and `country-code` say it better.
    Unlisted,
    /// A number below the least; `search` says it better.
    TooSmall,
}
