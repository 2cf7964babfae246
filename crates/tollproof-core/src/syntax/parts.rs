//! Cuts a file of many documents into parts, each of which can be read alone.

use memchr::memchr_iter;

use super::{Format, csv, ndjson};
use crate::syntax::column_names::ColumnNames;
use crate::syntax::encoding::is_utf16;
use crate::syntax::part_start::PartStart;

impl Format {
    /// Whether a file of this format can be read in parts: its documents are lines or rows.
    pub fn has_parts(self) -> bool {
        matches!(self, Self::Ndjson | Self::Csv)
    }

    /// The length of the beginning of a file that each of its parts repeats: the header row of CSV. `None` if the text
    /// ends within it.
    pub fn head(self, text: &[u8], columns: &ColumnNames) -> Option<usize> {
        if self == Self::Csv { csv::head(text, columns) } else { Some(0) }
    }

    /// Whether the parts of a file can be found only in all of it, because it is UTF-16.
    pub fn needs_whole(beginning: &[u8]) -> bool {
        is_utf16(beginning)
    }

    /// The number of rows in the beginning of a table.
    pub fn rows(head: &[u8]) -> usize {
        csv::rows_in(head, head, true).1
    }
}

impl PartStart {
    /// Cuts a part from the beginning of `text`, which begins here, and moves after it. Returns the end of its last
    /// complete document. `head` is the beginning of the file that each part repeats, `is_end` whether the file ends with
    /// the text. `None` if no document is complete.
    pub fn cut(&mut self, format: Format, head: &[u8], text: &[u8], is_end: bool) -> Option<usize> {
        let (end, documents) = match format {
            Format::Csv => csv::rows_in(head, text, is_end),
            _ => ndjson::lines_in(text, is_end),
        };
        if end == 0 {
            return None;
        }
        self.bytes += end as u64;
        self.lines += lines(&text[..end]);
        self.documents += documents;
        Some(end)
    }

    /// The start of a file's first part. All parts begin with `head`, which is the beginning of the file.
    #[must_use]
    pub fn first(head: &[u8]) -> Self {
        let (bytes, head_lines) = (head.len() as u64, lines(head));
        let head = u32::try_from(head.len()).unwrap_or(u32::MAX);
        Self { head, head_lines, bytes, lines: head_lines, documents: 0 }
    }
}

/// The number of line breaks: `\n`, `\r\n` or a lone `\r`.
fn lines(text: &[u8]) -> usize {
    let feeds = memchr_iter(b'\n', text).count();
    let returns = memchr_iter(b'\r', text).filter(|&at| text.get(at + 1) != Some(&b'\n')).count();
    feeds + returns
}
