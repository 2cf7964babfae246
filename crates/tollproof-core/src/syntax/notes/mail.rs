//! Mails as programs save them: the text of the body, with what its encoding changed.

use std::ops::Range;

use super::line::Line;

/// The most parts of a mail inside each other.
const MAX_DEPTH: usize = 4;

/// The body of a mail in the letters that its reader sees.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) is_page: bool,
    /// For each byte, where its letter begins and ends in the source.
    places: Vec<(usize, usize)>,
}

/// A part of a mail that is text.
struct MailPart<'t> {
    body: &'t str,
    is_page: bool,
    is_quoted: bool,
}

/// The body of a mail that has parts or an encoding: `None` for texts as they are.
pub(super) fn body(text: &str) -> Option<Body> {
    let is_header = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let first = text.lines().next().and_then(|line| line.split_once(':'));
    first.filter(|(name, _)| !name.is_empty() && is_header(name))?;
    let part = part(text, 0).filter(|part| part.is_quoted || part.is_page || part.body.len() < text.len())?;
    let start = part.body.as_ptr() as usize - text.as_ptr() as usize;
    let mut body = Body { text: String::new(), is_page: part.is_page, places: Vec::new() };
    body.read(part.body, start, part.is_quoted);
    Some(body)
}

/// The text of a mail, or of a part of one: the first that is not a page.
fn part(text: &str, depth: usize) -> Option<MailPart<'_>> {
    let (head, body) = text.split_once("\n\n").or_else(|| text.split_once("\r\n\r\n"))?;
    let header = |name: &str| {
        let mut lines = head
            .lines()
            .skip_while(|line| !line.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name)));
        let first = lines.next()?.get(name.len()..)?;
        let more = lines.take_while(|line| line.starts_with([' ', '\t']));
        Some(more.fold(first.trim().to_owned(), |value, line| value + " " + line.trim()))
    };
    let kind = header("content-type:").unwrap_or_default();
    let boundary =
        kind.split(';').filter_map(|part| part.trim().split_once('=')).find_map(|(name, value)| {
            name.eq_ignore_ascii_case("boundary").then(|| format!("--{}", value.trim_matches('"')))
        });
    if let Some(boundary) = boundary.filter(|boundary| boundary.len() > 2) {
        let begins = |part: &str| part.starts_with(['\n', '\r']);
        let parts = body.split(&boundary).skip(1).filter(|part| begins(part) && depth < MAX_DEPTH);
        let mut parts: Vec<MailPart<'_>> =
            parts.filter_map(|own| part(own.strip_prefix("\r\n").unwrap_or(&own[1..]), depth + 1)).collect();
        let text = parts.iter().position(|part| !part.is_page).unwrap_or_default();
        return (text < parts.len()).then(|| parts.swap_remove(text));
    }
    let kind = kind.to_ascii_lowercase();
    let encoding = header("content-transfer-encoding:").unwrap_or_default().to_ascii_lowercase();
    let is_text = kind.is_empty() || kind.starts_with("text/");
    let (is_page, is_quoted) = (kind.starts_with("text/html"), encoding == "quoted-printable");
    (is_text && encoding != "base64").then_some(MailPart { body, is_page, is_quoted })
}

impl Body {
    fn push(&mut self, character: char, place: Range<usize>) {
        self.text.push(character);
        self.places.resize(self.text.len(), (place.start, place.end));
    }

    /// Reads a body that begins at `start`: `=C3=A9` is a letter, and `=` at the end of a line joins it with the next.
    fn read(&mut self, body: &str, start: usize, is_quoted: bool) {
        let mut bytes: Vec<(u8, usize)> = Vec::new();
        let mut at = 0;
        while let Some(character) = body[at..].chars().next() {
            let rest = &body[at..];
            let digits = || rest.get(1..3).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let code = || u8::from_str_radix(digits()?, 16).ok();
            let length = match character {
                '=' if is_quoted && rest.starts_with("=\n") => 2,
                '=' if is_quoted && rest.starts_with("=\r\n") => 3,
                '=' if is_quoted && code().is_some() => {
                    bytes.extend(code().map(|byte| (byte, start + at)));
                    3
                }
                _ => {
                    self.letters(&mut bytes);
                    self.push(character, start + at..start + at + character.len_utf8());
                    character.len_utf8()
                }
            };
            at += length;
        }
        self.letters(&mut bytes);
    }

    /// Adds the letters of bytes that were written as numbers, in UTF-8 or else in Latin-1.
    fn letters(&mut self, bytes: &mut Vec<(u8, usize)>) {
        let raw: Vec<u8> = bytes.iter().map(|(byte, _)| *byte).collect();
        let mut at = 0;
        while at < raw.len() {
            let letter = |length| std::str::from_utf8(raw.get(at..at + length)?).ok()?.chars().next();
            let (length, letter) = (1..=4)
                .find_map(|length| Some((length, letter(length)?)))
                .unwrap_or_else(|| (1, char::from(raw[at])));
            self.push(letter, bytes[at].1..bytes[at + length - 1].1 + 3);
            at += length;
        }
        bytes.clear();
    }

    /// Gives lines that were read of the text their places in the source.
    pub(super) fn placed(&self, mut lines: Vec<Line>) -> Vec<Line> {
        let last = self.places.len().saturating_sub(1);
        for char in lines.iter_mut().flat_map(|line| &mut line.chars) {
            let Some((start, _)) = self.places.get(char.start.min(last)) else { continue };
            let end = self.places[char.end.saturating_sub(1).min(last)].1;
            (char.start, char.end) = (*start, end.max(*start));
        }
        lines
    }
}
