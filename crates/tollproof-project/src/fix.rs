//! Fixed texts, written to their files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use tollproof_history::reason;

use crate::atomic_file::AtomicFile;

/// Why a file keeps its text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixError {
    /// It is a device or a pipe.
    #[error("it is no regular file")]
    NotAFile,
    /// Its text is no longer the one that was checked.
    #[error("it was changed meanwhile; check it again")]
    Changed,
    /// It cannot be read or written.
    #[error("{}", reason(.0))]
    Io(#[from] io::Error),
}

/// Writes a fixed text to its file, if that still is what was read: completely, or not at all.
///
/// # Errors
///
/// A file that is not regular, is write-protected, has changed since, or cannot be written.
pub fn write_fixed(path: &Path, old: &str, new: &str) -> Result<(), FixError> {
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
