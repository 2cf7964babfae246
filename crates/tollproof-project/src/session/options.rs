//! A run's options.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::fix::FixOptions;

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The fixes to apply. Such a run checks one file after another, each as a whole.
    pub fix: Option<FixOptions>,
    /// Whether to find the personal data in each file, which is then read as a whole.
    pub redact: bool,
    /// Whether to return the use cases of documents with findings.
    pub use_cases: bool,
    /// Whether to return the drafts of each text, also of those without findings.
    pub drafts: bool,
    /// The number of threads that check; 0 for as many as there are cores. Findings are the same for any number.
    pub jobs: usize,
    /// Ends the run when it becomes true, even in another thread.
    pub stop: Option<Arc<AtomicBool>>,
}
