//! Errors of histories. Messages contain ids and positions, never other content of a record.

use std::path::Path;
use std::{fmt, io};

use tollproof_core::without_secrets;

/// A result whose error is that of a history.
pub type Result<T, E = HistoryError> = std::result::Result<T, E>;

/// The reason a history cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The location is not valid. The text is the whole message.
    #[error("{}", without_secrets(.0))]
    Location(String),
    /// The path does not exist.
    #[error("history `{}` not found: no such file or folder; check the path", without_secrets(.0))]
    NoFile(String),
    /// The glob matches no file.
    #[error("history `{}` not found: no file matches; check the pattern", without_secrets(.0))]
    NoMatch(String),
    /// The file or folder cannot be read.
    #[error("cannot read `{}`: {}", without_secrets(name), reason(error))]
    Unreadable {
        /// The path, as shown to users.
        name: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A record is invalid.
    #[error("{0}")]
    Record(BadRecord),
    /// Records are invalid, and nothing was imported. The message contains only their count.
    #[error("nothing was imported: {}", bad(.0))]
    Records(Vec<BadRecord>),
    /// The store does not exist.
    #[error(
        "history `{}` not found; check its name, or create it with `tollproof history import` or `tollproof gate`",
        without_secrets(.0)
    )]
    NoStore(String),
    /// The file is not a store of tollproof.
    #[error(
        "`{}` is not a history: it is {what}, and was not changed; use another path",
        without_secrets(name)
    )]
    NotOurs {
        /// The location, without password.
        name: String,
        /// The file's actual type, with its article.
        what: &'static str,
    },
    /// Another version of tollproof created the store.
    #[error(
        "the history `{}` has schema version {found}, but this version of tollproof supports only version {known}; \
         use the version that created it (the history was not changed)",
        without_secrets(name)
    )]
    OtherVersion {
        /// The location, without password.
        name: String,
        /// The schema version of the store.
        found: i64,
        /// The schema version that this version of tollproof supports.
        known: i64,
    },
    /// The database cannot be used.
    #[error("cannot use the history `{}`: {}", without_secrets(name), without_secrets(why))]
    Store {
        /// The location, without password.
        name: String,
        /// The error of the database, or what is wrong with its address.
        why: String,
        /// Whether the connection was lost, so that a retry may succeed.
        lost: bool,
    },
    /// The history contains no submission for this number.
    #[error("the history contains no submission for {0}; `tollproof history list` shows its numbers")]
    UnknownNumber(String),
    /// The caller asked for something that is not possible. The text is the whole message.
    #[error("{0}")]
    Usage(String),
}

/// An invalid record and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The path of the file.
    pub file: String,
    /// The line, starting at 1.
    pub line: usize,
    /// The column in code points, starting at 1.
    pub column: usize,
    /// The problem.
    pub what: String,
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what } = self;
        write!(f, "{}:{line}:{column}: {what}", without_secrets(file))
    }
}

impl HistoryError {
    /// Whether a retry over a new connection may succeed.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Store { lost: true, .. })
    }

    /// For operations that need a store and were called on record files.
    pub(crate) fn of_files() -> Self {
        let why = "a history of record files is read-only; use a store, `--history sqlite:PATH` or \
                   `--history postgres://…`";
        Self::Usage(why.to_owned())
    }

    pub(crate) fn unreadable(path: &Path, error: io::Error) -> Self {
        Self::Unreadable { name: crate::reading::name_of(path), error }
    }
}

/// The number of invalid records, and what to do.
fn bad(records: &[BadRecord]) -> String {
    match records.len() {
        1 => "1 record is invalid; fix or remove it and import again".to_owned(),
        count => format!("{count} records are invalid; fix or remove them and import again"),
    }
}

/// The text of an I/O error for the middle of a sentence: without error number, first letter in lower case.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
