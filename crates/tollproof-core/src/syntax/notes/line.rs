//! Notes as lines: what readers of Markdown, plain text and HTML have in common.

use crate::syntax::span::Span;

/// A character of a text without its marks, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoteChar {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) character: char,
    pub(super) is_strong: bool,
    /// Whether it is emphasised, but not bold.
    pub(super) is_slanted: bool,
    pub(super) is_code: bool,
}

/// The thing that a line is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Heading(u8),
    Text,
    Quote,
    /// A block of code, with what is written above it.
    Code(String),
    /// A line between parts.
    Rule,
}

/// The level of a heading that is only the label of one text.
pub(super) const LABEL: u8 = 9;

/// The language of what is above notes.
pub(super) const FRONT: &str = "---";

/// A line without its marks, or a whole block of code.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    pub(super) chars: Vec<NoteChar>,
    /// Lines of one paragraph have the same number.
    pub(super) block: usize,
    /// The item of a list that it is in.
    pub(super) item: Option<usize>,
    /// Depth of the item in others.
    pub(super) depth: usize,
    /// Whether the box of an item is ticked.
    pub(super) ticked: Option<bool>,
    /// Of a row of a table, the table, and where its cells end.
    pub(super) table: Option<usize>,
    pub(super) cells: Vec<usize>,
}

/// The target of a link, which its text does not say.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The begin of the link.
    pub(super) start: usize,
    pub(super) chars: Vec<NoteChar>,
}

impl Line {
    pub(super) fn new(kind: LineKind, block: usize) -> Self {
        let (item, ticked, table) = (None, None, None);
        Self { kind, chars: Vec::new(), block, item, depth: 0, ticked, table, cells: Vec::new() }
    }

    /// Adds a text that the source has at `start` as it is.
    pub(super) fn add(&mut self, start: usize, text: &str, is_strong: bool, is_code: bool) {
        self.chars.extend(text.char_indices().map(|(at, character)| NoteChar {
            start: start + at,
            end: start + at + character.len_utf8(),
            character,
            is_strong,
            is_slanted: false,
            is_code,
        }));
    }

    /// The cells of a row.
    pub(super) fn cells(&self) -> Vec<&[NoteChar]> {
        let mut start = 0;
        let cell = |end: &usize| {
            let cell = trimmed(&self.chars[start..*end]);
            start = *end;
            cell
        };
        self.cells.iter().map(cell).collect()
    }
}

/// The text of characters.
pub(super) fn text_of(chars: &[NoteChar]) -> String {
    chars.iter().map(|char| char.character).collect()
}

/// The bytes from the first to the last character.
pub(super) fn span_of(chars: &[NoteChar]) -> Span {
    match (chars.first(), chars.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end.max(first.end)),
        _ => Span::default(),
    }
}

/// Adds a mark at the end of a text, which the source does not have.
pub(super) fn add_mark(chars: &mut Vec<NoteChar>, character: char) {
    chars.extend(chars.last().map(|last| NoteChar { start: last.end, character, ..*last }));
}

/// Adds a line to a text.
pub(super) fn append(value: &mut Vec<NoteChar>, line: &[NoteChar]) {
    if let Some(last) = value.last().copied() {
        let (start, end) = (last.end, last.end);
        value.push(NoteChar { start, end, character: ' ', ..last });
    }
    value.extend_from_slice(trimmed(line));
}

/// Characters without whitespace around them.
pub(super) fn trimmed(chars: &[NoteChar]) -> &[NoteChar] {
    let is_said = |char: &NoteChar| !char.character.is_whitespace();
    let Some(first) = chars.iter().position(is_said) else { return &[] };
    let last = chars.iter().rposition(is_said).unwrap_or(first);
    &chars[first..=last]
}

/// Whether an item of a list of choices is chosen, and the item without its mark.
pub(super) fn chosen(chars: &[NoteChar]) -> (bool, &[NoteChar]) {
    let chars = trimmed(chars);
    match chars.first().map(|first| first.character) {
        Some('⬜' | '☐' | '❌' | '✗' | '✘' | '○' | '□') => (false, chars),
        Some('✅' | '☑' | '✔' | '✓' | '●' | '■' | '☒') => {
            let rest = chars.iter().position(|char| char.character.is_alphanumeric()).unwrap_or(chars.len());
            (true, &chars[rest..])
        }
        _ => (true, chars),
    }
}
