//! Reads a file of many documents in parts, so that memory does not grow with the file.

use std::io::{self, Read};
use std::path::Path;

use memchr::{memchr_iter, memrchr};
use serde::de::IgnoredAny;
use tollproof_core::{Format, PartStart, Source};

/// The size of the first part in bytes. A file of this size or smaller is one part.
pub(super) const FIRST_PART: usize = 256 << 10;

/// The size of all later parts in bytes. A part ends with a line, so it may be larger.
const PART: usize = 1 << 20;

/// The maximum size of a line in bytes; a draft has a few thousand.
const MAX_LINE: usize = 16 << 20;

/// How many bytes are requested from a file at once.
const CHUNK: usize = 64 << 10;

/// A file that is read in parts.
pub(super) struct PartReader {
    reader: Box<dyn Read + Send>,
    /// What was read and is not part of any part yet.
    buffer: Vec<u8>,
    at_end: bool,
    /// Where the next part begins.
    start: PartStart,
    is_done: bool,
}

/// A part of a file.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) source: Source<'static>,
    /// Whether nothing follows it.
    pub(super) is_last: bool,
}

/// The beginning of a file, which decides whether it is read in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// The file fits into one part.
    Whole,
    /// Its documents can be read one after another.
    Parts,
    /// It is larger, but must be read completely.
    Large,
}

impl PartReader {
    pub(super) fn new(reader: Box<dyn Read + Send>) -> Self {
        let buffer = Vec::new();
        Self { reader, buffer, at_end: false, start: PartStart::default(), is_done: false }
    }

    /// Reads the beginning of a file. `format` is the format that its name has, if any.
    pub(super) fn begin(&mut self, format: Option<Format>) -> io::Result<Beginning> {
        self.fill(FIRST_PART)?;
        if self.at_end {
            return Ok(Beginning::Whole);
        }
        let guess = || {
            let text = String::from_utf8_lossy(&self.buffer);
            Format::detect(Path::new(""), &text)
        };
        let is_lines = format.unwrap_or_else(guess) == Format::Ndjson;
        Ok(if is_lines && !self.is_one_value() { Beginning::Parts } else { Beginning::Large })
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
    pub(super) fn next(&mut self, name: &str, spare: Vec<u8>) -> io::Result<Option<Part>> {
        let mut size = if self.start == PartStart::default() { FIRST_PART } else { PART };
        while !self.is_done {
            self.fill(size)?;
            let end = match (self.at_end, memrchr(b'\n', &self.buffer)) {
                (true, _) => self.buffer.len(),
                (false, Some(line_end)) => line_end + 1,
                (false, None) if self.buffer.len() > MAX_LINE => return Ok(Some(self.too_long(name))),
                (false, None) => {
                    size = 2 * self.buffer.len();
                    continue;
                }
            };
            self.is_done = self.at_end;
            let mut text = spare;
            text.clear();
            text.extend_from_slice(&self.buffer[..end]);
            self.buffer.drain(..end);
            let start = self.start;
            let documents = self.pass(&text);
            if documents == 0 && start.bytes == 0 && !self.is_done {
                // Only a file without any document is reported as empty.
                return self.next(name, text);
            }
            let source = Source::part(name, text, start);
            return Ok(Some(Part { source, is_last: self.is_done }));
        }
        Ok(None)
    }

    /// Moves the start of the next part behind a text, and returns the number of documents in the text.
    fn pass(&mut self, text: &[u8]) -> usize {
        let (mut documents, mut line_start) = (0, 0);
        for line_end in memchr_iter(b'\n', text).chain([text.len()]) {
            documents += usize::from(!text[line_start..line_end].trim_ascii().is_empty());
            line_start = (line_end + 1).min(text.len());
        }
        self.start.bytes += text.len() as u64;
        self.start.lines += lines(text);
        self.start.documents += documents;
        documents
    }

    /// The part that ends a file with a line which is too long.
    fn too_long(&mut self, name: &str) -> Part {
        self.is_done = true;
        self.buffer = Vec::new();
        let message = format!("this line is longer than {} MiB", MAX_LINE >> 20);
        let help = "Write one draft on each line. Nothing from this line on was checked.";
        Part { source: Source::beyond_limit(name, self.start, message, help), is_last: true }
    }

    /// Reads until the buffer has more than `size` bytes, or to the end of the file.
    fn fill(&mut self, size: usize) -> io::Result<()> {
        while !self.at_end && self.buffer.len() <= size {
            let before = self.buffer.len();
            let missing = (size + 1 - before).max(CHUNK);
            self.buffer.resize(before + missing, 0);
            let read = self.reader.read(&mut self.buffer[before..]);
            self.buffer.truncate(before + read.as_ref().copied().unwrap_or_default());
            match read {
                Ok(0) => self.at_end = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether the buffer is the beginning of one JSON value, written over several lines.
    fn is_one_value(&self) -> bool {
        let parsed = serde_json::from_slice::<IgnoredAny>(&self.buffer);
        parsed.is_err_and(|error| error.is_eof())
    }
}

/// The number of line breaks: `\n`, `\r\n` or a lone `\r`, as the core counts them.
fn lines(text: &[u8]) -> usize {
    let feeds = memchr_iter(b'\n', text).count();
    let returns = memchr_iter(b'\r', text).filter(|&at| text.get(at + 1) != Some(&b'\n')).count();
    feeds + returns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one byte at a time.
    struct Slow(io::Cursor<Vec<u8>>);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1000);
            self.0.read(&mut buffer[..length])
        }
    }

    fn reader(text: &str) -> PartReader {
        PartReader::new(Box::new(Slow(io::Cursor::new(text.as_bytes().to_vec()))))
    }

    #[test]
    fn the_parts_are_the_file_and_know_where_they_begin() {
        let line = |at: usize| format!("{{\"a\": \"{}\"}}\r\n\n", "x".repeat(at % 3000));
        let text: String = (0..2_000).map(line).collect();
        let mut reader = reader(&text);
        assert_eq!(reader.begin(Some(Format::Ndjson)).expect("it can be read"), Beginning::Parts);
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
    fn a_line_without_end_is_a_limit() {
        let mut reader = PartReader::new(Box::new(io::repeat(b'x')));
        assert_eq!(reader.begin(Some(Format::Ndjson)).expect("it can be read"), Beginning::Parts);
        let part = reader.next("a.ndjson", Vec::new()).expect("it can be read").expect("there is one");
        assert!(part.is_last && part.source.text().is_empty() && !part.source.is_exact());
        assert!(reader.next("a.ndjson", Vec::new()).expect("it is over").is_none());
    }

    #[test]
    fn one_value_over_several_lines_is_read_completely() {
        let text = format!("[\n{}]", "{\"a\": 1},\n".repeat(40_000));
        assert_eq!(reader(&text).begin(Some(Format::Ndjson)).expect("it can be read"), Beginning::Large);
        assert_eq!(reader("{}").begin(Some(Format::Ndjson)).expect("it can be read"), Beginning::Whole);
    }
}
