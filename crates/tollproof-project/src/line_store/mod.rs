//! Stores of what commands found out before a check: one line for each fact, sorted, so that it can be committed and merged.

mod error;
mod facts;
mod line;
mod readings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub use self::error::{LineProblem, LineStoreError, SkippedLines};
pub use self::facts::{FACTS_NAME, FactsStore};
pub use self::line::StoredLine;
use self::line::{LineContent, read_line};
pub use self::readings::{READINGS_NAME, ReadingsStore};
use crate::atomic_file::AtomicFile;
use crate::files::Files;

/// The most skipped lines that are kept: a file may have nothing else.
const MAX_PROBLEMS: usize = 100;

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// A file of lines.
#[derive(Clone, Debug)]
pub struct LineStore<T> {
    path: PathBuf,
    lines: BTreeMap<String, T>,
    /// Lines of other versions of tollproof, which are kept as they are.
    others: BTreeSet<String>,
    problems: Vec<(usize, LineProblem)>,
    /// Number of other skipped lines.
    more_problems: usize,
}

impl<T: StoredLine> LineStore<T> {
    /// Reads a file; one that does not exist is empty. Of two lines about the same, the newest counts. Lines of another shape
    /// are skipped, see [`LineStore::skipped`].
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is too large.
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self, LineStoreError> {
        let mut store = Self {
            path: path.to_owned(),
            lines: BTreeMap::new(),
            others: BTreeSet::new(),
            problems: Vec::new(),
            more_problems: 0,
        };
        let unreadable = |error| LineStoreError::Unreadable { what: T::WHAT, path: path.to_owned(), error };
        let too_large = || LineStoreError::TooLarge { what: T::WHAT, path: path.to_owned(), max: MAX_FILE };
        if files.size(path).is_some_and(|size| size > MAX_FILE) {
            return Err(too_large());
        }
        let bytes = match files.read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !files.is_link(path) => {
                return Ok(store);
            }
            Err(error) => return Err(unreadable(error)),
        };
        if bytes.len() as u64 > MAX_FILE {
            return Err(too_large());
        }
        for (at, line) in bytes.split(|it| *it == b'\n').enumerate() {
            match read_line::<T>(line) {
                LineContent::Empty => {}
                LineContent::Line(line) => store.put(*line),
                LineContent::Other(version, text) => {
                    store.skip(at + 1, LineProblem::Version(version));
                    store.others.insert(text);
                }
                LineContent::Problem(problem) => store.skip(at + 1, problem),
            }
        }
        Ok(store)
    }

    /// Reads a file that is going to be written.
    ///
    /// # Errors
    ///
    /// Those of [`LineStore::read`]; the file has nothing but lines of another shape.
    pub fn read_to_write(files: &dyn Files, path: &Path) -> Result<Self, LineStoreError> {
        let store = Self::read(files, path)?;
        if store.skipped().is_some() && store.lines.is_empty() {
            return Err(LineStoreError::Other { what: T::WHAT, path: path.to_owned() });
        }
        Ok(store)
    }

    fn skip(&mut self, line: usize, problem: LineProblem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push((line, problem))
        } else {
            self.more_problems += 1
        }
    }

    /// The line about something.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.lines.get(key)
    }

    /// Adds a line, unless a newer one about the same is known.
    pub(super) fn put(&mut self, line: T) {
        let key = line.key();
        if self.lines.get(&key).is_none_or(|known| known.at() <= line.at()) {
            self.lines.insert(key, line);
        }
    }

    /// Sets a line that was found out just now, whatever time an earlier one has.
    pub fn renew(&mut self, line: T) {
        self.lines.insert(line.key(), line);
    }

    /// Changes lines, and removes those that are not kept.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.lines.retain(|_, line| keep(line));
    }

    /// All lines, sorted by what they are about.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.lines.values()
    }

    /// The lines that were skipped when the file was read; `None` if none was.
    pub fn skipped(&self) -> Option<SkippedLines> {
        let (lines, more) = (self.problems.clone(), self.more_problems);
        (!lines.is_empty()).then(|| SkippedLines { what: T::WHAT, path: self.path.clone(), lines, more })
    }

    /// Keeps other runs from writing the store until it is dropped, so that what they add is not lost. `None` where the system
    /// cannot lock a folder.
    ///
    /// # Errors
    ///
    /// The folder of the file cannot be created.
    pub fn lock(path: &Path) -> Result<Option<File>, LineStoreError> {
        let unwritable = |error| LineStoreError::Unwritable { what: T::WHAT, path: path.to_owned(), error };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(unwritable)?;
        Ok(File::open(folder).ok().filter(|file| file.lock().is_ok()))
    }

    /// Writes the file completely or not at all, sorted, and without the lines of another shape.
    ///
    /// # Errors
    ///
    /// The error of the operating system. The old content is unchanged.
    pub fn write(&self) -> Result<(), LineStoreError> {
        let unwritable = |error| LineStoreError::Unwritable { what: T::WHAT, path: self.path.clone(), error };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).map_err(unwritable)?;
        let mut file = AtomicFile::create(&self.path).map_err(unwritable)?;
        self.write_to(&mut file).map_err(unwritable)?;
        file.commit().map_err(unwritable)
    }

    fn write_to(&self, file: &mut AtomicFile) -> io::Result<()> {
        for line in self.lines.values() {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
        }
        self.others.iter().try_for_each(|line| writeln!(file, "{line}"))
    }
}

#[cfg(test)]
mod tests;
