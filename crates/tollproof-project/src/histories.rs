//! What is known of a project's numbers: the histories that it asks, and a record that it was handed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::{NoRecord, Parsed, References, Source, Submission};
use tollproof_history::{Access, HistoryError, HistorySet, Location, Query, QueryResult, name_of, reason};

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
    /// The document is not a record.
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
    #[error("`{}` must contain exactly one record", name_of(.0))]
    NotOne(PathBuf),
    /// The draft is a submit request, which changes no record.
    #[error("a record is for an update request, and this is a submit request")]
    NotAnUpdate,
    /// More than one draft is checked, and only one can change the record.
    #[error("a record is for one draft")]
    SeveralDrafts,
}

/// The histories of one configuration, opened.
#[derive(Debug, Default)]
pub(crate) struct Histories(Option<HistorySet>);

/// Texts beyond the one that was checked, which findings point into.
#[derive(Clone, Debug)]
pub struct RelatedTexts {
    /// Those that lie in no file, by name.
    texts: Arc<HashMap<String, String>>,
    files: Arc<dyn Files>,
}

impl Histories {
    /// Opens histories to read them; a list of none is fine too.
    pub(crate) fn open(locations: &[Location]) -> Result<Self, HistoryError> {
        if locations.is_empty() {
            return Ok(Self::default());
        }
        HistorySet::open(locations, Access::Read).map(|past| Self(Some(past)))
    }

    /// The documents in files of records that are not records.
    pub(crate) fn skipped(&self) -> Vec<String> {
        self.0.iter().flat_map(HistorySet::skipped).map(str::to_owned).collect()
    }

    /// Whether there is any.
    pub(crate) fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// What is known of the numbers and records that drafts name.
    pub(crate) fn look_up(&mut self, names: References) -> Result<QueryResult, HistoryError> {
        let query = Query { numbers: names.numbers, ids: names.records };
        self.0.as_mut().map_or_else(|| Ok(QueryResult::default()), |past| past.look_up(&query))
    }
}

impl RelatedTexts {
    pub(crate) fn new(texts: HashMap<String, String>, files: Arc<dyn Files>) -> Self {
        Self { texts: Arc::new(texts), files }
    }

    /// The text of a name: a record from a store, or a file.
    #[must_use]
    pub fn open(&self, name: &str) -> Option<Source<'static>> {
        if let Some(text) = self.texts.get(name) {
            return Some(Source::new(name, text.clone()));
        }
        let bytes = self.files.read(Path::new(name)).ok()?;
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
/// A file that cannot be read, is not a record, or holds more than one.
pub(crate) fn read_record(files: &dyn Files, path: &Path) -> Result<Submission, RecordError> {
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
