//! Fixes: checks a text, applies its fixes, checks it again and writes it to its file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tollproof_core::{FixedText, Fixer, Parsed, Report, Safety, Severity, Source};
use tollproof_history::reason;

use crate::atomic_file::AtomicFile;

/// The fixes to apply, and whether the fixed text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixOptions {
    /// The safety of the fixes: [`Safety::Unsafe`] applies safe and unsafe ones.
    pub reach: Safety,
    /// The lowest severity of the findings that are fixed.
    pub least: Severity,
    /// Whether files are written.
    pub write: bool,
}

/// The result of fixing a text.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum FixOutcome {
    /// The text has no such fix, or fixes were not requested.
    #[default]
    Unchanged,
    /// The text was fixed and, if it is a file, written.
    Fixed {
        /// The fixed text, with the same name.
        source: Source<'static>,
        /// The number of applied fixes.
        count: usize,
    },
    /// Fixes are available but were not written.
    Preview {
        /// The fixed text, with the same name.
        source: Source<'static>,
        /// The number of fixes to apply.
        count: usize,
    },
    /// The file is compressed or a workbook. Only its content was checked.
    NotText,
    /// The text is not valid UTF-8. It was decoded with replacement characters, so writing it would lose bytes.
    NotUtf8,
    /// The fixed text could not be written.
    Failed(FixError),
}

/// Reason not to fix a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// It is a device or a pipe.
    #[error("it is not a regular file")]
    NotAFile,
    /// The file changed after it was checked.
    #[error("it was changed during the run; check it again")]
    Changed,
    /// It cannot be read or written.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
}

impl FixOptions {
    /// Applies the fixes of a report, and returns the report of the fixed text. `path` is the file to write.
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

/// Writes a fixed text to its file atomically, if the file still has the content that was checked.
///
/// # Errors
///
/// A file that is not regular, is write-protected, has changed since, or cannot be written.
pub(crate) fn write_fixed(path: &Path, old: &str, new: &str) -> Result<(), FixError> {
    if !fs::metadata(path)?.is_file() {
        return Err(FixError::NotAFile);
    }
    // Replacing a file only needs permission for its folder. A write-protected file must not be replaced, so this
    // checks the file itself.
    OpenOptions::new().write(true).open(path)?;
    let mut file = AtomicFile::create(path)?;
    file.write_all(new.as_bytes())?;
    let prepared = file.prepare(true)?;
    if tollproof_history::read(path)? != old.as_bytes() {
        return Err(FixError::Changed);
    }
    Ok(prepared.commit()?)
}
