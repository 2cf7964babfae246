//! Why the user's settings cannot be used.

use std::io;

use tollproof_core::StrictError;
use tollproof_history::reason;

/// Why the user's settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The path is relative, so that the current folder would decide which file it is.
    #[error("`TOLLPROOF_SETTINGS` is the relative path `{0}`; use an absolute path")]
    Relative(String),
    /// The file cannot be read.
    #[error("cannot read your settings `{name}`: {}", reason(error))]
    Unreadable {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file contains an invalid setting.
    #[error(transparent)]
    Invalid(Box<StrictError>),
}
