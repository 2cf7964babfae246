//! The sample messages of drafts: how long they are, and what makes them longer.

use std::path::Path;

use serde::Serialize;
use tollproof_core::document::Document;
use tollproof_core::{Format, KindHint, Parsed, SmsLength, Source, SourceDocument, kind_of, one_line};

/// The reason that a text has no sample message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSampleMessage {
    /// The drafts have none.
    #[error("{} in `{name}` {} sample message", if *drafts == 1 { "the draft" } else { "no draft" },
        if *drafts == 1 { "has no" } else { "has a" })]
    InDrafts {
        /// The name of the text.
        name: String,
        /// The number of its drafts.
        drafts: usize,
    },
    /// By its name, the text should have drafts, and it has none.
    #[error("there is no draft in `{name}`; for the text of a message, use --text")]
    NoDraft {
        /// The name of the text.
        name: String,
    },
}

/// The sample messages in a file: those of the drafts and records in it, or all of it if it is a text. Also returns notes
/// about drafts that cannot be read completely.
///
/// # Errors
///
/// No draft, or none with a sample message.
pub fn sample_messages(
    parsed: &Parsed<'_>,
    hint: KindHint,
) -> Result<(Vec<SampleMessage>, Vec<String>), NoSampleMessage> {
    let source = parsed.source();
    let name = one_line(source.name());
    let mut found = Vec::new();
    let mut notes = Vec::new();
    let mut drafts = 0_usize;
    for block in parsed.blocks() {
        for document in block.documents() {
            let Some(root) = &document.document().root else { continue };
            let Some(kind) = kind_of(&document, hint) else { continue };
            let all = kind.sample_messages(root);
            if all.is_empty() && !kind.is_request() {
                continue;
            }
            drafts += 1;
            if is_broken(&document) {
                let place = format!("{name}: document {}", document.index + 1);
                notes.push(format!("note: {place} has syntax errors; `tollproof check` shows them"));
            }
            for (field, node) in all {
                let text = node.as_str().unwrap_or_default();
                let place = SamplePlace {
                    document: document.index,
                    provider: kind.provider().name(),
                    line: line_of(document, node.span.start),
                    field,
                };
                found.push(SampleMessage::of(Some(place), text));
            }
        }
    }
    match found.is_empty() {
        false => Ok((found, notes)),
        true if drafts > 0 => Err(NoSampleMessage::InDrafts { name, drafts }),
        // A file with the ending of a draft is not a text.
        true if Format::of_path(Path::new(source.name())).is_some() => Err(NoSampleMessage::NoDraft { name }),
        true => Ok((vec![SampleMessage::of_text(source)], notes)),
    }
}

/// Whether a document could not be read completely.
fn is_broken(document: &Document<'_>) -> bool {
    document.syntax_errors.iter().any(|error| !error.problem.keeps_content())
}

/// The line of a document's file at an offset.
fn line_of(document: SourceDocument<'_>, offset: u32) -> usize {
    document.source().place(offset).line
}

/// The place of a sample message.
#[derive(Debug, Serialize)]
pub struct SamplePlace {
    /// The position of the draft in its file, counted from 0.
    pub document: usize,
    /// The provider of the draft.
    pub provider: &'static str,
    /// The field with the message.
    pub field: String,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A message and its length.
#[derive(Debug, Serialize)]
pub struct SampleMessage {
    /// Its place; `None` if the whole text is the message.
    #[serde(flatten)]
    pub place: Option<SamplePlace>,
    /// The text.
    pub text: String,
    /// Characters as readers count them in a text.
    pub characters: usize,
    /// Its length.
    #[serde(flatten)]
    pub length: MessageLength,
    /// The characters that make it longer.
    pub longer: Vec<LongerCharacters>,
    /// The text with plain characters instead of those, if it is sent in fewer segments or as GSM-7 then.
    pub plain: Option<PlainMessage>,
}

/// The length of a message when it is sent.
#[derive(Debug, Serialize)]
pub struct MessageLength {
    /// GSM-7 or UCS-2.
    pub encoding: &'static str,
    /// Septets of GSM-7, or UTF-16 code units of UCS-2.
    pub units: usize,
    /// The units until there is one more segment.
    pub room: usize,
    /// The number of messages that each recipient costs.
    pub segments: usize,
    /// The units of a single segment.
    #[serde(skip)]
    pub alone: usize,
}

/// Characters that make a message longer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LongerCharacters {
    /// The text.
    pub text: String,
    /// The place in bytes of the message.
    pub start: usize,
    /// Its end in bytes, exclusive.
    pub end: usize,
    /// As Unicode names code points: `U+2019`.
    pub code_points: Vec<String>,
    /// The text to write instead; empty to delete it, null if nothing means the same.
    pub plain: Option<String>,
}

/// A message in plain characters.
#[derive(Debug, Serialize)]
pub struct PlainMessage {
    /// The text.
    pub text: String,
    /// Its length.
    #[serde(flatten)]
    pub length: MessageLength,
}

impl MessageLength {
    /// The length of a message as tollproof tells it.
    #[must_use]
    pub fn of(length: &SmsLength) -> Self {
        let &SmsLength { units, room, segments, .. } = length;
        let alone = if length.is_unicode() { 70 } else { 160 };
        Self { encoding: length.encoding(), units, room, segments, alone }
    }
}

impl SampleMessage {
    fn of(place: Option<SamplePlace>, text: &str) -> Self {
        let length = SmsLength::of(text);
        let longer = length.longer.iter().map(|longer| LongerCharacters {
            text: text[longer.range.clone()].to_owned(),
            start: longer.range.start,
            end: longer.range.end,
            code_points: text[longer.range.clone()]
                .chars()
                .map(|c| format!("U+{:04X}", u32::from(c)))
                .collect(),
            plain: longer.plain.as_deref().map(str::to_owned),
        });
        let rewritten = length.plain(text);
        let after = SmsLength::of(&rewritten);
        let is_better = after.segments < length.segments || after.is_unicode() != length.is_unicode();
        Self {
            place,
            text: text.to_owned(),
            characters: text.chars().count(),
            length: MessageLength::of(&length),
            // Characters of two septets matter only where there is a segment too many.
            longer: longer.take(if length.is_unicode() || is_better { usize::MAX } else { 0 }).collect(),
            plain: is_better.then(|| PlainMessage { length: MessageLength::of(&after), text: rewritten }),
        }
    }

    /// The message that a text is. The end of its last line is not part of it.
    #[must_use]
    pub fn of_text(source: &Source<'_>) -> Self {
        let text = source.text();
        let text = text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text));
        Self::of(None, text)
    }
}
