//! Errors of labelled drafts and sentences.

use std::io;

use tollproof_core::quoted;
use tollproof_history::reason;

/// An error of labelled drafts or sentences.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The file cannot be read.
    #[error("cannot open `{name}`: {}", reason(error))]
    Unreadable {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A line of the file cannot be used.
    #[error("cannot use line {number} of `{name}`: {why}")]
    Line {
        /// The name of the file.
        name: String,
        /// The number of the line, from 1.
        number: usize,
        /// The error in it.
        why: String,
    },
    /// There is nothing to measure in the file.
    #[error("`{name}` contains no {what}")]
    Empty {
        /// The name of the file.
        name: String,
        /// The missing part.
        what: &'static str,
    },
    /// The file has other splits.
    #[error("`{name}` has no split `{}`; use one of {}", quoted(split), all(known))]
    UnknownSplit {
        /// The name of the file.
        name: String,
        /// The split that was named.
        split: String,
        /// The splits of the file.
        known: Vec<String>,
    },
    /// The file with answers cannot be read.
    #[error("cannot read the answers in `{name}`: {}", reason(error))]
    UnreadableAnswers {
        /// The name of the file.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A line of the file with answers has another shape.
    #[error("line {number} of `{name}` has not the shape of answers by ids")]
    AnswersShape {
        /// The name of the file.
        name: String,
        /// The number of the line, from 1.
        number: usize,
    },
}

/// All splits, for a message.
fn all(splits: &[String]) -> String {
    splits.iter().map(|split| format!("`{}`", quoted(split))).collect::<Vec<_>>().join(", ")
}
