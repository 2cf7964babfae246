//! The strings of programs: how long they are, their escapes, and the values that are put into them.

use crate::syntax::language::{Escapes, Holes, Quote};

/// A piece of a string: a character, or `None` for a value that the program puts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) character: Option<char>,
}

/// The length of a value that is put into a string, if one is at the start of `rest`.
pub(super) fn hole(rest: &str, holes: Holes) -> Option<usize> {
    let name = |from: usize| {
        let rest = &rest[from..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (length > 0 && !rest.starts_with(|c: char| c.is_ascii_digit())).then_some(from + length)
    };
    match holes {
        Holes::None | Holes::BraceAfterF => None,
        Holes::Dollar if rest.starts_with("${") || rest.starts_with("{$") => closed(rest, '{', '}'),
        Holes::Dollar if rest.starts_with("$(") => closed(rest, '(', ')'),
        Holes::Dollar if rest.starts_with('$') => name(1),
        Holes::Dollar => None,
        Holes::DollarBrace => rest.starts_with("${").then(|| closed(rest, '{', '}'))?,
        Holes::Hash => rest.starts_with("#{").then(|| closed(rest, '{', '}'))?,
        Holes::Backslash => rest.starts_with("\\(").then(|| closed(rest, '(', ')'))?,
        Holes::Brace if rest.starts_with("{{") => None,
        Holes::Brace => rest.starts_with('{').then(|| closed(rest, '{', '}'))?,
    }
}

/// The longest value that a program puts into a string.
const MAX_HOLE: usize = 2_000;

/// The length up to the bracket that closes the first one.
fn closed(rest: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in rest.char_indices().take(MAX_HOLE) {
        if character == open {
            depth += 1;
        } else if character == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at + 1);
            }
        }
    }
    None
}

/// The length of an escape at the start of `rest`, and its character. An escaped end of a line is nothing.
pub(super) fn escape(
    rest: &str,
    escapes: Escapes,
    holes: Holes,
    close: &str,
) -> Option<(usize, Option<char>)> {
    let doubled = |text: &str| rest.starts_with(text).then(|| (text.len(), text.chars().next()));
    if matches!(holes, Holes::Brace) && (rest.starts_with("{{") || rest.starts_with("}}")) {
        return Some((2, rest.chars().next()));
    }
    let next = rest.chars().nth(1)?;
    let length = 1 + next.len_utf8();
    match escapes {
        Escapes::None => None,
        Escapes::Doubled => doubled(&close.repeat(2)),
        Escapes::Backtick if rest.starts_with('`') => {
            let character = match next {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                other => other,
            };
            Some((length, Some(character)))
        }
        // A recipe of make has the sign twice; the number of a process is in no text.
        Escapes::OfQuote if holes == Holes::Dollar && begins_twice(rest) => {
            Some((rest.find('$')? + 2, Some('$')))
        }
        Escapes::OfQuote if rest.starts_with('\\') => {
            let is_special = matches!(next, '\\' | '$' | '`' | '\n') || close.starts_with(next);
            is_special.then_some((length, Some(next).filter(|next| *next != '\n')))
        }
        Escapes::Backslash if rest.starts_with('\\') => Some(match next {
            'n' => (2, Some('\n')),
            't' => (2, Some('\t')),
            'r' => (2, Some('\r')),
            '\n' => (2, None),
            '\r' if rest[2..].starts_with('\n') => (3, None),
            'x' => code(rest, 2, 2)?,
            'u' if rest[2..].starts_with('{') => {
                let end = rest.find('}').filter(|end| *end < 12)?;
                (end + 1, char::from_u32(u32::from_str_radix(rest.get(3..end)?, 16).ok()?))
            }
            'u' => match code(rest, 2, 4) {
                Some(found) => found,
                None => pair(rest)?,
            },
            'U' => code(rest, 2, 8)?,
            other => (length, Some(other)),
        }),
        Escapes::Backtick | Escapes::OfQuote | Escapes::Backslash => None,
    }
}

/// Whether a text begins with `$$`, or `\$$`, and not with a value.
fn begins_twice(rest: &str) -> bool {
    let after = rest.strip_prefix('\\').unwrap_or(rest).strip_prefix("$$");
    after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphabetic() || "_{(".contains(c)))
}

/// A text as it is written in such a string; `None` for one with control characters.
pub(super) fn escaped(text: &str, escapes: Escapes, holes: Holes, close: &str) -> Option<String> {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        let begins_hole = match holes {
            Holes::Dollar | Holes::DollarBrace => "$`".contains(character),
            Holes::Hash => character == '#',
            _ => false,
        };
        let is_special = begins_hole || close.starts_with(character);
        match escapes {
            _ if character.is_control() => return None,
            _ if holes == Holes::Brace && "{}".contains(character) => written.push(character),
            Escapes::Backslash | Escapes::OfQuote if is_special || character == '\\' => written.push('\\'),
            Escapes::Backtick if is_special || character == '`' => written.push('`'),
            Escapes::Doubled if is_special => written.push(character),
            _ => {}
        }
        written.push(character);
    }
    Some(written)
}

/// A character by its number.
fn code(rest: &str, from: usize, digits: usize) -> Option<(usize, Option<char>)> {
    let number = u32::from_str_radix(rest.get(from..from + digits)?, 16).ok()?;
    Some((from + digits, Some(char::from_u32(number)?)))
}

/// A character as two halves: `\ud83d\ude00`.
fn pair(rest: &str) -> Option<(usize, Option<char>)> {
    let half = |from: usize| u32::from_str_radix(rest.get(from..from + 4)?, 16).ok();
    let (high, low) = (half(2)?, half(8)?);
    let is_pair = (0xD800..0xDC00).contains(&high) && (0xDC00..0xE000).contains(&low);
    is_pair.then(|| (12, char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))))
}

/// The length of a string with its quotation marks, or how far its end was looked for.
pub(super) fn string_length(rest: &str, quote: &Quote, holes: Holes) -> Result<usize, usize> {
    let is_line = quote.close.len() == 1
        && quote.escapes != Escapes::None
        && quote.open.len() == 1
        && quote.open != "`";
    let may_break =
        !is_line || matches!(holes, Holes::Dollar | Holes::Hash) || quote.escapes == Escapes::OfQuote;
    let mut at = quote.open.len();
    loop {
        let Some(rest) = rest.get(at..) else { return Err(at) };
        if let Some(length) = hole(rest, holes) {
            at += length;
        } else if quote.escapes == Escapes::Doubled && rest.starts_with(&quote.close.repeat(2)) {
            at += 2 * quote.close.len();
        } else if rest.starts_with(quote.close) {
            return Ok(at + quote.close.len());
        } else {
            let mut characters = rest.chars();
            let Some(first) = characters.next() else { return Err(at) };
            let escapes = match quote.escapes {
                Escapes::Backslash | Escapes::OfQuote => first == '\\',
                Escapes::Backtick => first == '`',
                Escapes::Doubled | Escapes::None => false,
            };
            if first == '\n' && !may_break {
                return Err(at);
            }
            at += first.len_utf8();
            if escapes {
                at += characters.next().map_or(0, char::len_utf8);
            }
        }
    }
}

/// Lines without the indentation that the program gives them.
pub(super) fn without_indentation(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim).collect();
    if lines.is_empty() { text.to_owned() } else { lines.join("\n") }
}
