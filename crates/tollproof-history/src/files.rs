//! A history in files of verification records.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Source, Submission, quoted};

use crate::entry::{self, HistoryEntry, key, number_key};
use crate::error::{HistoryError, Result};
use crate::globs::glob;
use crate::lookup::Query;
use crate::reading::{self, name_of};

/// Characters that make a path a glob.
pub(crate) const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// The submissions of record files, in memory.
#[derive(Debug, Default)]
pub(crate) struct RecordFiles {
    submissions: Vec<Submission>,
    /// The ids of all submissions that ever contained a number.
    by_number: HashMap<String, Vec<String>>,
    /// The indices in `submissions` of all versions of a submission.
    by_id: HashMap<String, Vec<usize>>,
    /// Receipt times of submissions' notifications, by id.
    pub(crate) notes: HashMap<String, Timestamp>,
    /// Documents that are not records: position and reason.
    pub(crate) skipped: Vec<String>,
}

impl RecordFiles {
    /// Reads all files of a path, a folder or a glob.
    pub(crate) fn open(pattern: &str) -> Result<Self> {
        let mut files = Self::default();
        for path in find_one(pattern)? {
            files.read(&path)?;
        }
        Ok(files)
    }

    fn read(&mut self, path: &Path) -> Result<()> {
        let bytes = read_records(path)?;
        let source = Source::from_bytes(name_of(path), bytes);
        entry::each(&Parsed::of(&source, None), 1, |entry| {
            match entry.map_err(HistoryError::Record)? {
                HistoryEntry::Record(submission, record) => {
                    for number in record.numbers {
                        self.by_number.entry(number).or_default().push(record.id.clone());
                    }
                    self.by_id.entry(record.id).or_default().push(self.submissions.len());
                    self.submissions.push(*submission);
                }
                HistoryEntry::Note(note, _) => {
                    let noted = self.notes.entry(note.id).or_insert(note.notified_at);
                    *noted = note.notified_at.max(*noted);
                }
                HistoryEntry::Other(other) => self.skipped.push(other.to_string()),
            }
            Ok(())
        })
    }

    /// All versions of the matching submissions.
    pub(crate) fn look_up(&self, query: &Query) -> Vec<Submission> {
        let of_numbers =
            query.numbers.iter().filter_map(|number| self.by_number.get(&number_key(number))).flatten();
        let ids = of_numbers.cloned().chain(query.ids.iter().map(|it| key(it)));
        let mut found: Vec<usize> = ids.filter_map(|id| self.by_id.get(&id)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| self.submissions[at].clone()).collect()
    }
}

/// The bytes with which a SQLite file begins.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Reads a file of records completely.
///
/// # Errors
///
/// The file cannot be read, or is a SQLite file.
pub(crate) fn read_records(path: &Path) -> Result<Vec<u8>> {
    let bytes = reading::read(path).map_err(|error| HistoryError::unreadable(path, error))?;
    if bytes.starts_with(SQLITE) {
        let name = name_of(path);
        return Err(HistoryError::Location(format!("`{name}` is a SQLite file; write `sqlite:{name}`")));
    }
    Ok(bytes)
}

/// The files of paths, folders and globs.
///
/// # Errors
///
/// A path does not exist or cannot be read, or a glob is invalid or matches nothing.
pub fn find(patterns: &[String]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for pattern in patterns {
        all.extend(find_one(pattern)?);
    }
    Ok(all)
}

/// The files of a path, a folder or a glob, sorted by name.
fn find_one(pattern: &str) -> Result<Vec<PathBuf>> {
    let path = Path::new(pattern);
    let mut found = Vec::new();
    if path.is_dir() {
        walk(path, &mut found)?;
    } else if path.exists() {
        found.push(path.to_owned());
    } else if pattern.contains(WILDCARDS) {
        let glob = glob(&name_of(path)).map_err(|why| not_a_glob(pattern, &why))?;
        let is_plain = |path: &Component<'_>| !path.as_os_str().to_string_lossy().contains(WILDCARDS);
        let folder: PathBuf = path.components().take_while(is_plain).collect();
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        if folder.is_dir() {
            walk(folder, &mut found)?;
        }
        let matcher = glob.compile_matcher();
        found.retain(|path| matcher.is_match(name_of(path)));
        if found.is_empty() {
            return Err(HistoryError::NoMatch(pattern.to_owned()));
        }
    } else {
        return Err(HistoryError::NoFile(pattern.to_owned()));
    }
    found.sort_by_cached_key(|path| name_of(path));
    Ok(found)
}

/// The error for an invalid glob.
pub(crate) fn not_a_glob(pattern: &str, why: &str) -> HistoryError {
    HistoryError::Location(format!("`{}` is not a glob: {why}", quoted(pattern)))
}

/// Adds the record files in a folder and its subfolders. Hidden files are skipped, and so are links to folders, because
/// they may form a cycle. Files that git ignores are read: records contain personal data, so repositories often ignore
/// them.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let unreadable = |error| HistoryError::unreadable(folder, error);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if entry.file_type().map_err(unreadable)?.is_dir() {
            walk(&path, found)?;
        } else if path.is_file() && Format::of_path(&path).is_some() {
            found.push(path);
        }
    }
    Ok(())
}
