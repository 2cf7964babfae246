//! Lines and columns of byte offsets in one text, in the unit that an output or an editor counts in.

use super::source::{Position, Source, Span};

/// The unit of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnUnit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 code units, two for a character beyond the basic plane.
    Utf16,
    /// UTF-8 bytes.
    Utf8,
}

impl ColumnUnit {
    fn count(self, text: &str) -> usize {
        match self {
            // Fast path: most texts are ASCII.
            _ if text.is_ascii() => text.len(),
            Self::CodePoints => text.chars().count(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
            Self::Utf8 => text.len(),
        }
    }
}

/// Finds the lines and columns of byte offsets, both from 1.
///
/// It remembers the last offset, so a thousand findings on one long line cost one pass over that line.
#[derive(Debug)]
pub struct LineIndex<'s> {
    source: &'s Source<'s>,
    unit: ColumnUnit,
    line: usize,
    offset: usize,
    column: usize,
}

impl<'s> LineIndex<'s> {
    /// An index whose columns count code points.
    #[must_use]
    pub fn new(source: &'s Source<'s>) -> Self {
        Self::counting(ColumnUnit::CodePoints, source)
    }

    /// An index whose columns count `unit`.
    #[must_use]
    pub fn counting(unit: ColumnUnit, source: &'s Source<'s>) -> Self {
        Self { source, unit, line: 0, offset: 0, column: 1 }
    }

    /// The text.
    pub fn source(&self) -> &'s Source<'s> {
        self.source
    }

    /// The line and column in the file of a byte offset; an offset after the end means the end.
    pub fn at(&mut self, offset: u32) -> Position {
        let text = self.source.text();
        let offset = (offset as usize).min(text.len());
        let line = self.source.line_of(offset);
        let start = self.source.line_start(line);
        if line != self.line || offset - start < self.offset.abs_diff(offset) {
            (self.line, self.offset, self.column) = (line, start, 1);
        }
        let count = |from, to| self.unit.count(text.get(from..to).unwrap_or_default());
        self.column += count(self.offset, offset);
        self.column -= count(offset, self.offset);
        self.offset = offset;
        Position { line: self.source.start().file_line(line) + 1, column: self.column }
    }

    /// The start and the end of a span.
    pub fn of(&mut self, span: Span) -> (Position, Position) {
        (self.at(span.start), self.at(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_gives_the_same_places_as_the_source() {
        let source = Source::new("a", "añ😀b\r\ncdé\n\nf");
        let mut index = LineIndex::new(&source);
        let utf16 = |at: u32| {
            let (text, at) = (source.text(), (at as usize).min(source.text().len()));
            text[source.line_start(source.line_of(at))..at].encode_utf16().count() + 1
        };
        let mut wide = LineIndex::counting(ColumnUnit::Utf16, &source);
        let ends: Vec<u32> = (0..=source.text().len() + 1)
            .filter(|&at| at > source.text().len() || source.text().is_char_boundary(at))
            .map(|at| u32::try_from(at).expect("a short text"))
            .collect();
        for &first in &ends {
            for &second in &ends {
                assert_eq!(index.at(first), source.place(first));
                assert_eq!(index.at(second), source.place(second));
                assert_eq!((wide.at(first).column, wide.at(second).column), (utf16(first), utf16(second)));
            }
        }
    }
}
