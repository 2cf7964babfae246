//! Decodes a string again and keeps the source bytes of each character.

use std::ops::Range;

use crate::syntax::document::Style;

/// A piece of source and the characters that it decodes to: one character, repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The byte range in the source.
    pub(super) source: Range<usize>,
    character: char,
    times: Times,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Times {
    Exactly(usize),
    /// The line breaks at the end of a block scalar; its header decides how many are kept.
    AtMost(usize),
}

impl Unit {
    /// The number of bytes at the start of `text` that this piece decodes to; `None` if `text` differs.
    pub(super) fn repeats(&self, text: &str) -> Option<usize> {
        let width = self.character.len_utf8();
        match self.times {
            Times::Exactly(1) => text.starts_with(self.character).then_some(width),
            Times::Exactly(times) => {
                let found = text.chars().take(times).take_while(|&it| it == self.character).count();
                (found == times).then_some(times * width)
            }
            Times::AtMost(times) => {
                Some(text.chars().take(times).take_while(|&it| it == self.character).count() * width)
            }
        }
    }
}

/// The pieces of the string in `source[inside]`; the range must be on character boundaries.
pub(super) fn units<'a>(
    source: &'a str,
    inside: Range<usize>,
    style: Style,
    text: &str,
) -> Box<dyn Iterator<Item = Unit> + 'a> {
    let mut cursor = Cursor { source, at: inside.start, end: inside.end, unfolded: inside.start };
    match style {
        Style::Json => Box::new(std::iter::from_fn(move || cursor.json())),
        Style::Cell | Style::CellItem => Box::new(std::iter::from_fn(move || cursor.literally())),
        Style::QuotedCell => Box::new(std::iter::from_fn(move || cursor.quoted_cell())),
        Style::Form => Box::new(std::iter::from_fn(move || cursor.form())),
        // The source of an alias does not contain the value.
        Style::Alias(_) => Box::new(std::iter::empty()),
        // They are aligned.
        Style::Program(_) | Style::Notes => Box::new(std::iter::empty()),
        Style::Double | Style::Single | Style::Plain => {
            Box::new(std::iter::from_fn(move || cursor.flow(style)))
        }
        Style::Literal | Style::Folded => {
            // The span begins with the first line that is not empty, after its indentation.
            let before = &source[..inside.start];
            let indent = before.len() - before.trim_end_matches(' ').len();
            let blank = text.len() - text.trim_start_matches('\n').len();
            let start = inside.start..inside.start;
            let blank = Unit { source: start, character: '\n', times: Times::Exactly(blank) };
            let mut more_indented = source[inside].starts_with([' ', '\t']);
            let folded = style == Style::Folded;
            let lines = std::iter::from_fn(move || cursor.block(indent, folded, &mut more_indented));
            Box::new(std::iter::once(blank).chain(lines))
        }
    }
}

struct Cursor<'a> {
    source: &'a str,
    at: usize,
    end: usize,
    /// No whitespace before this offset contains a line break.
    unfolded: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..self.end]
    }

    fn unit(&mut self, bytes: usize, character: char, times: usize) -> Unit {
        let start = self.at;
        self.at += bytes;
        Unit { source: start..self.at, character, times: Times::Exactly(times) }
    }

    fn literally(&mut self) -> Option<Unit> {
        let character = self.rest().chars().next()?;
        Some(self.unit(character.len_utf8(), character, 1))
    }

    fn quoted_cell(&mut self) -> Option<Unit> {
        if self.rest().starts_with("\"\"") { Some(self.unit(2, '"', 1)) } else { self.literally() }
    }

    /// A character of a form: a space is written as `+`, and any character as its bytes with percent signs.
    fn form(&mut self) -> Option<Unit> {
        let rest = self.rest();
        if rest.starts_with('+') {
            return Some(self.unit(1, ' ', 1));
        }
        let byte = |at: usize| {
            let digits = rest.get(at..)?.strip_prefix('%')?.get(..2)?;
            u8::from_str_radix(digits, 16).ok()
        };
        let Some(first) = byte(0) else { return self.literally() };
        let count = (first.leading_ones() as usize).clamp(1, 4);
        let bytes: Vec<u8> = (0..count).map_while(|it| byte(it * 3)).collect();
        let character = std::str::from_utf8(&bytes).ok()?.chars().next()?;
        Some(self.unit(count * 3, character, 1))
    }

    fn json(&mut self) -> Option<Unit> {
        if !self.rest().starts_with('\\') {
            return self.literally();
        }
        let (bytes, character) = escape(self.rest())?;
        Some(self.unit(bytes, character, 1))
    }

    /// A piece of a quoted or plain scalar, whose lines are folded.
    fn flow(&mut self, style: Style) -> Option<Unit> {
        let rest = self.rest();
        if let Some(fold) = self.fold(style) {
            return Some(fold);
        }
        match style {
            Style::Single if rest.starts_with("''") => Some(self.unit(2, '\'', 1)),
            Style::Double if rest.starts_with('\\') => {
                let (bytes, character) = escape(rest)?;
                Some(self.unit(bytes, character, 1))
            }
            _ => self.literally(),
        }
    }

    /// Whitespace that contains a line break, or an escaped line break.
    fn fold(&mut self, style: Style) -> Option<Unit> {
        if self.at < self.unfolded {
            return None;
        }
        let rest = self.rest();
        let escaped = style == Style::Double && (rest.starts_with("\\\n") || rest.starts_with("\\\r"));
        let after = if escaped { &rest[1..] } else { rest };
        let content = after.trim_start_matches([' ', '\t', '\n', '\r']);
        let white = &after[..after.len() - content.len()];
        let breaks = breaks(white);
        let bytes = rest.len() - content.len();
        match breaks {
            0 => {
                self.unfolded = self.at + bytes;
                None
            }
            _ if escaped => Some(self.unit(bytes, '\n', breaks - 1)),
            1 => Some(self.unit(bytes, ' ', 1)),
            _ => Some(self.unit(bytes, '\n', breaks - 1)),
        }
    }

    fn block(&mut self, indent: usize, folded: bool, more_indented: &mut bool) -> Option<Unit> {
        let rest = self.rest();
        if !rest.starts_with(['\n', '\r']) {
            return self.literally();
        }
        if !folded {
            return Some(self.line_break(indent));
        }
        // The line breaks up to the next line that is not empty, and the indentation of that line.
        let mut ahead = Cursor { source: self.source, at: self.at, end: self.end, unfolded: self.at };
        let mut breaks = 0;
        while ahead.rest().starts_with(['\n', '\r']) {
            ahead.line_break(indent);
            breaks += 1;
        }
        let bytes = ahead.at - self.at;
        if ahead.rest().is_empty() {
            let unit = self.unit(bytes, '\n', breaks);
            return Some(Unit { times: Times::AtMost(breaks), ..unit });
        }
        let next_more_indented = ahead.rest().starts_with([' ', '\t']);
        let kept = *more_indented || next_more_indented;
        *more_indented = next_more_indented;
        Some(match breaks {
            _ if kept => self.unit(bytes, '\n', breaks),
            1 => self.unit(bytes, ' ', 1),
            _ => self.unit(bytes, '\n', breaks - 1),
        })
    }

    /// A line break with the indentation after it.
    fn line_break(&mut self, indent: usize) -> Unit {
        let rest = self.rest();
        let width = if rest.starts_with("\r\n") { 2 } else { 1 };
        let line = &rest[width..];
        let spaces = line.bytes().take(indent).take_while(|&byte| byte == b' ').count();
        self.unit(width + spaces, '\n', 1)
    }
}

fn breaks(white: &str) -> usize {
    white.bytes().filter(|&byte| byte == b'\n' || byte == b'\r').count() - white.matches("\r\n").count()
}

/// Skips the start of a string in JSON, `source[inside]`, which decodes to `text`: returns where an offset of the text, or
/// the escape around it, begins in the source, and its offset. Nothing is skipped if the source does not say the same.
pub(super) fn skip_json(source: &str, inside: &Range<usize>, text: &str, to: usize) -> (usize, usize) {
    let (mut from, mut at) = (inside.start, 0);
    while at < to {
        let rest = &source[from..inside.end];
        let literal = memchr::memchr(b'\\', rest.as_bytes()).unwrap_or(rest.len()).min(to - at);
        let (bytes, length) = match literal {
            0 => match escape(rest).filter(|(_, character)| text[at..].starts_with(*character)) {
                Some((_, character)) if at + character.len_utf8() > to => break,
                Some((bytes, character)) => (bytes, character.len_utf8()),
                None => return (inside.start, 0),
            },
            _ if text.get(at..at + literal) == rest.get(..literal) => (literal, literal),
            _ => return (inside.start, 0),
        };
        (from, at) = (from + bytes, at + length);
    }
    (from, at)
}

/// The character of the escape at the start of `text`, and the length of the escape.
///
/// YAML's escapes include all of JSON's.
fn escape(text: &str) -> Option<(usize, char)> {
    let letter = text.get(1..)?.chars().next()?;
    let simple = match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        ' ' | '"' | '/' | '\\' => letter,
        'x' => return Some((4, char::from_u32(hex(text, 2..4)?)?)),
        'U' => return Some((10, char::from_u32(hex(text, 2..10)?)?)),
        'u' => {
            let code = hex(text, 2..6)?;
            if !(0xD800..0xDC00).contains(&code) {
                return Some((6, char::from_u32(code)?));
            }
            let low = hex(text, 8..12).filter(|low| (0xDC00..0xE000).contains(low))?;
            return Some((12, char::from_u32(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00))?));
        }
        _ => return None,
    };
    Some((2, simple))
}

fn hex(text: &str, digits: Range<usize>) -> Option<u32> {
    u32::from_str_radix(text.get(digits)?, 16).ok()
}
