//! All errors of this crate, as one type.

use tollproof_core::{StrictError, UnknownRule};
use tollproof_history::HistoryError;

use crate::baseline::BaselineError;
use crate::config::ConfigError;
use crate::git::GitError;
use crate::histories::RecordError;
use crate::line_store::LineStoreError;
use crate::output_guard::OutputConflict;
use crate::user_rules::UserRulesError;

/// A result of this crate.
pub type Result<T, E = ProjectError> = std::result::Result<T, E>;

/// Any error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProjectError {
    /// A configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The user's rules cannot be read.
    #[error(transparent)]
    UserRules(#[from] UserRulesError),
    /// The user's rules or settings are invalid. The list is not empty.
    #[error("{}", all(.0))]
    Invalid(Vec<StrictError>),
    /// An option names a rule that does not exist.
    #[error(transparent)]
    UnknownRule(UnknownRule),
    /// A baseline cannot be read or written.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// Git cannot determine what changed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A history cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A store of facts or readings cannot be read or written.
    #[error(transparent)]
    Store(#[from] LineStoreError),
    /// A record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// An output would overwrite an input of the run.
    #[error(transparent)]
    OutputConflict(#[from] OutputConflict),
}

/// All errors, one per line.
fn all(errors: &[StrictError]) -> String {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
