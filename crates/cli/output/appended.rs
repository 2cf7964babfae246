//! Appends a report to a file that other programs also write to.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Output for a file that other programs append to: all of it is appended at once, or nothing.
pub(super) struct Appended {
    file: File,
    bytes: Vec<u8>,
}

impl Appended {
    /// Opens the file, and creates it if it does not exist.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { file, bytes: Vec::new() })
    }

    /// Appends the output.
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
