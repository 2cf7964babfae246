//! Data about the numbers of drafts: the configured histories, and the record given with `--record`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tollproof_core::{FilePlace, NoRecord, Parsed, PartStart, References, Related, Source, Span, Submission};
use tollproof_history::{
    Access, HistoryError, HistorySet, Host, Location, Query, QueryResult, name_of, reason,
};

use crate::files::Files;

/// Length shown of a line before and after a place in it, in bytes.
const LINE_WINDOW: usize = 32 << 10;

/// A record's error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The file cannot be read.
    #[error("cannot open the record `{}`: {}", name_of(path), reason(error))]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The document is not a record.
    #[error("cannot use the record `{}`{}: {error}", name_of(path), place(*at))]
    Invalid {
        /// The path of the file.
        path: PathBuf,
        /// The line and column of the error in code points, from 1, if they are known.
        at: Option<(usize, usize)>,
        /// The problem.
        #[source]
        error: NoRecord,
    },
    /// The file contains several documents or none.
    #[error("`{}` must contain exactly one record", name_of(.0))]
    NotOne(PathBuf),
    /// The draft is a submit request, which does not change a record.
    #[error("a record is for an update request, and this is a submit request")]
    NotAnUpdate,
    /// Several drafts are checked, but the record belongs to one of them.
    #[error("a record is for one draft")]
    SeveralDrafts,
}

/// The open histories of one configuration; `None` if it has no history.
#[derive(Debug, Default)]
pub(crate) struct Histories(Option<HistorySet>);

/// Other texts that findings point into, such as records.
#[derive(Clone, Debug)]
pub struct RelatedTexts {
    /// Texts that are not files, by name.
    texts: Arc<HashMap<String, String>>,
    files: Arc<dyn Files>,
}

impl Histories {
    /// Opens histories for reading, for what belongs to a host. The list may be empty.
    pub(crate) fn open(locations: &[Location], host: &Host) -> Result<Self, HistoryError> {
        if locations.is_empty() {
            return Ok(Self::default());
        }
        HistorySet::open(locations, Access::Read).map(|past| Self(Some(past.at(host.clone()))))
    }

    /// The documents in record files that are not records.
    pub(crate) fn skipped(&self) -> Vec<String> {
        self.0.iter().flat_map(HistorySet::skipped).map(str::to_owned).collect()
    }

    /// Whether the configuration has a history.
    pub(crate) fn are_known(&self) -> bool {
        self.0.is_some()
    }

    /// Looks up the numbers and records that drafts name.
    pub(crate) fn look_up(&mut self, names: References) -> Result<QueryResult, HistoryError> {
        let query = Query { numbers: names.numbers, ids: names.records };
        self.0.as_mut().map_or_else(|| Ok(QueryResult::default()), |past| past.look_up(&query))
    }
}

impl RelatedTexts {
    pub(crate) fn new(texts: HashMap<String, String>, files: Arc<dyn Files>) -> Self {
        Self { texts: Arc::new(texts), files }
    }

    /// The text with a name: a record from a store, or a file.
    pub fn open(&self, name: &str) -> Option<Source<'static>> {
        if let Some(text) = self.texts.get(name) {
            return Some(Source::new(name, text.clone()));
        }
        let bytes = self.files.read(Path::new(name)).ok()?;
        Some(Source::from_bytes(name, bytes))
    }

    /// The text that a finding of the source `here` points into, and the place in it.
    pub fn open_place(&self, here: &str, related: &Related) -> Option<(Source<'static>, Span)> {
        let file = related.file.as_deref();
        match &related.place {
            Some(place) => self.open_line(file.unwrap_or(here), place),
            None => Some((self.open(file?)?, related.span?)),
        }
    }

    /// The line of a file that contains a place, or its part next to the place, and the place in it.
    ///
    /// `None` if the file cannot be read again, such as standard input or a compressed file.
    fn open_line(&self, name: &str, place: &FilePlace) -> Option<(Source<'static>, Span)> {
        let before = place.offset.min(LINE_WINDOW as u64);
        let from = place.offset - before;
        let mut bytes = self.files.read_range(Path::new(name), from, 2 * LINE_WINDOW).ok()?;
        let at = usize::try_from(before).ok()?;
        let end = at.checked_add(place.bytes as usize).filter(|&it| it <= bytes.len())?;
        let line_end = bytes[end..].iter().position(|&it| it == b'\n').map_or(bytes.len(), |it| end + it);
        let line_start = bytes[..at].iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
        bytes.truncate(line_end);
        bytes.drain(..line_start);
        // The window may begin and end within a character.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let start = PartStart {
            bytes: from + line_start as u64,
            lines: place.position.line - 1,
            ..PartStart::default()
        };
        let span = Span::new(at - line_start, end - line_start);
        let source = Source::part(name, text.into_bytes(), start);
        (!source.slice(span).is_empty()).then_some((source, span))
    }
}

/// Reads the single record of a file.
///
/// # Errors
///
/// A file that cannot be read, is not a record, or contains more than one.
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
