//! Reads a file of many documents in parts, so that memory does not grow with the file.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use serde::de::IgnoredAny;
use tollproof_core::{ColumnNames, Format, PartStart, Source};

use super::sheet_cells::SheetCells;

/// The size of a part in bytes. A file of this size or smaller is one part. A part ends with a line, so it may be larger.
pub(super) const PART: usize = 256 << 10;

/// The maximum size of a line in bytes; a draft has a few thousand.
const MAX_LINE: usize = 16 << 20;

/// Number of bytes requested from a file at once.
const CHUNK: usize = 64 << 10;

/// A file that is read in parts.
pub(super) struct PartReader {
    reader: Box<dyn Read + Send>,
    /// Bytes read that are in no part yet.
    buffer: Vec<u8>,
    at_end: bool,
    format: Format,
    columns: Arc<ColumnNames>,
    /// The beginning of the file, which each part repeats.
    head: Vec<u8>,
    /// The next part's start.
    start: PartStart,
    is_done: bool,
}

/// A part of a file.
#[derive(Debug)]
pub(super) struct FilePart {
    pub(super) source: Source<'static>,
    /// Whether nothing follows it.
    pub(super) is_last: bool,
    /// The cells of the sheet that it was made from.
    pub(super) cells: Option<Arc<SheetCells>>,
}

/// The beginning of a file, which decides whether it is read in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileBeginning {
    /// The file fits into one part.
    Whole,
    /// Its documents can be read one after another.
    Parts,
    /// It is larger, but must be read completely.
    Large,
}

impl PartReader {
    pub(super) fn new(reader: Box<dyn Read + Send>, columns: Arc<ColumnNames>) -> Self {
        let buffer = Vec::new();
        let (head, start) = (Vec::new(), PartStart::default());
        Self { reader, buffer, at_end: false, format: Format::Ndjson, columns, head, start, is_done: false }
    }

    /// Reads the beginning of a file. `format` is the format that its name has, if any.
    pub(super) fn begin(&mut self, format: Option<Format>) -> io::Result<FileBeginning> {
        self.fill(PART)?;
        if !self.at_end && Format::needs_whole(&self.buffer) {
            return Ok(FileBeginning::Large);
        }
        // What is not text, such as a PDF, is reported once. Nothing else of it needs to be read.
        if !self.at_end && Source::from_bytes("", self.buffer.clone()).text().is_empty() {
            (self.reader, self.at_end) = (Box::new(io::empty()), true);
        }
        if self.at_end {
            return Ok(FileBeginning::Whole);
        }
        let guess = || {
            let text = String::from_utf8_lossy(&self.buffer);
            Format::detect(Path::new(""), &text)
        };
        self.format = format.unwrap_or_else(guess);
        let is_value = self.format == Format::Ndjson && self.is_one_value();
        Ok(if self.format.has_parts() && !is_value { FileBeginning::Parts } else { FileBeginning::Large })
    }

    /// Reads the whole file.
    ///
    /// # Errors
    ///
    /// An I/O error, or a file larger than `--max-file-size`.
    pub(super) fn read_whole(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.buffer);
        tollproof_history::read_within(&mut self.reader, &mut bytes)?;
        self.is_done = true;
        Ok(bytes)
    }

    /// The next part, in a buffer that may be reused; `None` at the end.
    pub(super) fn next(&mut self, name: &str, mut spare: Vec<u8>) -> io::Result<Option<FilePart>> {
        let mut size = PART;
        let mut is_begun = self.start != PartStart::default();
        while !self.is_done {
            self.fill(size)?;
            let head = if is_begun { Some(0) } else { self.format.head(&self.buffer, &self.columns) };
            if let (false, Some(head)) = (is_begun, head) {
                self.head.clear();
                self.head.extend_from_slice(&self.buffer[..head]);
                self.start = PartStart::first(&self.head);
            }
            let start = self.start;
            let body = &self.buffer[head.unwrap_or_default()..];
            let end = match head {
                Some(_) => self.start.cut(self.format, &self.head, body, self.at_end),
                None => None,
            };
            self.is_done = self.at_end;
            let length = match end {
                Some(end) => end,
                None if self.at_end => body.len(),
                None if self.buffer.len() > MAX_LINE => return Ok(Some(self.too_long(name))),
                None => {
                    size = 2 * self.buffer.len();
                    self.start = if is_begun { start } else { PartStart::default() };
                    continue;
                }
            };
            // What is left is mostly less than the part, so it is moved and the part stays where it is.
            let end = head.unwrap_or_default() + length;
            spare.clear();
            spare.extend_from_slice(&self.buffer[end..]);
            let mut part = std::mem::replace(&mut self.buffer, spare);
            part.truncate(end);
            if is_begun {
                part.splice(..0, self.head.iter().copied());
            }
            if self.start.documents == 0 && !self.is_done {
                // Only a file without any document is reported as empty.
                (spare, is_begun) = (part, true);
                continue;
            }
            let start = if self.start.documents == 0 { PartStart::first(&self.head) } else { start };
            let source = Source::part(name, part, start);
            return Ok(Some(FilePart { source, is_last: self.is_done, cells: None }));
        }
        Ok(None)
    }

    /// The part that ends a file with a line which is too long.
    fn too_long(&mut self, name: &str) -> FilePart {
        self.is_done = true;
        self.buffer = Vec::new();
        let (what, help) = match self.format {
            Format::Csv => ("row", "Close quoted cells. Nothing from this row on was checked."),
            _ => ("line", "Write one draft on each line. Nothing from this line on was checked."),
        };
        let message = format!("this {what} is longer than {} MiB", MAX_LINE >> 20);
        let source = Source::beyond_limit(name, self.start, message, help);
        FilePart { source, is_last: true, cells: None }
    }

    /// Reads until the buffer has more than `size` bytes, or to the end of the file.
    fn fill(&mut self, size: usize) -> io::Result<()> {
        if !self.at_end && self.buffer.len() <= size {
            let missing = (size + 1 - self.buffer.len()).max(CHUNK);
            self.buffer.reserve_exact(missing);
            let read = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
            self.at_end = read < missing;
        }
        Ok(())
    }

    /// Whether the buffer is the beginning of one JSON value, written over several lines.
    fn is_one_value(&self) -> bool {
        let is_empty = self.buffer.iter().all(u8::is_ascii_whitespace);
        let parsed = serde_json::from_slice::<IgnoredAny>(&self.buffer);
        !is_empty && parsed.is_err_and(|error| error.is_eof())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns few bytes at a time.
    struct Slow(io::Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1000);
            self.0.read(&mut buffer[..length])
        }
    }

    fn reader(text: &str) -> PartReader {
        PartReader::new(Box::new(Slow(io::Cursor::new(text.as_bytes().to_vec()))), Arc::default())
    }

    #[test]
    fn the_parts_are_the_file_and_know_where_they_begin() {
        let line = |at: usize| format!("{{\"a\": \"{}\"}}\r\n\n", "x".repeat(at % 3000));
        let text: String = (0..2_000).map(line).collect();
        let mut reader = reader(&text);
        assert_eq!(reader.begin(Some(Format::Ndjson)).expect("it can be read"), FileBeginning::Parts);
        let (mut all, mut documents, mut parts) = (String::new(), 0, 0);
        while let Some(part) = reader.next("a.ndjson", Vec::new()).expect("it can be read") {
            let start = part.source.start();
            assert_eq!(start.bytes, all.len() as u64);
            assert_eq!((start.lines, start.documents), (all.lines().count(), documents));
            assert!(part.source.text().len() < PART + 4_000, "a part is small");
            all += part.source.text();
            documents += part.source.text().lines().filter(|it| !it.is_empty()).count();
            parts += 1;
            assert_eq!(part.is_last, all.len() == text.len());
        }
        assert_eq!(all, text);
        assert!(parts > 2, "{parts}");
    }

    #[test]
    fn the_parts_of_a_table_repeat_its_header() {
        let row = |at: usize| format!("{at},\"a\n\"\"b\"\"\"\n");
        let (head, body) = ("one,two\n", (0..80_000).map(row).collect::<String>());
        let mut reader = reader(&format!("{head}{body}"));
        assert_eq!(reader.begin(Some(Format::Csv)).expect("it can be read"), FileBeginning::Parts);
        let (mut all, mut rows) = (String::new(), 0);
        while let Some(part) = reader.next("a.csv", Vec::new()).expect("it can be read") {
            let start = part.source.start();
            let text = part.source.text().strip_prefix(head).expect("each part has it");
            assert_eq!(start.documents, rows);
            assert_eq!(
                start.file_offset(u32::try_from(head.len()).expect("short")),
                (head.len() + all.len()) as u64
            );
            assert_eq!(start.file_line(1), 1 + all.lines().count());
            assert_eq!(start.file_line(0), 0, "the header is where it is");
            all += text;
            rows = all.lines().count() / 2;
            assert!(text.ends_with("\"\n"), "a part ends with a row");
        }
        assert_eq!(all, body);
    }

    #[test]
    fn a_line_without_end_is_a_limit() {
        let mut reader = PartReader::new(Box::new(io::repeat(b'x')), Arc::default());
        assert_eq!(reader.begin(Some(Format::Ndjson)).expect("it can be read"), FileBeginning::Parts);
        let part = reader.next("a.ndjson", Vec::new()).expect("it can be read").expect("there is one");
        assert!(part.is_last && part.source.text().is_empty() && !part.source.is_exact());
        assert!(reader.next("a.ndjson", Vec::new()).expect("it is over").is_none());
    }

    #[test]
    fn empty_lines_before_the_first_document_are_not_kept() {
        let (blank, line) = ("\n \n".repeat(PART), "{\"a\": 1}\n");
        let mut reader = reader(&format!("{blank}{line}{line}"));
        assert_eq!(reader.begin(Some(Format::Ndjson)).expect("it can be read"), FileBeginning::Parts);
        let part = reader.next("a.ndjson", Vec::new()).expect("it can be read").expect("there is one");
        assert!(part.is_last && part.source.text().len() < 2 * PART, "{}", part.source.text().len());
        assert_eq!(part.source.start().lines + 1, part.source.place(0).line);
    }

    #[test]
    fn one_value_over_several_lines_is_read_completely() {
        let text = format!("[\n{}]", "{\"a\": 1},\n".repeat(40_000));
        assert_eq!(reader(&text).begin(Some(Format::Ndjson)).expect("it can be read"), FileBeginning::Large);
        assert_eq!(reader("{}").begin(Some(Format::Ndjson)).expect("it can be read"), FileBeginning::Whole);
    }
}
