//! A record as the provider returned it.

use tollproof_core::Submission;

/// A record as the provider returned it.
#[derive(Clone, Debug)]
pub(crate) struct ProviderRecord {
    pub(crate) text: String,
    pub(crate) submission: Submission,
    /// Whether it was not submitted yet.
    pub(crate) is_unsent: bool,
}
