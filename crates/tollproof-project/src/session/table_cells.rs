//! The cells of a CSV row as they are written, which the draft made of it no longer shows.

use std::ops::Range;

use memchr::{memchr, memchr2};
use tollproof_core::document::Node;

/// More cells of a row than this are not shown.
const MAX_CELLS: usize = 300;

/// Place of a cell, with its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenCell {
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
}

/// The delimiter of a table, which is next to the names of its columns.
pub(super) fn delimiter(text: &str, row: &Node<'_>) -> u8 {
    let is_delimiter = |byte: &u8| matches!(byte, b',' | b';' | b'\t');
    let bytes = text.as_bytes();
    let spans = row.members().iter().map(|it| it.key_span);
    let mut beside = spans.flat_map(|span| {
        let before = (span.start as usize).checked_sub(1);
        [Some(span.end as usize), before].into_iter().flatten().filter_map(|at| bytes.get(at).copied())
    });
    beside.find(is_delimiter).unwrap_or(b',')
}

/// The cells of the row that begins at an offset (RFC 4180).
pub(super) fn row(text: &str, start: usize, delimiter: u8) -> Vec<WrittenCell> {
    let bytes = text.as_bytes();
    let mut cells = Vec::new();
    let mut at = start;
    while cells.len() < MAX_CELLS && at <= bytes.len() {
        let is_quoted = bytes.get(at) == Some(&b'"');
        let mut end = at;
        if is_quoted {
            end = closing_quote(bytes, at + 1).map_or(bytes.len(), |quote| quote + 1);
        }
        let value_end = end;
        end += memchr2(delimiter, b'\n', &bytes[end..]).unwrap_or(bytes.len() - end);
        let is_last = bytes.get(end) != Some(&delimiter);
        let without_break = if is_last && end > value_end && bytes[end - 1] == b'\r' { end - 1 } else { end };
        let range = at..if is_quoted { value_end } else { without_break };
        cells.push(WrittenCell { range, is_quoted });
        if is_last {
            break;
        }
        at = end + 1;
    }
    cells
}

/// The offset of the quote that closes a cell. Two quotes are one in its text.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let quote = at + memchr(b'"', bytes.get(at..)?)?;
        if bytes.get(quote + 1) != Some(&b'"') {
            return Some(quote);
        }
        at = quote + 2;
    }
}
