//! A report in a file that others write to as well.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

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
