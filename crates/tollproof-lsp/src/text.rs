//! Positions of the protocol and byte offsets of a text; changes applied to a text.

use std::ops::Range;

use gen_lsp_types::{Position, PositionEncodingKind, Range as LspRange, TextEdit};
use serde_json::Value;
use tollproof_core::{ColumnUnit, Edit, LineIndex, Source, Span};

/// The unit of character positions, as client and server agreed at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding(ColumnUnit);

impl Encoding {
    /// The unit of all clients that do not offer others.
    pub(crate) const UTF16: Self = Self(ColumnUnit::Utf16);

    /// The best of the units that a client offers: bytes need no counting.
    pub(crate) fn negotiated(capabilities: &Value) -> Self {
        let offered = capabilities.pointer("/general/positionEncodings").and_then(Value::as_array);
        let has =
            |name: &str| offered.is_some_and(|encodings| encodings.iter().any(|encoding| encoding == name));
        match () {
            () if has("utf-8") => Self(ColumnUnit::Utf8),
            () if has("utf-16") || !has("utf-32") => Self::UTF16,
            () => Self(ColumnUnit::CodePoints),
        }
    }

    /// The unit, as the protocol names it.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self.0 {
            ColumnUnit::Utf8 => PositionEncodingKind::UTF8,
            ColumnUnit::CodePoints => PositionEncodingKind::UTF32,
            _ => PositionEncodingKind::UTF16,
        }
    }

    /// The byte offset of a position. After the end of a line it is that end, after the last line the end of the text,
    /// and inside a character the beginning of that character.
    pub(crate) fn offset(self, text: &str, position: Position) -> usize {
        let Some(start) = line_start(text, position.line) else { return text.len() };
        let line = &text[start..];
        let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
        let wanted = position.character as usize;
        let mut counted = 0;
        for (at, letter) in line.char_indices() {
            counted += match self.0 {
                ColumnUnit::Utf8 => letter.len_utf8(),
                ColumnUnit::Utf16 => letter.len_utf16(),
                _ => 1,
            };
            if counted > wanted {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The bytes of a range; one that ends before it begins is taken the other way round.
    pub(crate) fn bytes(self, text: &str, range: LspRange) -> Range<usize> {
        let (one, other) = (self.offset(text, range.start), self.offset(text, range.end));
        one.min(other)..one.max(other)
    }

    /// Converts many spans of one text.
    pub(crate) fn places<'s>(self, source: &'s Source<'s>) -> Places<'s> {
        Places(LineIndex::counting(self.0, source))
    }
}

/// Converts the spans of one text to ranges.
pub(crate) struct Places<'s>(LineIndex<'s>);

impl Places<'_> {
    /// The range of a span.
    pub(crate) fn range(&mut self, span: Span) -> LspRange {
        let (start, end) = self.0.of(span);
        let position = |place: tollproof_core::Position| {
            let from_0 = |number: usize| u32::try_from(number - 1).unwrap_or(u32::MAX);
            Position::new(from_0(place.line), from_0(place.column))
        };
        LspRange::new(position(start), position(end))
    }

    /// A change of the text.
    pub(crate) fn edit(&mut self, edit: &Edit) -> TextEdit {
        TextEdit { range: self.range(edit.span), new_text: edit.text.clone() }
    }
}

/// The byte offset at which a line begins; lines end with `\n`, `\r\n` or `\r`.
fn line_start(text: &str, line: u32) -> Option<usize> {
    if line == 0 {
        return Some(0);
    }
    let bytes = text.as_bytes();
    let is_end =
        |&(at, byte): &(usize, &u8)| *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    bytes.iter().enumerate().filter(is_end).nth(line as usize - 1).map(|(at, _)| at + 1)
}

/// The smallest change that makes one text of another; `None` if they are equal.
pub(crate) fn difference(before: &str, after: &str) -> Option<Edit> {
    if before == after {
        return None;
    }
    let same = |pair: &(u8, u8)| pair.0 == pair.1;
    let mut start = before.bytes().zip(after.bytes()).take_while(same).count();
    while !before.is_char_boundary(start) || !after.is_char_boundary(start) {
        start -= 1;
    }
    let (old, new) = (&before[start..], &after[start..]);
    let mut end = old.bytes().rev().zip(new.bytes().rev()).take_while(same).count();
    while !old.is_char_boundary(old.len() - end) || !new.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    let text = new[..new.len() - end].to_owned();
    Some(Edit { span: Span::new(start, before.len() - end), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_outside_of_the_text_are_inside_of_it() {
        let text = "añ😀b\r\ncd\re\n";
        let at = |line, character| Encoding::UTF16.offset(text, Position::new(line, character));
        assert_eq!((at(0, 0), at(0, 1), at(0, 2), at(0, 4), at(0, 5)), (0, 1, 3, 7, 8));
        assert_eq!(at(0, 3), 3, "in the middle of a pair");
        assert_eq!(at(0, 99), 8, "before the line break");
        assert_eq!((at(1, 0), at(1, 7), at(2, 0), at(3, 0), at(9, 9)), (10, 12, 13, 15, 15));
        let wide = Encoding(ColumnUnit::Utf8);
        assert_eq!((wide.offset(text, Position::new(0, 2)), wide.offset(text, Position::new(0, 3))), (1, 3));
        let backwards = LspRange::new(Position::new(1, 1), Position::new(0, 1));
        assert_eq!(Encoding::UTF16.bytes(text, backwards), 1..11);
        assert_eq!(Encoding::UTF16.offset("", Position::new(u32::MAX, u32::MAX)), 0);
    }

    #[test]
    fn every_offset_has_a_position_in_every_unit() {
        let text = "añ😀b\r\ncdé\n\nf";
        let source = Source::new("a", text);
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::CodePoints] {
            let encoding = Encoding(unit);
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at) && !text[..at].ends_with('\r'))
            {
                let range = encoding.places(&source).range(Span::new(at, at));
                assert_eq!(encoding.offset(text, range.start), at, "{unit:?}");
            }
        }
    }

    #[test]
    fn the_smallest_change_is_found() {
        for (before, after, span, text) in [
            ("abc", "abXc", Span::new(2, 2), "X"),
            ("aé", "aè", Span::new(1, 3), "è"),
            ("aa", "a", Span::new(1, 2), ""),
            ("", "a", Span::new(0, 0), "a"),
        ] {
            assert_eq!(difference(before, after), Some(Edit { span, text: text.to_owned() }), "{before}");
        }
        assert_eq!(difference("a", "a"), None);
    }
}
