//! Reads NDJSON: one JSON document per line; empty lines are ignored.

use std::collections::BTreeSet;

use memchr::{memchr, memchr_iter, memrchr};
use serde::de::IgnoredAny;

use super::errors::SyntaxErrors;
use super::{beginning, envelope, json};
use crate::syntax::document::{Document, SyntaxError, SyntaxErrorKind};
use crate::syntax::part_start::PartStart;
use crate::syntax::source::Span;

/// A block ends after this many bytes of text, so that memory use does not grow with the file.
pub(super) const BLOCK_BYTES: usize = 256 << 10;

/// A block ends after this many documents: a line of two bytes can have an error of a thousand bytes.
pub(super) const BLOCK_DOCUMENTS: usize = 256;

/// The lines of an NDJSON text, read on demand.
#[derive(Clone, Debug)]
pub(super) struct Lines<'s> {
    text: &'s str,
    /// The offset of the next line.
    offset: usize,
    /// The number of documents read so far.
    read: usize,
}

/// The lines of an NDJSON text; as an error, the documents of a text that is empty or one multi-line JSON value.
///
/// A part that does not begin where its file begins is always lines, perhaps none.
pub(super) fn read(text: &str, start: PartStart) -> Result<Lines<'_>, Vec<Document<'_>>> {
    if !start.is_first() {
        return Ok(Lines { text, offset: 0, read: start.documents });
    }
    if let Some(syntax_error) = over_several_lines(text) {
        let mut documents = json::read(text);
        documents.iter_mut().take(1).for_each(|first| first.syntax_errors.insert(0, syntax_error.clone()));
        return Err(documents);
    }
    let lines = Lines { text, offset: beginning(text), read: 0 };
    if lines.has_more() {
        return Ok(lines);
    }
    let syntax_errors = vec![SyntaxErrors::nothing_to_read(text, "this file")];
    Err(vec![Document { syntax_errors, ..Document::default() }])
}

impl<'s> Lines<'s> {
    pub(super) fn has_more(&self) -> bool {
        self.text[self.offset..].lines().any(|line| !is_blank(line))
    }

    /// The documents of the next block; empty only at the end of the text.
    pub(super) fn block(&mut self) -> Vec<Document<'s>> {
        let mut documents = Vec::new();
        let end = self.offset.saturating_add(BLOCK_BYTES);
        while documents.is_empty() || self.offset < end && documents.len() < BLOCK_DOCUMENTS {
            let rest = &self.text[self.offset..];
            if rest.is_empty() {
                break;
            }
            let line = &rest[..memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1)];
            if !is_blank(line) {
                documents.push(envelope::unwrap_line(json::read_one(line, self.offset, self.read)));
                self.read += 1;
            }
            self.offset += line.len();
        }
        documents
    }
}

/// Some documents of an NDJSON text by their numbers. `None` if the text does not have as many lines as `count`.
pub(super) fn read_some<'s>(
    text: &'s str,
    start: PartStart,
    wanted: &BTreeSet<usize>,
    count: usize,
) -> Option<Vec<Document<'s>>> {
    let mut documents = Vec::with_capacity(wanted.len());
    let mut number = start.documents;
    let mut offset = if start.is_first() { beginning(text) } else { 0 };
    for end in memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).chain([text.len()]) {
        let Some(line) = text.get(offset..end) else { continue };
        if !is_blank(line) {
            let read = || envelope::unwrap_line(json::read_one(line, offset, number));
            documents.extend(wanted.contains(&number).then(read));
            number += 1;
        }
        offset = end;
    }
    (number - start.documents == count).then_some(documents)
}

/// Whether a string contains only JSON whitespace, which excludes form feeds and no-break spaces.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The end of the last complete line in a text that may continue, and the number of documents up to there.
pub(super) fn lines_in(text: &[u8], is_end: bool) -> (usize, usize) {
    let end = if is_end { text.len() } else { memrchr(b'\n', text).map_or(0, |at| at + 1) };
    let (mut documents, mut start) = (0, 0);
    for line_end in memchr_iter(b'\n', &text[..end]).chain([end]) {
        let is_blank = text[start..line_end].iter().all(|it| matches!(it, b' ' | b'\t' | b'\r'));
        documents += usize::from(!is_blank);
        start = (line_end + 1).min(end);
    }
    (end, documents)
}

/// The error for a text that is a single JSON value written over several lines.
fn over_several_lines(text: &str) -> Option<SyntaxError> {
    let is_value = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let start = beginning(text);
    let text = &text[start..];
    let line = text.lines().find(|line| !is_blank(line))?;
    if is_value(line) || !is_value(text) {
        return None;
    }
    let written = line.trim();
    let start = start + written.as_ptr() as usize - text.as_ptr() as usize;
    let span = Span::new(start, start + written.len());
    let syntax_error = SyntaxError::new(SyntaxErrorKind::Syntax, span, "this JSON value spans several lines");
    Some(syntax_error.help("Name the file .json, or write each draft on its own line."))
}
