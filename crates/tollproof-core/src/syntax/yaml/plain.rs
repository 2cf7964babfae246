//! Reads YAML as most drafts are written, an entry in each line, without granit. All that granit might read otherwise is
//! left to granit.

use std::borrow::Cow;

use crate::syntax::document::{Member, Node, Style, Value};
use crate::syntax::limits::MAX_STRING;
use crate::syntax::source::Span;

/// The maximum number of entries; each key is compared with those before it.
const MAX_MEMBERS: usize = 64;

/// The maximum length of a key, in bytes.
const MAX_KEY: usize = 100;

/// The object of a text that is one mapping at the beginning of its lines. Its keys are names; its values are nothing,
/// scalars on one line without escapes, block scalars without blank lines, and lists with a scalar in each line. `None` for
/// any other text.
pub(super) fn read(text: &str) -> Option<Node<'_>> {
    let has_blanks_at_ends =
        || text.ends_with(' ') || memchr::memmem::find(text.as_bytes(), b" \n").is_some();
    if text.len() > MAX_STRING || !is_printable(text) || has_blanks_at_ends() {
        return None;
    }
    let start = text.strip_prefix("---\n").map_or(0, |rest| text.len() - rest.len());
    let mut lines = PlainLines { text, at: start };
    let mut members: Vec<Member<'_>> = Vec::new();
    while let Some((start, line)) = lines.take() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = entry(line)?;
        let key_span = Span::new(start, start + key.len());
        let value = match value {
            "" => lines.list(key_span.end as usize + 1)?,
            "|" | "|-" => lines.block(Style::Literal, value)?,
            ">" | ">-" => lines.block(Style::Folded, value)?,
            value => scalar(value, start + line.len() - value.len())?,
        };
        if members.len() == MAX_MEMBERS || members.iter().any(|it| it.key == key) {
            return None;
        }
        members.push(Member { key: key.into(), key_span, value });
    }
    let (first, last) = (members.first()?, members.last()?);
    let start = first.key_span.start as usize;
    let written = text[start..last.value.span.end as usize].trim_end();
    let span = Span::new(start, start + written.len());
    Some(Node { span, style: Style::Plain, value: Value::Object(members) })
}

/// Whether a text has only characters that YAML reads as they are, and no blanks but spaces and line feeds.
fn is_printable(text: &str) -> bool {
    // Without branches, many bytes are compared at once.
    let is_read = |byte: u8| (byte >= b' ' && byte != 0x7f) | (byte == b'\n');
    let is_plain = text.bytes().fold(true, |all, byte| all & is_read(byte));
    if !is_plain || text.is_ascii() {
        return is_plain;
    }
    let is_other = |it: char| {
        it.is_control() || it.is_whitespace() || matches!(it, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    };
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
        let mut characters = rest[at..].chars();
        if characters.next().is_some_and(is_other) {
            return false;
        }
        rest = characters.as_str();
    }
    true
}

/// The key and the value of a line; the value is empty if it follows in the next lines.
fn entry(line: &str) -> Option<(&str, &str)> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = line.bytes().take_while(is_name).count();
    let (key, rest) = line.split_at(length);
    let is_key = key.len() <= MAX_KEY && key.starts_with(|it: char| it.is_ascii_alphabetic());
    let value = rest.strip_prefix(':').filter(|_| is_key)?;
    let is_apart = value.is_empty() || value.starts_with(' ');
    is_apart.then(|| (key, value.trim_start_matches(' ')))
}

/// A scalar on one line, which begins at a place.
fn scalar(written: &str, start: usize) -> Option<Node<'_>> {
    let quoted = |quote: char| {
        let inner = written[1..].strip_suffix(quote)?;
        (!inner.contains([quote, '\\'])).then_some(Value::String(inner.into()))
    };
    let (style, value) = match written.as_bytes().first()? {
        b'"' => (Style::Double, quoted('"')?),
        b'\'' => (Style::Single, quoted('\'')?),
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'/' | b'$' | b'(' | 0x80.. => {
            let is_more = written.ends_with(':') || written.contains(": ") || written.contains(" #");
            (Style::Plain, Some(Value::of_plain(written)).filter(|_| !is_more)?)
        }
        _ => return None,
    };
    Some(Node { span: Span::new(start, start + written.len()), style, value })
}

/// The lines of a text that were not read yet.
struct PlainLines<'s> {
    text: &'s str,
    /// Where the next line begins.
    at: usize,
}

impl<'s> PlainLines<'s> {
    /// The next line and where it begins, without going on.
    fn peek(&self) -> Option<(usize, &'s str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        Some((self.at, &rest[..length]))
    }

    /// The next line and where it begins.
    fn take(&mut self) -> Option<(usize, &'s str)> {
        let (start, line) = self.peek()?;
        self.at = start + line.len() + 1;
        Some((start, line))
    }

    /// A list with an item in each line; nothing, at a place behind its key, if there is no item.
    fn list(&mut self, place: usize) -> Option<Node<'s>> {
        let indent = self.indent();
        let begun = self.at + indent;
        let mut items: Vec<Node<'s>> = Vec::new();
        while let Some((start, line)) = self.peek() {
            let Some(item) = line.strip_prefix(&self.text[begun - indent..begun]) else { break };
            let Some(item) = item.strip_prefix("- ") else { break };
            let item = item.trim_start_matches(' ');
            items.push(scalar(item, start + line.len() - item.len())?);
            self.take();
        }
        let (span, value) = match items.last() {
            Some(last) => (Span { end: last.span.end, ..Span::new(begun, begun) }, Value::Array(items)),
            None => (Span::new(place, place), Value::Null),
        };
        Some(Node { span, style: Style::Plain, value })
    }

    /// A block scalar, by what introduces it.
    fn block(&mut self, style: Style, header: &str) -> Option<Node<'s>> {
        let indent = self.indent();
        let begun = self.at + indent;
        let mut lines: Vec<&str> = Vec::new();
        let mut end = begun;
        while let Some((start, line)) = self.peek() {
            if line.is_empty() {
                self.take();
                continue;
            }
            let Some(content) = line.strip_prefix(&self.text[begun - indent..begun]) else { break };
            // A blank line before it, or its own indent, would be part of the text.
            if start > end + 1 && !lines.is_empty() || content.starts_with(' ') {
                return None;
            }
            lines.push(content);
            end = start + line.len();
            self.take();
        }
        let keeps_end = !header.ends_with('-');
        if indent == 0 || lines.is_empty() || keeps_end && end == self.text.len() {
            return None;
        }
        let value = match lines.as_slice() {
            [_] => Cow::Borrowed(&self.text[begun..end + usize::from(keeps_end)]),
            lines => {
                let mut text = lines.join(if style == Style::Folded { " " } else { "\n" });
                text.extend(keeps_end.then_some('\n'));
                text.into()
            }
        };
        let span = Span::new(begun, self.at.min(self.text.len()));
        Some(Node { span, style, value: Value::String(value) })
    }

    /// The number of spaces at the beginning of the next line.
    fn indent(&self) -> usize {
        self.peek().map_or(0, |(_, line)| line.bytes().take_while(|byte| *byte == b' ').count())
    }
}
