//! What is known of a project's numbers: the histories that it asks, and a record that it was handed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use tollproof_core::{Facts, Names, NoRecord, Parsed, Source, Submission};
use tollproof_history::{Access, HistoryError, HistorySet, Location, Query, name_of, reason};

use crate::config::ConfigFile;
use crate::files::Files;

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read.
    #[error("cannot open the record `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The document is no record.
    #[error("cannot use the record `{}`{}: {error}", name_of(path), place(*at))]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line and column in code points, each from 1, if it is known what is wrong where.
        at: Option<(usize, usize)>,
        /// What is wrong.
        #[source]
        error: NoRecord,
    },
    /// The file holds several documents or none.
    #[error("`{}` must hold one record, and holds several documents or none", name_of(.0))]
    NotOne(PathBuf),
}

/// Histories, opened, with the texts of the records that were found last.
#[derive(Debug, Default)]
pub struct Histories {
    past: Option<HistorySet>,
    texts: HashMap<String, String>,
}

impl Histories {
    /// Opens histories; none of them is fine too.
    ///
    /// # Errors
    ///
    /// A history that cannot be used.
    pub fn open(locations: &[Location], access: Access) -> Result<Self, HistoryError> {
        if locations.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self { past: Some(HistorySet::open(locations, access)?), texts: HashMap::new() })
    }

    /// The documents in files of records that are no records.
    pub fn skipped(&self) -> impl Iterator<Item = &str> {
        self.past.iter().flat_map(HistorySet::skipped)
    }

    /// Whether there is any.
    #[must_use]
    pub fn are_known(&self) -> bool {
        self.past.is_some()
    }

    /// Hands the past of what drafts name to the facts, in place of what was known before.
    ///
    /// # Errors
    ///
    /// A history that cannot be read.
    pub fn tell(&mut self, names: Names, facts: &mut Facts) -> Result<(), HistoryError> {
        let Some(past) = &mut self.past else { return Ok(()) };
        let wanted = Query { numbers: names.numbers, ids: names.records };
        let found = past.look_up(&wanted)?;
        facts.history = found.history;
        self.texts = found.texts;
        Ok(())
    }

    /// Another text that a finding points into: a record from a store, or a file.
    #[must_use]
    pub fn reopen(&self, name: &str) -> Option<Source<'static>> {
        if let Some(text) = self.texts.get(name) {
            return Some(Source::new(name, text.clone()));
        }
        let bytes = tollproof_history::read(Path::new(name)).ok()?;
        Some(Source::from_bytes(name, bytes))
    }
}

/// Where earlier submissions are kept: in the histories that are named, or else in those of the configuration.
///
/// # Errors
///
/// A name that is not that of a history.
pub fn history_locations(named: &[String], config: &ConfigFile) -> Result<Vec<Location>, HistoryError> {
    if named.is_empty() {
        return Ok(config.history.clone());
    }
    named.iter().map(|name| name.parse()).collect()
}

/// Reads the one record that a file holds.
///
/// # Errors
///
/// A file that cannot be read, is no record, or holds more than one.
pub fn read_record(files: &dyn Files, path: &Path) -> Result<Submission, RecordError> {
    let bytes = files.read(path).map_err(|error| RecordError::Unreadable { path: path.to_owned(), error })?;
    let source = Source::from_bytes(name_of(path), bytes);
    match Parsed::of(&source, None).only() {
        Some(document) => Submission::read(document).map_err(|error| {
            let at = error.at().map(|at| source.place(at.start)).map(|it| (it.line, it.column));
            RecordError::Invalid { path: path.to_owned(), at, error }
        }),
        None => Err(RecordError::NotOne(path.to_owned())),
    }
}

/// ` (line 3, column 5)`.
fn place(at: Option<(usize, usize)>) -> String {
    at.map(|(line, column)| format!(" (line {line}, column {column})")).unwrap_or_default()
}
