//! Named source text and the spans that refer to it.

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::syntax::Format;
use crate::syntax::column_names::ColumnNames;
use crate::syntax::encoding::decode;
use crate::syntax::message::Message;
use crate::syntax::part_start::PartStart;
pub use crate::syntax::span::Span;
use crate::syntax::syntax_error::{SyntaxError, SyntaxErrorKind};

/// A human-readable position: line and column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in code points, from 1.
    pub column: usize,
}

/// A place in a file of which only parts are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The offset of the first byte in the file.
    pub offset: u64,
    /// The length in bytes.
    pub bytes: u32,
    /// The length in code points.
    pub columns: u32,
    /// The line and column of the first byte.
    pub position: Position,
}

/// A named text with a line table that is built on first use.
#[derive(Debug, Default)]
pub struct Source<'a> {
    name: String,
    /// The identity, if it differs from the name.
    identity: Option<String>,
    text: Cow<'a, str>,
    start: PartStart,
    lines: OnceLock<Vec<u32>>,
    syntax_errors: Vec<SyntaxError>,
    columns: Arc<ColumnNames>,
    provider: Option<&'static str>,
}

/// The length of the beginning of a part after it was converted as the part was.
fn decoded_length(head: Vec<u8>, syntax_errors: &[SyntaxError]) -> u32 {
    let is_converted = syntax_errors.iter().any(|it| it.problem == SyntaxErrorKind::Windows1252);
    let length = if is_converted { decode(head, PartStart::default(), false).0.len() } else { head.len() };
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl<'a> Source<'a> {
    /// A source with a name (a path, `<stdin>`, ...) and a text that is known to be UTF-8.
    pub fn new(name: impl Into<String>, text: impl Into<Cow<'a, str>>) -> Self {
        Self { name: name.into(), text: text.into(), ..Self::default() }
    }

    /// A source from arbitrary bytes. Invalid UTF-8 becomes a finding when the source is checked.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Source<'static> {
        Self::part(name, bytes, PartStart::default())
    }

    /// A part of a file that is read in parts.
    pub fn part(name: impl Into<String>, bytes: Vec<u8>, start: PartStart) -> Source<'static> {
        let head = bytes.get(..start.head as usize).filter(|head| !head.is_ascii()).map(<[u8]>::to_vec);
        let name = name.into();
        let is_data = Format::of_path(Path::new(&name)).is_some();
        let (text, syntax_errors) = decode(bytes, start, is_data);
        let start = start.with_head(head.map_or(start.head, |head| decoded_length(head, &syntax_errors)));
        let text = Cow::Owned(text);
        let (lines, columns) = Default::default();
        Source { name, identity: None, text, start, lines, syntax_errors, columns, provider: None }
    }

    /// Sets a name that does not depend on the working directory, for example the path relative to the repository.
    #[must_use]
    pub fn known_as(self, identity: Option<String>) -> Self {
        Self { identity, ..self }
    }

    /// Sets the field names of columns that have names of their own, if it is a table.
    #[must_use]
    pub fn with_columns(self, columns: Arc<ColumnNames>) -> Self {
        Self { columns, ..self }
    }

    /// Sets the name of the provider in whose names notes are read that name none.
    #[must_use]
    pub fn for_provider(self, provider: Option<&'static str>) -> Self {
        Self { provider, ..self }
    }

    /// The name of the provider of notes that name none.
    pub(crate) fn provider(&self) -> Option<&'static str> {
        self.provider
    }

    /// The field names of columns that have names of their own.
    pub(crate) fn columns(&self) -> &ColumnNames {
        &self.columns
    }

    /// The name that does not depend on the working directory, or else the name. Fingerprints are computed from it.
    pub fn identity(&self) -> &str {
        self.identity.as_deref().unwrap_or(&self.name)
    }

    /// Whether the text is identical to the input bytes: no byte was replaced and all of them were read.
    pub fn is_exact(&self) -> bool {
        self.syntax_errors.iter().all(|syntax_error| syntax_error.problem == SyntaxErrorKind::ByteOrderMark)
    }

    /// Whether the bytes are not UTF-8 text or too many, so that nothing was read.
    pub(crate) fn is_unreadable(&self) -> bool {
        let is_whole = |syntax_error: &SyntaxError| {
            matches!(syntax_error.problem, SyntaxErrorKind::Encoding | SyntaxErrorKind::Limit)
                && syntax_error.span.is_empty()
        };
        self.syntax_errors.iter().any(is_whole)
    }

    /// A source with the same names and another text.
    pub(crate) fn rewritten(&self, text: String) -> Source<'static> {
        let source = Self::part(self.name.as_str(), text.into_bytes(), self.start);
        let source = source.known_as(self.identity.clone()).with_columns(Arc::clone(&self.columns));
        source.for_provider(self.provider)
    }

    /// A source with the same names and another text of the same length.
    pub(crate) fn masked(&self, text: String) -> Source<'static> {
        let source = Source::new(self.name.as_str(), text);
        Source { start: self.start, ..source }.known_as(self.identity.clone())
    }

    /// The place of the text in its file.
    pub fn start(&self) -> PartStart {
        self.start
    }

    /// A part that is not read because it exceeds a limit, which the rule `input/limit` reports.
    pub fn beyond_limit(
        name: impl Into<String>,
        start: PartStart,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) -> Source<'static> {
        let error = SyntaxError::new(SyntaxErrorKind::Limit, Span::default(), message).help(help);
        Source { start, syntax_errors: vec![error], ..Source::new(name, "") }
    }

    /// The same source without its text, and the memory of the text, for the next one.
    pub fn without_text(self) -> (Self, Vec<u8>) {
        let text = self.text.into_owned().into_bytes();
        (Self { text: Cow::Borrowed(""), lines: OnceLock::new(), ..self }, text)
    }

    /// The encoding errors of the bytes.
    pub(crate) fn syntax_errors(&self) -> &[SyntaxError] {
        &self.syntax_errors
    }

    /// The name that findings are reported under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text at `span`; empty if the span is out of range.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// A span that ends with the character in which `span` ends. What begins an object is taken for one byte, and in YAML, it
    /// can be a key of which only another one counts.
    pub(crate) fn in_characters(&self, span: Span) -> Span {
        let mut ends = (span.end as usize)..=self.text.len();
        let end = ends.find(|at| self.text.is_char_boundary(*at));
        end.map_or(span, |end| Span::new(span.start as usize, end))
    }

    /// Line and column in the file of a byte offset; an offset past the end gives the position after the last character.
    pub fn place(&self, offset: u32) -> Position {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_of(offset);
        let before = self.text.get(self.line_start(line)..offset).unwrap_or_default();
        Position { line: self.start.file_line(line) + 1, column: before.chars().count() + 1 }
    }

    /// The 0-based line of the text that contains a byte offset.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts().partition_point(|&start| start as usize <= offset).saturating_sub(1)
    }

    /// Byte offset of the start of a 0-based line; the length of the text for a line past the end.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts().get(line).map_or(self.text.len(), |&start| start as usize)
    }

    /// The number of lines, at least one.
    pub fn line_count(&self) -> usize {
        self.line_starts().len()
    }

    /// Start offsets of lines. A line ends at `\n`, `\r\n` or a lone `\r`, as in JSON and YAML.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let ends = memchr::memchr2_iter(b'\n', b'\r', bytes)
                .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
            let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            std::iter::once(0).chain(ends.map(|at| narrow(at + 1))).collect()
        })
    }
}
