//! What a history is made of, read from texts: records, and notes on them.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use tollproof_core::document::Node;
use tollproof_core::{NoRecord, Parsed, SourceDocument, Submission, json_of};

use crate::error::BadRecord;

/// One version of a verification record, as stores keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the submission, in small letters.
    pub id: String,
    /// Its numbers, in small letters.
    pub numbers: Vec<String>,
    /// The status as the interface returned it.
    pub status: String,
    /// When the record was last changed.
    pub updated_at: Option<Timestamp>,
    /// The whole record as one line of JSON.
    pub body: String,
}

/// When the authority's notification of a submission was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The id of the submission, in small letters.
    pub id: String,
    /// When it was received.
    pub notified_at: Timestamp,
}

/// A document of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A record, and the submission that it tells of.
    Record(Box<Submission>, Record),
    /// A note, and where it stands.
    Note(Note, BadRecord),
    /// Something else: it is passed over, and named.
    Other(BadRecord),
}

impl Record {
    /// Tells versions of a record apart.
    pub(crate) fn digest(&self) -> [u8; 16] {
        let digest = Sha256::digest(self.body.as_bytes());
        let mut half = [0; 16];
        half.copy_from_slice(&digest[..16]);
        half
    }
}

impl Note {
    /// The note as one line of JSON, as an export has it.
    #[must_use]
    pub fn line(&self) -> String {
        let id = serde_json::Value::from(self.id.as_str());
        format!("{{\"id\":{id},\"notifiedAt\":\"{}\"}}", self.notified_at)
    }

    /// A document is a note where it has the two keys of one and no others.
    fn read(root: &Node<'_>) -> Option<Result<Self, &'static str>> {
        if root.members().len() != 2 {
            return None;
        }
        let text = |key: &str| Some(root.get(key)?.as_str().unwrap_or_default().trim());
        let (id, time) = (text("id")?, text("notifiedAt")?);
        Some(match time.parse() {
            _ if id.is_empty() => Err("this note has no id, so it belongs to no record"),
            Err(_) => Err("the `notifiedAt` of this note is no time"),
            Ok(notified_at) => Ok(Self { id: key(id), notified_at }),
        })
    }
}

/// Ids and numbers are the same whatever their case.
pub(crate) fn key(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

/// Hands over the entries of a text, or what is wrong with them; `first_line` is the number of its first line.
pub(crate) fn each<E>(
    parsed: &Parsed<'_>,
    first_line: usize,
    mut take: impl FnMut(Result<Entry, BadRecord>) -> Result<(), E>,
) -> Result<(), E> {
    for block in parsed.blocks() {
        block.documents().try_for_each(|document| take(entry(document, first_line)))?;
    }
    Ok(())
}

fn entry(document: SourceDocument<'_>, first_line: usize) -> Result<Entry, BadRecord> {
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
                    "an identifier of this record holds a control character".to_owned(),
                ));
            }
            let record = Record {
                id: key(&submission.id),
                numbers: submission.numbers.iter().map(|it| key(it)).collect(),
                status: submission.status.replace(char::is_control, " "),
                updated_at: submission.updated_at,
                body: json_of(root),
            };
            return Ok(Entry::Record(Box::new(submission), record));
        }
        Err(refused) => refused,
    };
    let start = document.root.as_ref().map_or(0, |root| root.span.start);
    match &refused {
        NoRecord::Unreadable { at: span, message } => Err(at(span.start, message.clone())),
        NoRecord::Incomplete { at: span, what } => Err(at(span.start, (*what).to_owned())),
        NoRecord::Other(_) => match document.root.as_ref().and_then(Note::read) {
            Some(Ok(note)) => {
                let what = "this note is about a submission that the history does not know".to_owned();
                Ok(Entry::Note(note, at(start, what)))
            }
            Some(Err(why)) => Err(at(start, why.to_owned())),
            None => Ok(Entry::Other(at(start, refused.to_string()))),
        },
    }
}
