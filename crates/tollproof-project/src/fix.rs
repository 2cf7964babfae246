//! Fixing: a text is checked, its fixes are applied, it is checked again, and written to its file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tollproof_core::{FixedText, Fixer, Parsed, Report, Safety, Severity, Source};
use tollproof_history::reason;

use crate::atomic_file::AtomicFile;

/// Which fixes are applied, and whether the fixed text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// How far a fix may go: [`Safety::Unsafe`] allows both.
    pub reach: Safety,
    /// The least severity of the findings that are fixed.
    pub least: Severity,
    /// Whether files are written.
    pub write: bool,
}

/// What became of a text that was to be fixed.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum FixOutcome {
    /// Nothing: it has no such fix, or nobody asked.
    #[default]
    Unchanged,
    /// It was fixed and, if it is a file, written.
    Fixed {
        /// The new text, under the same name.
        source: Source<'static>,
        /// How many fixes were applied.
        count: usize,
    },
    /// It would be fixed, and was not: nothing is written.
    Preview {
        /// The new text, under the same name.
        source: Source<'static>,
        /// How many fixes would be applied.
        count: usize,
    },
    /// Nothing: not all of it is text in UTF-8, and what was made of the rest must not replace it.
    NotUtf8,
    /// The fixed text could not be written.
    Failed(FixError),
}

/// Why a file keeps its text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// It is a device or a pipe.
    #[error("it is not a regular file")]
    NotAFile,
    /// Its text is no longer the one that was checked.
    #[error("it was changed during the run; check it again")]
    Changed,
    /// It cannot be read or written.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
}

impl FixOptions {
    /// Fixes a text with a report, and gives the report of what is left. `path` is where it is written.
    pub(crate) fn apply(
        self,
        path: Option<&Path>,
        parsed: &Parsed<'_>,
        report: Report,
        check: &mut dyn FnMut(&Parsed<'_>) -> Report,
    ) -> (Report, FixOutcome) {
        let source = parsed.source();
        if !source.is_exact() {
            return (report, FixOutcome::NotUtf8);
        }
        let fixer = Fixer { reach: self.reach, least: self.least };
        let Some(FixedText { source: new, report: left, fixed: count }) = fixer.fix(parsed, &report, check)
        else {
            return (report, FixOutcome::Unchanged);
        };
        if !self.write {
            return (report, FixOutcome::Preview { source: new, count });
        }
        match path.map_or(Ok(()), |path| write_fixed(path, source.text(), new.text())) {
            Ok(()) => (left, FixOutcome::Fixed { source: new, count }),
            Err(error) => (report, FixOutcome::Failed(error)),
        }
    }
}

/// Writes a fixed text to its file, if that still is what was read: completely, or not at all.
///
/// # Errors
///
/// A file that is not regular, is write-protected, has changed since, or cannot be written.
pub(crate) fn write_fixed(path: &Path, old: &str, new: &str) -> Result<(), FixError> {
    if !fs::metadata(path)?.is_file() {
        return Err(FixError::NotAFile);
    }
    // The folder alone decides whether a file can be replaced; one that is write-protected was meant to stay.
    OpenOptions::new().write(true).open(path)?;
    let mut file = AtomicFile::create(path)?;
    file.write_all(new.as_bytes())?;
    let prepared = file.prepare(true)?;
    if tollproof_history::read(path)? != old.as_bytes() {
        return Err(FixError::Changed);
    }
    Ok(prepared.commit()?)
}
