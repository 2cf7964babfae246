//! An error in a provider's files.

use super::kind_role::KindRole;

/// An error in a provider's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderError {
    /// The kind whose schema is wrong. `None` if the error is in `provider.yaml`.
    pub schema: Option<KindRole>,
    /// The location in that file, as an RFC 6901 pointer.
    pub pointer: String,
    pub message: String,
}

pub(super) fn error(pointer: String, message: String) -> ProviderError {
    ProviderError { schema: None, pointer, message }
}
