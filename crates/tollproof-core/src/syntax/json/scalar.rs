//! Reads JSON strings, numbers and literals, and the invalid forms that people write instead.

use std::borrow::Cow;

use super::JsonReader;
use crate::syntax::document::Value;
use crate::syntax::message::{Message, message};

/// Bytes at which a plain run of string characters ends: quote, backslash, control characters.
static STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte < 32 {
        stops[byte] = true;
        byte += 1;
    }
    stops[b'"' as usize] = true;
    stops[b'\\' as usize] = true;
    stops
};

/// The length of the plain run of string characters at the beginning of some bytes.
fn plain_run(bytes: &[u8]) -> usize {
    // Without branches, many bytes are compared at once.
    let is_plain = |block: &&[u8; 16]| {
        !block.iter().fold(false, |stops, &byte| stops | (byte == b'"') | (byte == b'\\') | (byte < 32))
    };
    let begin = bytes.as_chunks().0.iter().take_while(is_plain).count() * 16;
    let (chunks, rest) = bytes[begin..].as_chunks::<8>();
    for (at, eight) in chunks.iter().enumerate() {
        let stops = stops_in(u64::from_le_bytes(*eight));
        if stops != 0 {
            return begin + at * 8 + stops.trailing_zeros() as usize / 8;
        }
    }
    let end = rest.iter().position(|&byte| STOPS[usize::from(byte)]);
    begin + chunks.len() * 8 + end.unwrap_or(rest.len())
}

/// The upper bit of the first of eight bytes that ends a plain run, and perhaps of others after it.
fn stops_in(eight: u64) -> u64 {
    let each = |byte: u8| u64::from_ne_bytes([byte; 8]);
    // A subtraction sets the upper bit of each byte that is less than the subtrahend, and perhaps of those above it. Bytes of
    // letters beyond ASCII have it from the start and do not count.
    let less = |eight: u64, byte: u8| eight.wrapping_sub(each(byte)) & !eight;
    let same = |byte: u8| less(eight ^ each(byte), 1);
    (same(b'"') | same(b'\\') | less(eight, 32)) & each(0x80)
}

/// Quotation marks that word processors insert.
const CURLY_QUOTES: [char; 6] = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{ab}', '\u{bb}'];

impl<'s> JsonReader<'s> {
    /// Reads a string in double quotes that starts at the current position.
    pub(super) fn string(&mut self) -> Cow<'s, str> {
        let open = self.at;
        self.at += 1;
        let mut decoded: Option<String> = None;
        let mut start = self.at;
        loop {
            self.at += plain_run(&self.bytes[self.at..]);
            let part = &self.text[start..self.at];
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return join(decoded, part);
                }
                Some(b'\\') => {
                    // Where one escape is, others follow.
                    let text = decoded.get_or_insert_with(|| String::with_capacity(part.len() * 2 + 32));
                    text.push_str(part);
                    let escape = self.escape();
                    decoded.get_or_insert_default().push_str(&escape);
                    start = self.at;
                }
                Some(b'\n' | b'\r') | None if self.ends_here() => {
                    // Brackets and commas at the end of the line belong to the structure, not to the string.
                    let cut = part.trim_end_matches(is_structure);
                    self.at = start + cut.len();
                    self.spent |= self.text[self.at..].trim_start_matches(is_structure).is_empty();
                    self.fault_at(open, open + 1, "this string has no closing quote")
                        .help("Write a double quote where it ends.");
                    return join(decoded, cut);
                }
                Some(_) => self.control_character(),
                None => return join(decoded, part),
            }
        }
    }

    /// Whether a line break inside a string means that the closing quote is missing: the next line starts a new entry.
    fn ends_here(&self) -> bool {
        let rest = self.text[self.at..].trim_start();
        rest.is_empty() || rest.starts_with(['"', '{', '}', '[', ']'])
    }

    /// Records a control character in a string and moves past it.
    ///
    /// A line break is consumed together with all whitespace after it, so that none of it is read twice.
    fn control_character(&mut self) {
        let start = self.at;
        let byte = self.bytes[start];
        self.at += 1;
        if matches!(byte, b'\n' | b'\r') {
            self.at = self.text.len() - self.text[start..].trim_start().len();
        }
        let (message, help) = match byte {
            b'\n' | b'\r' => ("this string contains a line break", "Write the line break as \\n."),
            b'\t' => ("this string contains a tab", "Write it as \\t."),
            _ => ("this string contains a control character", "Remove it."),
        };
        self.fault_at(start, start + 1, message).help(help);
    }

    /// Decodes the escape whose backslash is at the position, and moves past it.
    fn escape(&mut self) -> Cow<'static, str> {
        let start = self.at;
        self.at += 2;
        let simple = match self.bytes.get(start + 1) {
            Some(b'"') => "\"",
            Some(b'\\') => "\\",
            Some(b'/') => "/",
            Some(b'b') => "\u{8}",
            Some(b'f') => "\u{c}",
            Some(b'n') => "\n",
            Some(b'r') => "\r",
            Some(b't') => "\t",
            Some(b'u') => return self.unicode_escape(start),
            None => {
                self.at = start + 1;
                ""
            }
            Some(_) => {
                self.at = self.ceil(start + 1);
                let end = self.ceil(self.at + 1).min(self.bytes.len());
                self.fault_at(start, end, "this is not an escape in JSON").help("Write a backslash as two.");
                "\\"
            }
        };
        Cow::Borrowed(simple)
    }

    /// Decodes `\uXXXX`, or a surrogate pair of two such escapes.
    fn unicode_escape(&mut self, start: usize) -> Cow<'static, str> {
        let unit = |at: usize| {
            let digits = self.text.get(at + 2..at + 6)?;
            let known =
                self.bytes[at..].starts_with(b"\\u") && digits.bytes().all(|it| it.is_ascii_hexdigit());
            known.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
        };
        let first = unit(start);
        let pair_begins = first.is_some_and(|it| (0xD800..0xDC00).contains(&it));
        let pair = if pair_begins { unit(start + 6) } else { None };
        let rest = &self.text[start..];
        let is_of_escape = |byte: u8| byte.is_ascii_hexdigit() || b"\\u".contains(&byte);
        let units: Vec<u16> = first.into_iter().chain(pair).collect();
        match char::decode_utf16(units.iter().copied()).collect::<Result<String, _>>() {
            Ok(text) if !units.is_empty() => {
                self.at = start + 6 * units.len();
                Cow::Owned(text)
            }
            // The text ends within the escape.
            _ if rest.len() < if pair_begins { 12 } else { 6 } && rest.bytes().all(is_of_escape) => {
                self.at = self.text.len();
                Cow::Borrowed("")
            }
            _ => {
                self.at = if first.is_some() { start + 6 } else { start + 2 };
                self.fault_at(start, self.at, "this escape is not a character").help(
                    "Write \\u and four hexadecimal digits; characters beyond \\uFFFF take two escapes.",
                );
                Cow::Borrowed("\u{fffd}")
            }
        }
    }

    /// Reads a number, a literal, or a value that should have been quoted.
    pub(super) fn bare(&mut self, first: u8) -> Value<'s> {
        let start = self.at;
        if first == b'\'' {
            return self.single_quoted();
        }
        if self.curly_quote() {
            return Value::Null;
        }
        let word = self.bare_word();
        match word {
            "null" => return Value::Null,
            "true" => return Value::Bool(true),
            "false" => return Value::Bool(false),
            number if is_number(number) => return Value::Number(number),
            _ => {}
        }
        let (message, help): (Message, Message) = match word {
            "True" | "False" | "None" | "NULL" | "TRUE" | "FALSE" | "undefined" | "NaN" => {
                (message!("`{}` is not JSON", word), "Write true, false or null.".into())
            }
            "" => ("this is not a value".into(), "Write a string in double quotes.".into()),
            _ if word.chars().all(|character| character.is_whitespace() || character.is_control()) => {
                let code = word.chars().next().map_or(0, u32::from);
                let name = Message::name(format!("U+{code:04X}"));
                (message!("the character {} is not allowed here", name), "Remove it.".into())
            }
            _ => (message!("`{}` is not JSON", word), message!("Write it as a string: \"{}\".", word)),
        };
        let end = self.skip_to_separator(start, self.at);
        self.fault_at(start, end, message).help(help);
        self.spent |= self.at == self.text.len();
        Value::Null
    }

    /// Reads a string in single quotes: not valid JSON, but unambiguous.
    fn single_quoted(&mut self) -> Value<'s> {
        let start = self.at;
        let rest = &self.text[start + 1..];
        let length = rest.find(['\'', '\r', '\n']).unwrap_or(rest.len());
        let closed = rest[length..].starts_with('\'');
        let end = start + 1 + length + usize::from(closed);
        self.at = end;
        self.fault_at(start, end, "this string is in single quotes").help("JSON requires double quotes.");
        Value::Null
    }

    /// Reports a quotation mark from a word processor. Such a text usually contains many of them, so it is reported
    /// once and reading stops.
    pub(super) fn curly_quote(&mut self) -> bool {
        let quote = self.text[self.at..].chars().next().filter(|it| CURLY_QUOTES.contains(it));
        let Some(quote) = quote else { return false };
        let start = self.at;
        self.at = self.text.len();
        self.cut = true;
        if !std::mem::replace(&mut self.spent, true) {
            let message = message!("`{}` is a curly quote, but JSON allows only straight quotes", quote);
            self.fault_at(start, start + quote.len_utf8(), message)
                .help("Replace the curly quotes around keys and values with \". Nothing after this place was checked.");
        }
        true
    }

    /// Reads a run of characters up to whitespace or a structural character.
    pub(super) fn bare_word(&mut self) -> &'s str {
        let rest = &self.text[self.at..];
        let end = rest.find([',', ':', '{', '}', '[', ']', '"', ' ', '\t', '\r', '\n']);
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Moves to the next comma, closing bracket or line end at or after `from`, but at least past the character at
    /// `start`. Returns the end of the skipped text without trailing whitespace.
    pub(super) fn skip_to_separator(&mut self, start: usize, from: usize) -> usize {
        let rest = &self.text[from..];
        let stop = from + rest.find([',', '}', ']', '\r', '\n']).unwrap_or(rest.len());
        self.at = stop.max(self.ceil(start + 1));
        let passed = self.text[start..self.at].trim_end().len();
        (start + passed).max(self.ceil(start + 1))
    }

    /// Skips a string without decoding it.
    pub(super) fn skip_string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Skips whitespace, and comments with an error.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        // In compact JSON, each token follows the one before.
        if self.peek().is_some_and(|byte| byte <= b' ' || byte == b'/') {
            self.skip_all_blanks();
        }
    }

    fn skip_all_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(b'/') if matches!(self.bytes.get(self.at + 1), Some(b'/' | b'*')) => self.comment(),
                _ => return,
            }
        }
    }

    /// Reports and skips a comment, which JSON does not allow.
    fn comment(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            rest.find(['\r', '\n']).unwrap_or(rest.len())
        };
        self.at = start + length;
        self.fault_at(start, self.at, "JSON has no comments").help("Remove it, or write the file as YAML.");
    }
}

/// Whether a character can follow the last value of a text: whitespace, a comma or a closing bracket.
fn is_structure(character: char) -> bool {
    character.is_whitespace() || ",]}".contains(character)
}

fn join<'s>(decoded: Option<String>, part: &'s str) -> Cow<'s, str> {
    match decoded {
        None => Cow::Borrowed(part),
        Some(text) => Cow::Owned(text + part),
    }
}

/// Whether a string matches the number grammar of JSON.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(text);
    if whole == 0 || whole > 1 && text.starts_with('0') {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::{STOPS, plain_run};

    #[test]
    fn a_plain_run_ends_at_the_first_stop() {
        for byte in 0..=u8::MAX {
            for at in 0..20 {
                let mut bytes = "a é ~ \u{7f} ü }! #[] z".as_bytes().to_vec();
                bytes[at] = byte;
                let expected = if STOPS[usize::from(byte)] { at } else { bytes.len() };
                assert_eq!(plain_run(&bytes), expected, "{byte} at {at}");
                bytes[18] = b'"';
                assert_eq!(plain_run(&bytes), expected.min(18), "{byte} at {at}, before a quote");
            }
        }
    }
}
