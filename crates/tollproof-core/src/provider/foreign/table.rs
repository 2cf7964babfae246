//! The format of `schemas/providers.yaml`, the table of other providers' payloads.

use serde::{Deserialize, Serialize};

/// How to detect a payload of one provider.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForeignProvider {
    /// The provider's name in messages.
    pub(crate) provider: String,
    /// Any of these conditions identifies the payload.
    #[serde(default)]
    pub(crate) tells: Vec<Tell>,
    /// Field names that only this provider uses. Several of them identify the payload.
    #[serde(default)]
    pub(crate) fields: Vec<String>,
    /// Paths whose value is one of `fields`, for formats that store the field's name as a value.
    #[serde(default)]
    pub(crate) named_by: Vec<String>,
}

/// A condition: the document has all paths in `has` and none in `lacks`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tell {
    pub(crate) has: Vec<String>,
    #[serde(default)]
    pub(crate) lacks: Vec<String>,
}
