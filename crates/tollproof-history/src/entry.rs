//! The entries of a history, read from documents: records and notes.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tollproof_core::document::Node;
use tollproof_core::{NoRecord, NumberKey, Parsed, SourceDocument, Submission, json_of};

use crate::error::BadRecord;

/// One version of a verification record, as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the submission, in lower case.
    pub id: String,
    /// The keys of its numbers.
    pub numbers: Vec<String>,
    /// Whether `numbers` are names of the same number.
    pub names_one: bool,
    /// Whether the review has not ended.
    pub is_open: bool,
    /// The status as the provider's API returned it.
    pub status: String,
    /// The time of the record's last change.
    pub updated_at: Option<Timestamp>,
    /// The complete record as one line of JSON.
    pub body: String,
}

/// A note: when the authority's notification of a submission was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The id of the submission, in lower case.
    pub id: String,
    /// The receipt time of the notification.
    pub notified_at: Timestamp,
}

/// One document of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HistoryEntry {
    /// A record, and the submission that it describes.
    Record(Box<Submission>, Record),
    /// A note, and the error to report if its submission is unknown.
    Note(Note, BadRecord),
    /// Something else, which is skipped and reported.
    Other(BadRecord),
}

impl Record {
    /// Identifies a version of a record: the first 16 bytes of the SHA-256 of its body.
    pub(crate) fn digest(&self) -> [u8; 16] {
        let digest = Sha256::digest(self.body.as_bytes());
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        half
    }
}

impl Note {
    /// The note as one line of JSON, as exported.
    pub fn line(&self) -> String {
        let id = serde_json::Value::from(self.id.as_str());
        format!("{{\"id\":{id},\"notifiedAt\":\"{}\"}}", self.notified_at)
    }

    /// Reads a note. `None` unless the document has exactly the keys `id` and `notifiedAt`.
    fn read(root: &Node<'_>) -> Option<Result<Self, &'static str>> {
        if root.members().len() != 2 {
            return None;
        }
        let text = |key: &str| Some(root.get(key)?.as_str().unwrap_or_default().trim());
        let (id, time) = (text("id")?, text("notifiedAt")?);
        Some(match time.parse() {
            _ if id.is_empty() => Err("the `id` of this note is empty; set it to the id of a submission"),
            Err(_) => {
                Err("the `notifiedAt` of this note is not a valid time; write it like 2026-11-14T08:00:00Z")
            }
            Ok(notified_at) => Ok(Self { id: key(id), notified_at }),
        })
    }
}

/// The id of a submission as it is compared: trimmed, in lower case.
pub(crate) fn key(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

/// The name of a number as it is compared.
pub(crate) fn number_key(text: &str) -> String {
    NumberKey::of(text).into_string()
}

/// The name of a number for people: E.164, or an identifier in the case in which it was written.
pub(crate) fn shown_number(text: &str) -> String {
    let key = NumberKey::of(text);
    if key.is_e164() { key.into_string() } else { text.trim().to_owned() }
}

/// The name for people of the number with a key, by the names in a record.
pub(crate) fn shown_of(number: &str, names: &[String]) -> String {
    let written = names.iter().find(|it| number_key(it) == number);
    written.map_or_else(|| number.to_owned(), |it| shown_number(it))
}

/// Calls `visit` for each entry or invalid entry of a text. `first_line` is the line number of the start of the text.
pub(crate) fn each<E>(
    parsed: &Parsed<'_>,
    first_line: usize,
    mut visit: impl FnMut(Result<HistoryEntry, BadRecord>) -> Result<(), E>,
) -> Result<(), E> {
    for block in parsed.blocks() {
        block.documents().try_for_each(|document| visit(entry(document, first_line)))?;
    }
    Ok(())
}

fn entry(document: SourceDocument<'_>, first_line: usize) -> Result<HistoryEntry, BadRecord> {
    let source = document.source();
    let at = |start: u32, what: String| {
        let place = source.place(start);
        let line = place.line + first_line - 1;
        BadRecord { file: source.name().to_owned(), line, column: place.column, what }
    };
    let refused = match Submission::read(document) {
        Ok(submission) => {
            let root = document.root.as_ref().expect("a submission was read from it");
            let names = submission.numbers.iter().chain([&submission.id]);
            if names.flat_map(|it| it.chars()).any(char::is_control) {
                return Err(at(
                    root.span.start,
                    "an id or number of this record contains a control character; remove it".to_owned(),
                ));
            }
            let record = Record {
                id: key(&submission.id),
                numbers: submission.numbers.iter().map(|it| number_key(it)).collect(),
                names_one: submission.names_one,
                is_open: submission.is_open(),
                status: submission.status.replace(char::is_control, " "),
                updated_at: submission.updated_at,
                body: json_of(root),
            };
            return Ok(HistoryEntry::Record(Box::new(submission), record));
        }
        Err(refused) => refused,
    };
    let start = document.root.as_ref().map_or(0, |root| root.span.start);
    match &refused {
        NoRecord::Unreadable { at: span, message } => Err(at(span.start, message.clone())),
        NoRecord::Incomplete { at: span, what } => Err(at(span.start, (*what).to_owned())),
        NoRecord::Other(_) => match document.root.as_ref().and_then(Note::read) {
            Some(Ok(note)) => {
                let what = "this note is for a submission that is not in the history; import its record too"
                    .to_owned();
                Ok(HistoryEntry::Note(note, at(start, what)))
            }
            Some(Err(why)) => Err(at(start, why.to_owned())),
            None => Ok(HistoryEntry::Other(at(start, refused.to_string()))),
        },
    }
}
