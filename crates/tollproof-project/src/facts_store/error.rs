//! Why a store of facts cannot be used, and what is wrong with its lines. No error quotes the file.

use std::fmt;
use std::io;
use std::path::PathBuf;

use tollproof_history::{name_of, reason};

/// Why a store of facts cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The file cannot be read.
    #[error("cannot read the facts `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file is too large.
    #[error("cannot read the facts `{}`: it is larger than {} MiB", name_of(path), max >> 20)]
    TooLarge {
        /// The path of the file.
        path: PathBuf,
        /// The size that is read, in bytes.
        max: u64,
    },
    /// The file cannot be written. Its old content is unchanged.
    #[error("cannot write the facts `{}`: {}", name_of(path), reason(error))]
    Unwritable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
}

/// What is wrong with a line of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FactsProblem {
    /// It is not JSON.
    NotJson,
    /// It is JSON, and not a fact.
    NotAFact,
    /// It is a mark of a merge conflict.
    Conflict,
    /// It is too long.
    TooLong,
    /// It was written by a version of tollproof with another format.
    Version(u32),
}

/// The lines of a store that were skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFacts {
    /// The path of the file.
    pub path: PathBuf,
    /// The lines, from 1, and what is wrong with each; at least one.
    pub lines: Vec<(usize, FactsProblem)>,
}

/// How many lines are named.
const NAMED_LINES: usize = 5;

impl fmt::Display for SkippedFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self
            .lines
            .iter()
            .take(NAMED_LINES)
            .map(|(line, problem)| format!("line {line} {problem}"))
            .collect();
        write!(f, "`{}`: {}", name_of(&self.path), named.join("; "))?;
        match self.lines.len() - named.len() {
            0 => Ok(()),
            1 => write!(f, "; and 1 more line"),
            more => write!(f, "; and {more} more lines"),
        }
    }
}

impl fmt::Display for FactsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson => f.write_str("is not JSON"),
            Self::NotAFact => f.write_str("is not a fact"),
            Self::Conflict => f.write_str("marks a merge conflict"),
            Self::TooLong => f.write_str("is too long"),
            Self::Version(found) => write!(f, "is in the format of version {found}"),
        }
    }
}
