//! Translates granit's errors into our messages, each at the smallest span that shows the error.

use granit_parser::{ErrorKind, ScanError};

use crate::syntax::document::{SyntaxError, SyntaxErrorKind};
use crate::syntax::limits::too_deep;
use crate::syntax::message::{Message, message};
use crate::syntax::source::Span;

/// The syntax error for an error of granit.
pub(super) fn of(text: &str, error: &ScanError) -> SyntaxError {
    let offset = error.marker().byte_offset().unwrap_or_default();
    let span = character_at(text, offset);
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return too_deep(span)
            .help("A submission has at most three nested levels. This document was not read.");
    }
    let (span, message, help) = words(text, error.kind(), span);
    let syntax_error = SyntaxError::new(SyntaxErrorKind::Syntax, span, message);
    if help.is_empty() { syntax_error } else { syntax_error.help(help) }
}

/// The character at an offset; at the end of a line or of the text, the last character before it.
///
/// Empty only if the text is empty.
pub(super) fn character_at(text: &str, offset: usize) -> Span {
    let mut start = offset.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_end = text[start..].chars().next().is_none_or(|it| matches!(it, '\n' | '\r'));
    if line_end {
        let before = text[..start].trim_end();
        if let Some(last) = before.chars().next_back() {
            return Span::new(before.len() - last.len_utf8(), before.len());
        }
        start = start.min(text.len().saturating_sub(1));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
    }
    let end = text[start..].chars().next().map_or(start, |it| start + it.len_utf8());
    Span::new(start, end)
}

/// Span, message and help; the help may be empty.
fn words(text: &str, kind: &ErrorKind, at: Span) -> (Span, Message, &'static str) {
    use ErrorKind as Kind;
    let said = |message: &'static str, help| (at, message.into(), help);
    match kind {
        Kind::TabNotAllowed
        | Kind::TabInBlockIndentation
        | Kind::TabInIndentation
        | Kind::TabAtBlockScalarStart
        | Kind::TabInPlainScalar => {
            let message = "YAML allows only spaces here, not a tab".into();
            (tab_near(text, at), message, "Indent with spaces.")
        }
        Kind::UnclosedQuotedScalar => {
            said("this quote is not closed", "Write the same quote at the end of the text.")
        }
        Kind::InvalidQuotedScalarIndent | Kind::DocumentIndicatorInQuotedScalar => said(
            "a quoted text is still open at this line, which is not indented",
            "Close the quote where the text ends, or indent the lines on which it continues.",
        ),
        Kind::UnclosedFlowCollection { open } => (
            at,
            message!("this `{}` is not closed", *open),
            if *open == '[' { "Write `]` after its last item." } else { "Write `}` after its last field." },
        ),
        Kind::MismatchedFlowCollectionEnd { open, close } => {
            (at, message!("this `{}` is closed by a `{}`", *open, *close), "Use matching brackets.")
        }
        Kind::MisplacedFlowCollectionEnd => {
            said("this bracket closes nothing", "Remove it, or put the text in quotes.")
        }
        Kind::InvalidIndentation | Kind::InvalidFlowScalarIndent => {
            said("this line needs more indentation", "Close the bracket or quote above, or indent this line.")
        }
        Kind::ExpectedBlockMappingKey | Kind::ExpectedBlockSequenceEntry => said(
            "this line does not align with the lines above it",
            "Indent it exactly like the fields or items that it belongs to.",
        ),
        Kind::InvalidBlockScalarIndent => said(
            "this line does not align with the text that it belongs to",
            "Indent all lines of a text equally.",
        ),
        Kind::MappingValueNotAllowed
        | Kind::InvalidColonPlacement
        | Kind::FlowMappingValueAdjacentCollection => said(
            "a `:` is not allowed here",
            "Put the text in quotes if the `:` is part of it. Otherwise check the indentation of this line.",
        ),
        Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => (
            line_from(text, at),
            "this is not `field: value`".into(),
            "Write a `:` after the name of the field. If the line continues a text, indent it.",
        ),
        Kind::BlockSequenceEntryNotAllowed | Kind::BlockEntryInFlowCollection => {
            said("a list cannot begin here", "Begin it on a new line, or put the text in quotes.")
        }
        Kind::PlainScalarStartsWithDashFlowIndicator => {
            said("a text cannot begin like this", "Put it in quotes.")
        }
        Kind::UnexpectedCharacter { character } => unexpected(at, *character),
        Kind::UnknownQuotedScalarEscape
        | Kind::InvalidQuotedScalarHexEscape
        | Kind::InvalidLowSurrogateHexEscape
        | Kind::InvalidLowSurrogate
        | Kind::MissingLowSurrogate
        | Kind::UnpairedLowSurrogate
        | Kind::InvalidUnicodeEscape => {
            let span = bad_escape(text, at);
            let written = text.get(span.range()).unwrap_or_default();
            let message = message!("`{}` is not an escape in YAML", written);
            (span, message, "Write `\\\\` for a backslash, or use single quotes.")
        }
        Kind::InvalidTrailingSingleQuotedScalar | Kind::InvalidTrailingDoubleQuotedScalar => said(
            "there is text after the closing quote",
            "Put the whole text in the quotes, and write a quote inside it as `\\\"` or `''`.",
        ),
        Kind::ExpectedFlowMappingSeparator => said("a `,` or the closing `}` is missing here", ""),
        Kind::ExpectedFlowSequenceSeparator => said("a `,` or the closing `]` is missing here", ""),
        Kind::CommentInterceptedScalar => said(
            "there is a comment inside a text of several lines",
            "Move the comment above the field, or put the text in quotes.",
        ),
        Kind::CommentNotSeparated => {
            said("a comment needs a space before its `#`", "Put the text in quotes if the `#` is part of it.")
        }
        Kind::MissingAnchorOrAliasName => {
            said("`*` and `&` need a name after them in YAML", "Put the text in quotes.")
        }
        Kind::UndeclaredTagHandle => {
            said("this is an unknown tag", "Put the text in quotes if it begins with `!`.")
        }
        Kind::BomInsideDocument => said("there is a byte order mark inside the text", "Delete it."),
        Kind::UnexpectedEof
        | Kind::UnexpectedEofBlockMapping
        | Kind::UnexpectedEofBlockSequence
        | Kind::UnexpectedEofFlowMapping
        | Kind::UnexpectedEofFlowSequence
        | Kind::UnexpectedEofImplicitFlowMapping
        | Kind::ExpectedNodeContent => {
            // granit also reports an early end of the text where an unexpected character is the cause.
            match text.get(at.range()).and_then(|slice| slice.chars().next()) {
                Some(it) if !it.is_whitespace() => unexpected(at, it),
                _ => said("the text ends too early", ""),
            }
        }
        _ => {
            let words = plain(&kind.to_string());
            let quotes = words.contains(['`', '"', '\'']);
            (at, if quotes { Message::value(words) } else { Message::own(words) }, "")
        }
    }
}

fn unexpected(at: Span, character: char) -> (Span, Message, &'static str) {
    if character.is_control() {
        let message = message!(
            "the control character {} is not allowed here",
            Message::name(format!("U+{:04X}", u32::from(character)))
        );
        return (at, message, "Delete it.");
    }
    let help = match character {
        '@' | '`' | '%' => "A text that begins with this character needs quotes.",
        _ => "Delete it, or put the text in quotes.",
    };
    (at, message!("a `{}` is not allowed here", character), help)
}

/// A message of granit in our style: no capital at the start, no full stop at the end.
fn plain(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    let mut letters = message.chars();
    match letters.next() {
        // An abbreviation keeps its upper case.
        Some(first) if !letters.as_str().starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        Some(_) => message.to_owned(),
        None => "this is not YAML".to_owned(),
    }
}

/// The span of the tab: granit reports the position after the whitespace that contains it.
fn tab_near(text: &str, at: Span) -> Span {
    let start = at.start as usize;
    if text[start..].starts_with('\t') {
        return at;
    }
    let blanks = &text[text[..start].trim_end_matches([' ', '\t']).len()..start];
    let Some(tab) = blanks.find('\t') else {
        return at;
    };
    let tab = start - blanks.len() + tab;
    Span::new(tab, tab + 1)
}

/// The span from a position to the last character of its line.
fn line_from(text: &str, at: Span) -> Span {
    let start = at.start as usize;
    let line = text[start..].split(['\n', '\r']).next().unwrap_or_default().trim_end();
    Span::new(start, (start + line.len()).max(at.end as usize))
}

/// The first invalid escape of a double-quoted string: granit reports only the string.
fn bad_escape(text: &str, quote: Span) -> Span {
    let mut at = quote.end as usize;
    while let Some(found) = text[at..].find(['\\', '"']) {
        at += found;
        let escape = &text[at..];
        let mut letters = escape.chars();
        if letters.next() == Some('"') {
            break;
        }
        let Some(letter) = letters.next() else { break };
        let digits = match letter {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ if "0abtnvfre \"/\\N_LP\t\r\n".contains(letter) => {
                at += 2;
                continue;
            }
            _ => return Span::new(at, at + 1 + letter.len_utf8()),
        };
        let written = letters.as_str().bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
        let end = at + 2 + written;
        let code = u32::from_str_radix(&text[at + 2..end], 16).unwrap_or(u32::MAX);
        let low = text[end..].strip_prefix("\\u").and_then(|rest| rest.get(..4));
        let low = low.and_then(|low| u32::from_str_radix(low, 16).ok());
        match code {
            _ if written < digits => return Span::new(at, end),
            0xD800..=0xDBFF if digits == 4 && matches!(low, Some(0xDC00..=0xDFFF)) => at = end + 6,
            _ if char::from_u32(code).is_none() => return Span::new(at, end),
            _ => at = end,
        }
    }
    quote
}
