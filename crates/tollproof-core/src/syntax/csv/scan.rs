//! Finds the ends of cells and rows in CSV (RFC 4180), without decoding them.

use memchr::{memchr, memchr2};

/// The bytes that may separate cells; the header row decides.
const DELIMITERS: [u8; 3] = *b",;\t";

/// The maximum number of columns. A draft has 24 fields.
pub(super) const MAX_COLUMNS: usize = 256;

/// The extent of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellExtent {
    /// The offset after the cell, which is that of the delimiter or line break after it.
    pub(super) end: usize,
    /// The offset of the closing quote, if the cell has one.
    pub(super) quote: Option<usize>,
    /// Whether the cell begins with a quote.
    pub(super) is_quoted: bool,
}

/// Finds the end of the cell that begins at an offset. Quotes only count at the beginning of a cell.
pub(super) fn cell(text: &[u8], start: usize, delimiter: u8) -> CellExtent {
    let is_quoted = text.get(start) == Some(&b'"');
    let mut quote = None;
    let mut at = start;
    if is_quoted {
        at += 1;
        loop {
            match memchr(b'"', &text[at..]) {
                None => return CellExtent { end: text.len(), quote, is_quoted },
                // Two quotes stand for one.
                Some(found) if text.get(at + found + 1) == Some(&b'"') => at += found + 2,
                Some(found) => {
                    quote = Some(at + found);
                    at += found + 1;
                    break;
                }
            }
        }
    }
    let length = memchr2(delimiter, b'\n', &text[at..]).unwrap_or(text.len() - at);
    let mut end = at + length;
    if end > at && text[end - 1] == b'\r' && text.get(end) != Some(&delimiter) {
        end -= 1;
    }
    CellExtent { end, quote, is_quoted }
}

/// The offset after the row that begins at an offset and its line break; `None` if the text ends within the row.
pub(super) fn row_end(text: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let mut at = start;
    // A row without quotes, as most are, ends with its line.
    let line_end = start + memchr(b'\n', &text[start..])?;
    if memchr(b'"', &text[start..line_end]).is_none() {
        return Some(line_end + 1);
    }
    loop {
        at = cell(text, at, delimiter).end;
        match text.get(at)? {
            b'\r' if text.get(at + 1) == Some(&b'\n') => return Some(at + 2),
            b'\n' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// The delimiter of a file: the one that occurs most often in its header row between cells, or a comma.
///
/// Only the header row decides, so that every part of a file that begins with it has the same delimiter.
pub(super) fn delimiter(text: &[u8]) -> u8 {
    let count = |delimiter: u8| {
        let (mut at, mut count) = (0, 0_usize);
        loop {
            at = cell(text, at, delimiter).end;
            if text.get(at) != Some(&delimiter) || count == MAX_COLUMNS {
                return count;
            }
            (at, count) = (at + 1, count + 1);
        }
    };
    // Of several with the same count, the first one.
    DELIMITERS.into_iter().rev().max_by_key(|it| count(*it)).unwrap_or(DELIMITERS[0])
}

/// The offset of the header row: after the byte order mark and empty lines. The whitespace with which it begins may be a
/// delimiter.
pub(super) fn header_start(text: &[u8]) -> usize {
    let mut start = if text.starts_with("\u{feff}".as_bytes()) { "\u{feff}".len() } else { 0 };
    while let Some(line_end) = memchr(b'\n', &text[start..])
        && is_blank(&text[start..start + line_end])
    {
        start += line_end + 1;
    }
    start
}

/// Whether a row is an empty line. It is skipped.
pub(super) fn is_blank(row: &[u8]) -> bool {
    row.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}
