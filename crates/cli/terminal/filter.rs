//! Filters output, so that no text of a draft controls a terminal or is a command of a CI runner.

use std::io::{self, Write};

use super::printable;

/// The kind of output, which decides how text is filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Lines on a screen or in a CI log.
    Screen {
        /// Whether tollproof writes its own escape sequences; text between them must be filtered before.
        escapes: bool,
    },
    /// Text whose printer escapes special characters: XML, Markdown, and the commands for GitHub's runner.
    Escaped,
    /// JSON, in which every character has an escape.
    Json,
    /// Bytes that are not text, which stay as they are.
    Binary,
}

/// A writer that replaces control characters and commands of CI runners.
pub(crate) struct Filter<W> {
    out: W,
    medium: Medium,
    line: Line,
    mark: Mark,
    /// The first bytes of an incomplete UTF-8 character.
    begun: Vec<u8>,
}

/// The start of the current line. CI runners ignore whitespace before a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Whitespace,
    Colon,
    Text,
}

/// The part of `##name[` read so far: some CI runners accept this command anywhere in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    Hash,
    Name,
}

impl<W: Write> Filter<W> {
    pub(crate) fn new(out: W, medium: Medium) -> Self {
        Self { out, medium, line: Line::Whitespace, mark: Mark::None, begun: Vec::new() }
    }

    /// A filter for plain lines.
    pub(crate) fn screen(out: W) -> Self {
        Self::new(out, Medium::Screen { escapes: false })
    }

    fn push(&mut self, c: char, shown: &mut String) {
        let sign = self.mark == Mark::Name && c == '[';
        self.mark = match (c, self.mark) {
            ('#', Mark::None) => Mark::Hash,
            ('#', _) => Mark::Name,
            (c, Mark::Name) if c.is_ascii_alphabetic() => Mark::Name,
            _ => Mark::None,
        };
        let colon = self.line == Line::Colon && c == ':';
        self.line = match (c, self.line) {
            ('\n', _) => Line::Whitespace,
            (':', Line::Whitespace) => Line::Colon,
            (c, Line::Whitespace) if c.is_whitespace() => Line::Whitespace,
            _ => Line::Text,
        };
        let safe = printable(c);
        let own = c == '\n' || self.medium == (Medium::Screen { escapes: true }) && c == '\x1b';
        match self.medium {
            Medium::Json if sign || !own && safe != c => {
                shown.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            // Replacements of the same width keep the drawing around the text aligned.
            Medium::Screen { .. } | Medium::Escaped if sign => shown.push('\u{2045}'),
            Medium::Screen { .. } if colon => shown.push('\u{2236}'),
            _ => shown.push(if own { c } else { safe }),
        }
    }
}

/// Whether a byte stays as it is wherever it is in a line.
fn is_plain(byte: &u8) -> bool {
    matches!(byte, b'\n' | b' '..=b'~') && *byte != b'#'
}

impl<W: Write> Write for Filter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.medium == Medium::Binary {
            return self.out.write_all(bytes).map(|()| bytes.len());
        }
        // Only on a screen it matters where a line starts.
        let is_anywhere = !matches!(self.medium, Medium::Screen { .. }) && self.mark == Mark::None;
        if is_anywhere && self.begun.is_empty() && bytes.iter().all(is_plain) {
            return self.out.write_all(bytes).map(|()| bytes.len());
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut shown = String::with_capacity(all.len());
        let mut rest = all.as_slice();
        loop {
            let (valid, error) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => {
                    let valid = &rest[..error.valid_up_to()];
                    (std::str::from_utf8(valid).unwrap_or_default(), Some(error))
                }
            };
            valid.chars().for_each(|c| self.push(c, &mut shown));
            let Some(error) = error else { break };
            rest = &rest[error.valid_up_to()..];
            let Some(invalid) = error.error_len() else {
                self.begun = rest.to_owned();
                break;
            };
            self.push('\u{fffd}', &mut shown);
            rest = &rest[invalid..];
        }
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(medium: Medium, pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut filter = Filter::new(&mut out, medium);
        pieces.iter().for_each(|piece| filter.write_all(piece).expect("vectors take everything"));
        String::from_utf8(out).expect("the filter writes text")
    }

    #[test]
    fn lines_steer_no_terminal_and_command_no_runner() {
        let screen = Medium::Screen { escapes: false };
        for (text, shown) in [
            ("plain: a::b # c ## d [e]\n", "plain: a::b # c ## d [e]\n"),
            (
                "\x1b[31m\u{9b}2J\u{202e}\u{2028}\r\x07",
                "\u{241b}[31m\u{fffd}2J\u{fffd}\u{fffd}\u{240d}\u{2407}",
            ),
            ("::error::a\n \u{a0}\t::error::b", ":\u{2236}error::a\n \u{a0}\t:\u{2236}error::b"),
            ("a ##[error]b ##vso[c] ###[d]", "a ##\u{2045}error]b ##vso\u{2045}c] ###\u{2045}d]"),
        ] {
            assert_eq!(filtered(screen, &[text.as_bytes()]), shown);
            // A writer may receive text in pieces of any size.
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(filtered(screen, &bytes), shown);
        }
        assert_eq!(filtered(Medium::Screen { escapes: true }, &[b"\x1b[1ma\x07"]), "\x1b[1ma\u{2407}");
        assert_eq!(
            filtered(Medium::Escaped, &[b"::error::a\x1b\n##vso["]),
            "::error::a\u{241b}\n##vso\u{2045}"
        );
        assert_eq!(filtered(screen, &[b"a\xffb"]), "a\u{fffd}b");
    }

    #[test]
    fn long_texts_are_filtered_as_short_ones() {
        let text = format!("{}\u{9b}{}##vso[x]\n:", "a ".repeat(99), "::b é\n".repeat(99));
        for medium in [Medium::Screen { escapes: false }, Medium::Escaped, Medium::Json] {
            let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(filtered(medium, &[text.as_bytes()]), filtered(medium, &bytes), "{medium:?}");
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let text = "\"\u{9b}\u{202e}##[error]\"";
        let json = filtered(Medium::Json, &[text.as_bytes()]);
        assert_eq!(json, "\"\\u009b\\u202e##\\u005berror]\"");
        let read: String = serde_json::from_str(&json).expect("it stays JSON");
        assert_eq!(format!("\"{read}\""), text);
    }
}
