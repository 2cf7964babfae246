//! Why the past cannot be told or kept. No message holds what a record says: ids and places only.

use std::fmt;
use std::io;
use std::path::Path;

use tollproof_core::without_secrets;

/// Why a history cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The words that name a history name none.
    #[error("{}", without_secrets(.0))]
    Location(String),
    /// A path that is not there.
    #[error("there is no history `{}`: no such file or folder", without_secrets(.0))]
    NoFile(String),
    /// A glob that matches nothing.
    #[error("there is no history `{}`: no file matches", without_secrets(.0))]
    NoMatch(String),
    /// A file or folder that cannot be read.
    #[error("cannot read `{}`: {}", without_secrets(name), reason(error))]
    Unreadable {
        /// Its name.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// A record that a history cannot take.
    #[error("{0}")]
    Record(BadRecord),
    /// Records that a store cannot take; nothing was imported. The message counts them.
    #[error("nothing was imported: {}", bad(.0))]
    Records(Vec<BadRecord>),
    /// A store that is not there.
    #[error(
        "there is no history `{}`; `tollproof history import` and `tollproof gate` make one", without_secrets(.0)
    )]
    NoStore(String),
    /// A file that is something else.
    #[error("`{}` is no history: it is {what}, and was left as it is", without_secrets(name))]
    NotOurs {
        /// The store.
        name: String,
        /// What the file is.
        what: &'static str,
    },
    /// A store that a later version has made.
    #[error(
        "the history `{}` has form {found}, and this tollproof knows form {known}; it was left as it is: \
         use the tollproof that made it, or a later one",
        without_secrets(name)
    )]
    Newer {
        /// The store.
        name: String,
        /// The form of the store.
        found: i64,
        /// The latest form that is known here.
        known: i64,
    },
    /// The store itself says no.
    #[error("cannot use the history `{}`: {}", without_secrets(name), without_secrets(why))]
    Store {
        /// The store.
        name: String,
        /// What it says.
        why: String,
        /// Whether the connection was lost, so that another try may help.
        lost: bool,
    },
    /// A number without any submission.
    #[error("the history knows no submission of {0}")]
    UnknownNumber(String),
    /// Something that only one store can do, asked of none or several.
    #[error("{0}")]
    Usage(String),
}

/// A record that a history cannot take, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in code points, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, what } = self;
        write!(f, "{}:{line}:{column}: {what}", without_secrets(file))
    }
}

impl HistoryError {
    /// Whether another try over a new connection may help.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::Store { lost: true, .. })
    }

    /// Of something that only a store can do.
    pub(crate) fn of_files() -> Self {
        let why = "a history of files cannot be written to; use a store, `--history sqlite:PATH` or \
                   `--history postgres://…`";
        Self::Usage(why.to_owned())
    }

    pub(crate) fn unreadable(path: &Path, error: io::Error) -> Self {
        Self::Unreadable { name: crate::reading::name_of(path), error }
    }
}

/// How many records cannot be taken.
fn bad(records: &[BadRecord]) -> String {
    let count = match records.len() {
        1 => "1 record".to_owned(),
        count => format!("{count} records"),
    };
    format!("{count} cannot be taken")
}

/// What the system says of an error, in the words of a sentence.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
