//! Errors of a store, and faults of its lines. No error quotes the file.

use std::path::PathBuf;
use std::{fmt, io};

use tollproof_history::{name_of, reason};

/// Error in reading or writing a store of facts or readings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LineStoreError {
    /// The file cannot be read.
    #[error("cannot read the {what} `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The content: `facts` or `readings`.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is too large.
    #[error("cannot read the {what} `{}`: it is larger than {} MiB", name_of(path), max >> 20)]
    TooLarge {
        /// The content: `facts` or `readings`.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The size that is read, in bytes.
        max: u64,
    },
    /// All lines of the file have another shape, so that they would be lost if it was written.
    #[error("`{}` has no {what} and is not changed; use another file", name_of(path))]
    Other {
        /// The content of the store: `facts` or `readings`.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be written. Its old content is unchanged.
    #[error("cannot write the {what} `{}`: {}", name_of(path), reason(error))]
    Unwritable {
        /// The content: `facts` or `readings`.
        what: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
}

/// A fault in a line of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineProblem {
    /// It is not JSON.
    NotJson,
    /// It is JSON, and not a line of the store.
    OtherShape,
    /// It is a mark of a merge conflict.
    Conflict,
    /// It is too long.
    TooLong,
    /// It was written by a version of tollproof with another format.
    Version(u32),
}

/// The lines of a store that were skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedLines {
    /// The content: `facts` or `readings`.
    pub what: &'static str,
    /// The path of the file.
    pub path: PathBuf,
    /// The first lines, from 1, and what is wrong with each; at least one.
    pub lines: Vec<(usize, LineProblem)>,
    /// The number of others.
    pub more: usize,
}

/// The most lines named.
const NAMED_LINES: usize = 5;

impl fmt::Display for SkippedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self
            .lines
            .iter()
            .take(NAMED_LINES)
            .map(|(line, problem)| format!("line {line} {problem}"))
            .collect();
        write!(f, "`{}`: {}", name_of(&self.path), named.join("; "))?;
        match self.lines.len() - named.len() + self.more {
            0 => Ok(()),
            1 => write!(f, "; and 1 more line"),
            more => write!(f, "; and {more} more lines"),
        }
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("is not JSON"),
            Self::OtherShape => f.write_str("has another shape"),
            Self::Conflict => f.write_str("marks a merge conflict"),
            Self::TooLong => f.write_str("is too long"),
            Self::Version(found) => write!(f, "is in the format of version {found}"),
        }
    }
}
