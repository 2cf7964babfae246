//! Schema errors: the kind of violation, and where it is.

use serde::{Deserialize, Serialize};

/// A violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    pub kind: SchemaErrorKind,
    /// The RFC 6901 pointer of the wrong value. For a missing or unknown field, that field.
    pub pointer: String,
}

/// The ways in which a document can break its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SchemaErrorKind {
    /// A required field is absent.
    Missing,
    /// A required value is empty: an empty string, only spaces, or an empty list.
    Empty,
    /// A list has too few or too many items.
    Count,
    /// The value has another type.
    Type,
    /// The field belongs to no kind.
    Unknown,
    /// The field belongs to another kind.
    Misplaced,
    /// An identifier that is not a UUID.
    Uuid,
    /// A time that is not ISO 8601 in UTC with milliseconds.
    Timestamp,
    /// A value that is not in a closed list; `closed-list` and `country-code` report it instead.
    Unlisted,
    /// A number below the minimum or above the maximum; in searches, `search` reports it instead.
    OutOfRange,
    /// A string that is longer than the provider allows.
    TooLong,
    /// An identifier in another form than the provider's.
    Identifier,
    /// A number that is not toll-free, or not in E.164; `number/` rules report it instead.
    TollFree,
    /// A string with characters that the provider refuses.
    Pattern,
    /// A field that only the other request has.
    OtherRequest,
}
