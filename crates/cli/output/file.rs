//! A report in a file: written beside its place, and moved there when the run has come to its end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that stays as it was until the report is kept.
#[derive(Debug)]
pub(crate) struct ReportFile {
    writer: BufWriter<File>,
    /// Where the report is written and where it is to go; none for a device or a pipe, which is no file to replace.
    moves: Option<(PathBuf, PathBuf)>,
}

impl ReportFile {
    /// Opens the file beside the one that the report is to go to.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        // Behind a link, what it points to is replaced and not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(Self { writer: BufWriter::new(File::create(&target)?), moves: None });
        }
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}.tmp", std::process::id()));
        let beside = target.with_file_name(name);
        let file = File::create(&beside)?;
        let report = Self { writer: BufWriter::new(file), moves: Some((beside, target)) };
        if let (Some(old), Some((beside, _))) = (old, &report.moves) {
            fs::set_permissions(beside, old.permissions())?;
        }
        Ok(report)
    }

    /// Puts the report in its place.
    pub(crate) fn keep(mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.moves.take() {
            Some((beside, target)) => {
                fs::rename(&beside, target).inspect_err(|_| drop(fs::remove_file(&beside)))
            }
            None => Ok(()),
        }
    }
}

impl Write for ReportFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for ReportFile {
    /// Of a run that failed nothing is left behind.
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.moves {
            let _ = fs::remove_file(beside);
        }
    }
}

/// What a run adds to a file that others add to as well: all of it at its end, or nothing.
#[derive(Debug)]
pub(super) struct Appended {
    file: File,
    bytes: Vec<u8>,
}

impl Appended {
    /// Opens the file, and makes it if it is not there.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { file, bytes: Vec::new() })
    }

    /// Adds what was written.
    pub(super) fn keep(mut self) -> io::Result<()> {
        self.file.write_all(&self.bytes)
    }
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
