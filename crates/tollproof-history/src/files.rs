//! A history of files: verification records as they were fetched.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Source, Submission, quoted};

use crate::entry::{self, Entry, key};
use crate::error::HistoryError;
use crate::globs::glob;
use crate::lookup::Wanted;
use crate::reading::{self, name_of};

/// What a path has only where it is a glob.
pub(crate) const WILDCARDS: [char; 4] = ['*', '?', '[', '{'];

/// The submissions of some files, held in memory.
#[derive(Debug, Default)]
pub(crate) struct Files {
    submissions: Vec<Submission>,
    /// The ids of all submissions that ever had a number.
    by_number: HashMap<String, Vec<String>>,
    /// All versions of a submission.
    by_id: HashMap<String, Vec<usize>>,
    pub(crate) notes: HashMap<String, Timestamp>,
    /// Documents that are no records.
    pub(crate) skipped: Vec<String>,
}

impl Files {
    /// Reads all files that a path or a glob names.
    pub(crate) fn open(pattern: &str) -> Result<Self, HistoryError> {
        let mut files = Self::default();
        for path in find_one(pattern)? {
            files.read(&path)?;
        }
        Ok(files)
    }

    fn read(&mut self, path: &Path) -> Result<(), HistoryError> {
        let bytes = reading::read(path).map_err(|error| HistoryError::unreadable(path, error))?;
        let source = Source::from_bytes(name_of(path), bytes);
        entry::each(&Parsed::of(&source, None), 1, |entry| {
            match entry.map_err(HistoryError::Record)? {
                Entry::Record(submission, record) => {
                    for number in record.numbers {
                        self.by_number.entry(number).or_default().push(record.id.clone());
                    }
                    self.by_id.entry(record.id).or_default().push(self.submissions.len());
                    self.submissions.push(*submission);
                }
                Entry::Note(note, _) => {
                    let noted = self.notes.entry(note.id).or_insert(note.notified_at);
                    *noted = note.notified_at.max(*noted);
                }
                Entry::Other(other) => self.skipped.push(other.to_string()),
            }
            Ok(())
        })
    }

    /// All versions of the submissions that are wanted.
    pub(crate) fn look_up(&self, wanted: &Wanted) -> Vec<Submission> {
        let of_numbers = wanted.numbers.iter().filter_map(|it| self.by_number.get(&key(it))).flatten();
        let ids = of_numbers.cloned().chain(wanted.ids.iter().map(|it| key(it)));
        let mut found: Vec<usize> = ids.filter_map(|id| self.by_id.get(&id)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|at| self.submissions[at].clone()).collect()
    }
}

/// The files of paths, folders and globs.
///
/// # Errors
///
/// A path that is not there, and a glob that matches nothing.
pub fn find(patterns: &[String]) -> Result<Vec<PathBuf>, HistoryError> {
    let mut all = Vec::new();
    for pattern in patterns {
        all.extend(find_one(pattern)?);
    }
    Ok(all)
}

/// The files of a path, a folder or a glob, in the order of their names.
fn find_one(pattern: &str) -> Result<Vec<PathBuf>, HistoryError> {
    let path = Path::new(pattern);
    let mut found = Vec::new();
    if path.is_dir() {
        walk(path, &mut found)?;
    } else if path.exists() {
        found.push(path.to_owned());
    } else if pattern.contains(WILDCARDS) {
        let glob = glob(&name_of(path)).map_err(|why| not_a_glob(pattern, &why))?;
        let is_plain = |it: &Component<'_>| !it.as_os_str().to_string_lossy().contains(WILDCARDS);
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

/// Why a pattern is not a glob.
pub(crate) fn not_a_glob(pattern: &str, why: &str) -> HistoryError {
    HistoryError::Location(format!("`{}` is not a glob: {why}", quoted(pattern)))
}

/// Adds the record files below a folder. Hidden ones are passed over, and so are links to folders, which may lead
/// back up. What git ignores is read: records hold personal data, so a repository may well ignore them.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), HistoryError> {
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
