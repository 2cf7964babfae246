//! Decodes bytes to text.

use std::borrow::Cow;

use tollproof_data::tables::windows_1252::LETTERS;

use crate::syntax::message::{Message, message};
use crate::syntax::part_start::PartStart;
use crate::syntax::span::Span;
use crate::syntax::syntax_error::{SyntaxError, SyntaxErrorKind};

/// The maximum size of a file in bytes: spans use 32-bit offsets.
const MAX_BYTES: usize = u32::MAX as usize;

/// Decodes bytes as UTF-8 and returns the encoding errors.
///
/// UTF-16 is converted, and so is Windows-1252. In other texts, each NUL and each byte that is not UTF-8 becomes a question
/// mark, so that all offsets stay valid. For office documents and files of 4 GiB or more the string is empty, and so it is for
/// a page or a program in a file that is named as data (`is_data`).
pub(crate) fn decode(bytes: Vec<u8>, start: PartStart, is_data: bool) -> (String, Vec<SyntaxError>) {
    // The first bytes of a file tell its format, those of a later part are text like any other.
    if !start.is_first() {
        return decode_utf8(bytes, start);
    }
    if bytes.len() >= MAX_BYTES {
        let message = "this file is larger than 4 GiB";
        let syntax_error =
            SyntaxError::new(SyntaxErrorKind::Limit, Span::default(), message).help("Split it.");
        return (String::new(), vec![syntax_error]);
    }
    if is_utf16(&bytes) {
        let is_wide = bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]);
        if let Some(text) = utf16(&bytes).filter(|text| !is_wide && text.len() < MAX_BYTES) {
            let syntax_error =
                SyntaxError::new(SyntaxErrorKind::Utf16, Span::default(), "this file is UTF-16").help(SAVE);
            return (text, vec![syntax_error]);
        }
        let message = if is_wide { "this file is UTF-32" } else { "this file is UTF-16, and damaged" };
        let syntax_error = SyntaxError::new(SyntaxErrorKind::Encoding, Span::default(), message);
        return (String::new(), vec![syntax_error.help("Save it as UTF-8. Nothing in it was checked.")]);
    }
    if let Some(what) = other_file(&bytes, is_data) {
        let syntax_error = SyntaxError::new(
            SyntaxErrorKind::Encoding,
            Span::default(),
            message!("this file is {}, not a draft", Message::own(what)),
        );
        let help = if what == PROGRAM {
            "Give it the extension of its language, such as `.ts` or `.sh`. Nothing in it was checked."
        } else {
            "Copy its text into a JSON or YAML file, and save that as UTF-8. Nothing in it was checked."
        };
        return (String::new(), vec![syntax_error.help(help)]);
    }
    let (text, mut syntax_errors) = decode_utf8(bytes, start);
    if text.starts_with('\u{feff}') {
        let syntax_error = SyntaxError::new(
            SyntaxErrorKind::ByteOrderMark,
            Span::new(0, 3),
            "this file begins with a byte order mark",
        );
        syntax_errors.push(
            syntax_error.help("Save it as UTF-8 without a byte order mark, because some programs refuse it."),
        );
    }
    (text, syntax_errors)
}

fn decode_utf8(bytes: Vec<u8>, start: PartStart) -> (String, Vec<SyntaxError>) {
    let mut syntax_errors = Vec::new();
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        if let Some((text, syntax_error)) = windows_1252(&bytes) {
            syntax_errors.push(syntax_error);
            return text;
        }
        let (text, spans) = replace_invalid(bytes);
        syntax_errors.push(encoding(&spans, start, "not UTF-8"));
        text
    });
    let text = if memchr::memchr(0, text.as_bytes()).is_some() {
        without_nul(text, start, &mut syntax_errors)
    } else {
        text
    };
    (text, syntax_errors)
}

/// File signatures of formats that people mistake for text, with their names.
const SIGNATURES: [(&[u8], &str); 7] = [
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document (.doc or .xls)"),
    (b"%PDF-", "a PDF"),
    (b"{\\rtf", "a rich text document (.rtf)"),
    (b"\x1f\x8b", "a compressed file (.gz)"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
];

/// The name of programs and commands that send a submission.
const PROGRAM: &str = "a program";

/// Names inside ZIP archives that identify office documents.
const ARCHIVES: [(&[u8], &str); 3] = [
    (b"word/", "a Word document (.docx)"),
    (b"xl/", "an Excel workbook (.xlsx)"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file (.odt or .ods)"),
];

/// Whether a text without a telling name is a program or a command that sends a submission.
pub(super) fn seems_program(head: &[u8]) -> bool {
    // Most programs begin with a comment.
    let mut head = head;
    while let Some(end) = head.starts_with(b"//").then(|| memchr::memchr(b'\n', head)).flatten() {
        head = head[end..].trim_ascii_start();
    }
    let begins = |with: &str| head.starts_with(with.as_bytes());
    let calls = [b".create(".as_slice(), b".update(", b"fetch(", b"requests.post("];
    let is_program = ["from ", "import ", "const ", "require ", "package ", "<?php", "using "]
        .iter()
        .any(|word| begins(word));
    begins("curl ")
        || begins("#!")
        || is_program && calls.iter().any(|call| memchr::memmem::find(head, call).is_some())
}

/// The name of a binary or document format that the bytes begin like, if any.
fn other_file(bytes: &[u8], is_data: bool) -> Option<&'static str> {
    let head = bytes.trim_ascii_start();
    let begins =
        |with: &str| head.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()));
    if is_data && (begins("<!doctype html") || begins("<html")) {
        return Some("an HTML page");
    }
    if is_data && seems_program(head) {
        return Some(PROGRAM);
    }
    let (signature, what) = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature))?;
    let holds = |name: &[u8]| bytes.windows(name.len()).any(|it| it == name);
    let archive = ARCHIVES.iter().find(|(name, _)| signature.starts_with(b"PK") && holds(name));
    Some(archive.map_or(*what, |(_, what)| *what))
}

/// Whether bytes are UTF-16: with a byte order mark, or ASCII without one.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || has_nuls(bytes, 0)
        || has_nuls(bytes, 1)
}

/// Whether every other byte at the start is NUL, from the first or the second one on.
fn has_nuls(bytes: &[u8], parity: usize) -> bool {
    let head = &bytes[..bytes.len().min(16)];
    head.len() >= 4
        && head.iter().any(|&byte| byte != 0)
        && head.iter().skip(parity).step_by(2).all(|&byte| byte == 0)
}

/// UTF-16 as text, without its byte order mark. `None` if it is damaged.
fn utf16(bytes: &[u8]) -> Option<String> {
    let is_big = bytes.starts_with(&[0xfe, 0xff]) || has_nuls(bytes, 0);
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units =
        pairs.iter().map(|pair| if is_big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
    let is_whole = rest.is_empty() && memchr::memchr(0, text.as_bytes()).is_none();
    is_whole.then(|| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Advice for a text that is not UTF-8.
const SAVE: &str = "Save it as UTF-8.";

/// A text in Windows-1252, and the finding at its first letter that is not ASCII. `None` if it has no letter for a byte, or if
/// other letters are UTF-8.
fn windows_1252(bytes: &[u8]) -> Option<(String, SyntaxError)> {
    let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\r' | b'\n');
    let is_mixed = || bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    if !bytes.iter().all(is_text) || is_mixed() {
        return None;
    }
    let letters: Option<String> = bytes.iter().map(|byte| letter(*byte)).collect();
    let text = letters.filter(|text| text.len() < MAX_BYTES)?;
    let first = bytes.iter().position(|byte| !byte.is_ascii())?;
    let more = if bytes[first + 1..].is_ascii() { "" } else { ", and there are more" };
    let letter = letter(bytes[first])?;
    let message = message!(
        "the letter `{}` is stored as Windows-1252, not as UTF-8{}",
        Cow::from(letter.to_string()),
        Message::own(more)
    );
    let span = Span::new(first, first + letter.len_utf8());
    let syntax_error = SyntaxError::new(SyntaxErrorKind::Windows1252, span, message);
    Some((
        text,
        syntax_error
            .help("Check that the letter is right, and save the file as UTF-8: in Excel, as CSV UTF-8."),
    ))
}

/// The letter of a byte in Windows-1252.
fn letter(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9f => {
            let code = format!("{byte:02X}");
            let at = LETTERS.binary_search_by_key(&code.as_str(), |(code, _)| code).ok()?;
            LETTERS[at].1.chars().next()
        }
        _ => Some(char::from(byte)),
    }
}

fn replace_invalid(mut bytes: Vec<u8>) -> (String, Vec<Span>) {
    let mut spans = Vec::new();
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let start = from + error.valid_up_to();
        let end = error.error_len().map_or(bytes.len(), |length| start + length);
        bytes[start..end].fill(b'?');
        if spans.len() < 2 {
            spans.push(Span::new(start, end));
        }
        from = end;
    }
    let text = String::from_utf8(bytes).expect("every invalid byte was replaced");
    (text, spans)
}

fn without_nul(text: String, start: PartStart, syntax_errors: &mut Vec<SyntaxError>) -> String {
    let spans: Vec<Span> = text.match_indices('\0').take(2).map(|(at, _)| Span::new(at, at + 1)).collect();
    syntax_errors.push(encoding(&spans, start, "NUL"));
    text.replace('\0', "?")
}

/// One error for all invalid bytes of a text, at the first of them.
fn encoding(spans: &[Span], start: PartStart, what: &str) -> SyntaxError {
    let more = if spans.len() > 1 { ", and there are more".into() } else { Message::default() };
    let span = spans.first().copied().unwrap_or_default();
    let offset = start.file_offset(span.start);
    let offset = Message::name(offset.to_string());
    let message = message!("the byte at offset {} is {}{}", offset, Message::own(what), more);
    SyntaxError::new(SyntaxErrorKind::Encoding, span, message)
        .help("Save the file as UTF-8. The rest was checked with a question mark in its place.")
}
