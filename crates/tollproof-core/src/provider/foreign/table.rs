//! The file of other providers' payloads, `schemas/providers.yaml`, as `build.rs` prepares it.

use serde::{Deserialize, Serialize};

/// What tells a payload of one provider.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForeignProvider {
    /// The name in messages.
    pub(crate) provider: String,
    /// Any of these is enough.
    #[serde(default)]
    pub(crate) tells: Vec<Tell>,
    /// Names of fields that are the provider's own.
    #[serde(default)]
    pub(crate) fields: Vec<String>,
    /// Keys whose value is one of `fields`.
    #[serde(default)]
    pub(crate) named_by: Vec<String>,
}

/// Paths that a document has, and others that it lacks.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tell {
    pub(crate) has: Vec<String>,
    #[serde(default)]
    pub(crate) lacks: Vec<String>,
}
