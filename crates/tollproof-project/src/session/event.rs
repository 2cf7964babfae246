//! Events while files are opened.

use std::io;

use tollproof_history::reason;

use crate::discover::WalkError;
use crate::line_store::SkippedLines;

/// Something that happened while files were opened and does not end the run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunEvent {
    /// A folder could not be listed.
    #[error(transparent)]
    Walk(WalkError),
    /// A file could not be opened.
    #[error("cannot open `{name}`: {}", reason(error))]
    Unreadable {
        /// Its name in reports.
        name: String,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// A file could not be read to its end. What comes before was checked.
    #[error("cannot read `{name}` to its end: {}", reason(error))]
    Unfinished {
        /// Its name in reports.
        name: String,
        /// The error of the operating system, or of the compressed data.
        #[source]
        error: io::Error,
    },
    /// Documents in record files that are not records, with their location and content.
    #[error("not a record, so not part of the history: {}", .0.join("; "))]
    NotRecords(Vec<String>),
    /// Lines of a store of facts or readings that have another shape.
    #[error("skipped {what} of {0}", what = .0.what)]
    SkippedLines(SkippedLines),
}

impl RunEvent {
    /// Whether an input could not be read.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::NotRecords(_) | Self::SkippedLines(_))
    }

    /// The event as a line for people: an error or a note.
    pub fn line(&self) -> String {
        let word = if self.is_failure() { "error" } else { "note" };
        format!("{word}: {self}")
    }
}
