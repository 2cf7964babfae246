//! Mails as programs save them: the text of the body, with what its encoding changed.

use crate::syntax::program::Inside;

/// The most parts of a mail inside each other.
const MAX_DEPTH: usize = 4;

/// The way in which a mail writes its text.
#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    None,
    /// `=C3=A9` is a letter, and `=` at the end of a line joins it with the next.
    QuotedPrintable,
    /// Four signs are three bytes.
    Base64,
}

/// The signs of Base64, each with the value of its place.
const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A part of a mail that is text.
struct MailPart<'t> {
    body: &'t str,
    is_page: bool,
    encoding: Encoding,
}

/// The body of a mail that has parts or an encoding, in the letters that its reader sees, and whether it is a page; `None` for
/// texts as they are.
pub(super) fn body(text: &str) -> Option<(Inside<'_>, bool)> {
    let is_header = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let first = text.lines().next().and_then(|line| line.split_once(':'));
    first.filter(|(name, _)| !name.is_empty() && is_header(name))?;
    let is_other =
        |part: &MailPart<'_>| part.encoding != Encoding::None || part.is_page || part.body.len() < text.len();
    let part = part(text, 0).filter(is_other)?;
    let start = part.body.as_ptr() as usize - text.as_ptr() as usize;
    let mut inside = Inside::new(text);
    match part.encoding {
        Encoding::None => inside.add(start..start + part.body.len()),
        Encoding::QuotedPrintable => quoted(part.body, start, &mut inside),
        Encoding::Base64 => base64(part.body, start, &mut inside),
    }
    Some((inside, part.is_page))
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
    let encoding =
        match header("content-transfer-encoding:").unwrap_or_default().to_ascii_lowercase().as_str() {
            "quoted-printable" => Encoding::QuotedPrintable,
            "base64" => Encoding::Base64,
            _ => Encoding::None,
        };
    let is_text = kind.is_empty() || kind.starts_with("text/");
    is_text.then_some(MailPart { body, is_page: kind.starts_with("text/html"), encoding })
}

/// A byte of a text with where it is written.
type WrittenByte = (u8, usize, usize);

/// Adds a body in Quoted-Printable that begins at `start`.
fn quoted(body: &str, start: usize, inside: &mut Inside<'_>) {
    let mut bytes: Vec<WrittenByte> = Vec::new();
    let mut at = 0;
    while let Some(character) = body[at..].chars().next() {
        let rest = &body[at..];
        let digits = || rest.get(1..3).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = || u8::from_str_radix(digits()?, 16).ok();
        let length = match character {
            '=' if rest.starts_with("=\n") => 2,
            '=' if rest.starts_with("=\r\n") => 3,
            '=' if code().is_some() => {
                bytes.extend(code().map(|byte| (byte, start + at, start + at + 3)));
                3
            }
            _ => {
                letters(&mut bytes, inside);
                inside.push(character, (start + at, start + at + character.len_utf8()));
                character.len_utf8()
            }
        };
        at += length;
    }
    letters(&mut bytes, inside);
}

/// Adds a body in Base64 that begins at `start`; a letter has the place of all signs that have a part of it.
fn base64(body: &str, start: usize, inside: &mut Inside<'_>) {
    let mut bytes: Vec<WrittenByte> = Vec::new();
    let (mut bits, mut count, mut from) = (0_u32, 0, None);
    let signs = body
        .bytes()
        .zip(start..)
        .filter_map(|(byte, at)| Some((SIGNS.iter().position(|sign| *sign == byte)?, at)));
    for (value, at) in signs {
        let first = *from.get_or_insert(at);
        bits = (bits << 6) | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(((bits >> count) as u8, first, at + 1));
            from = (count > 0).then_some(at);
        }
    }
    letters(&mut bytes, inside);
}

/// Adds the letters of bytes that were written as numbers, in UTF-8 or else in Latin-1.
fn letters(bytes: &mut Vec<WrittenByte>, inside: &mut Inside<'_>) {
    let raw: Vec<u8> = bytes.iter().map(|(byte, ..)| *byte).collect();
    let mut at = 0;
    while at < raw.len() {
        let letter = |length| std::str::from_utf8(raw.get(at..at + length)?).ok()?.chars().next();
        let (length, letter) = (1..=4)
            .find_map(|length| Some((length, letter(length)?)))
            .unwrap_or_else(|| (1, char::from(raw[at])));
        inside.push(letter, (bytes[at].1, bytes[at + length - 1].2));
        at += length;
    }
    bytes.clear();
}
