//! Builds edits that replace a value with a string in the same notation.

use std::fmt::Write;

use crate::syntax::document::{COMPUTED, Node, Style, Value};
use crate::syntax::edit::Edit;
use crate::syntax::label_words::words_of_name;
use crate::syntax::message::Message;
use crate::syntax::program::rewritten;
use crate::syntax::source::Span;

/// Characters that end a cell of a CSV row, begin a quoted one, or separate items in it.
const CELL_SYNTAX: [char; 7] = [',', ';', '\t', '"', '\n', '\r', '|'];

/// The edit that changes a node to the string `new_text`; `None` if that is not possible in one edit.
///
/// The notation is kept if it can represent the new string. A block scalar, or a value that was not a string, becomes a
/// string on the line of its key.
pub(crate) fn replacement(source: &str, node: &Node<'_>, new_text: &str) -> Option<Edit> {
    if !node.style.is_data() {
        return in_place(source, node, new_text);
    }
    let written = source.get(node.span.range()).unwrap_or_default();
    let is_string = matches!(node.value, Value::String(_));
    let quoted = match node.style {
        Style::Form => {
            let text = url::form_urlencoded::byte_serialize(new_text.as_bytes()).collect();
            return Some(Edit { span: node.span, text });
        }
        Style::Json => in_json(new_text),
        Style::CellItem if new_text.contains(CELL_SYNTAX) => return None,
        Style::CellItem => new_text.to_owned(),
        Style::Cell if !new_text.contains(CELL_SYNTAX) => new_text.to_owned(),
        Style::Cell | Style::QuotedCell => format!("\"{}\"", new_text.replace('"', "\"\"")),
        Style::Single if is_string && new_text.chars().all(is_readable) => {
            format!("'{}'", new_text.replace('\'', "''"))
        }
        Style::Plain if is_string && is_plain(written, new_text) => new_text.to_owned(),
        Style::Literal | Style::Folded if is_plain("", new_text) => new_text.to_owned(),
        _ => in_double_quotes(new_text),
    };
    overwrite(source, node, &quoted)
}

/// The reason that a text in notes or a program has no edit.
pub(crate) fn refusal(source: &str, node: &Node<'_>) -> Option<Message> {
    node.as_str()?;
    let why = if is_computed_in_part(source, node) {
        "the program computes a part of this text, so `--fix` leaves it to you"
    } else {
        "this text is not written in one piece, so `--fix` leaves it to you"
    };
    (!node.style.is_data()).then(|| why.into())
}

/// Whether a program computes a part of a text.
pub(crate) fn is_computed_in_part(source: &str, node: &Node<'_>) -> bool {
    let written = source.get(node.span.range()).unwrap_or_default();
    node.as_str().is_some_and(|text| text.contains(COMPUTED)) && !written.contains(COMPUTED)
}

/// Words in the names of values that are put into a message, none of which is a sentence or the name of the sender.
const DATA: &str = "id code otp pin date time day when at order number no num ref reference amount total price balance count qty \
    link url first last customer client guest user patient member recipient contact pet eta address street minutes hours";

/// Whether all that a program computes of a text are such values, by the names of the variables: `${order.id}`. A name alone may
/// be that of the sender.
pub(crate) fn is_only_data(source: &str, node: &Node<'_>, has_names: bool) -> bool {
    let written = source.get(node.span.range()).unwrap_or_default();
    let open = node.as_str().map_or(0, |text| text.matches(COMPUTED).count());
    let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
    let is_data = |name: &&str| {
        let words = words_of_name(name);
        !name.is_empty()
            && name.chars().all(is_part)
            && words
                .iter()
                .any(|word| DATA.split_whitespace().any(|data| data == word) || !has_names && word == "name")
    };
    let braces =
        written.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name.trim());
    open > 0 && written.len() > SHORTEST && braces.filter(is_data).count() == open
}

/// The shortest text that is judged around what is computed.
const SHORTEST: usize = 30;

/// The edit of a literal in a program, or of a text in notes or in a command that the source has letter by letter. What is
/// joined or computed is left to people.
fn in_place(source: &str, node: &Node<'_>, new_text: &str) -> Option<Edit> {
    let text = node.as_str()?;
    if let Style::Program(language) = node.style
        && let Some(edit) = rewritten(source, node.span, language, (text, new_text))
    {
        return Some(edit);
    }
    let written = source.get(node.span.range())?;
    let is_plain = |text: &str| {
        !text.contains(['"', '\'', '`', '\\', '$', '{', '\n', '|', '*', '<', '#']) && !is_slanted(text)
    };
    let quote = written
        .len()
        .checked_sub(text.len())
        .filter(|more| *more == 2 && written.starts_with(['"', '\'', '`']));
    let start = node.span.start as usize + usize::from(quote.is_some());
    let span = Span::new(start, start + text.len());
    (source.get(span.range()) == Some(text) && is_plain(new_text))
        .then(|| Edit { span, text: new_text.to_owned() })
}

/// Whether Markdown takes a `_` of a text as a mark: those inside of words are none.
fn is_slanted(text: &str) -> bool {
    let is_edge = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    let is_mark = |(at, _)| is_edge(text[..at].chars().next_back()) || is_edge(text[at + 1..].chars().next());
    text.match_indices('_').any(is_mark)
}

/// The edit that replaces the source of a value with `notation`. `None` if the value has a tag, which would change the
/// meaning, or is an alias, whose value is written elsewhere.
pub(crate) fn overwrite(source: &str, node: &Node<'_>, notation: &str) -> Option<Edit> {
    let edit = match node.style {
        // A form has no lists, numbers or objects.
        Style::Alias(_) | Style::Form | Style::Program(_) | Style::Notes => return None,
        Style::Literal | Style::Folded => over_block(source, node, notation)?,
        _ if node.span.is_empty() && node.style.is_yaml() => {
            Edit { span: node.span, text: apart(source, node, notation) }
        }
        _ => Edit { span: node.span, text: notation.to_owned() },
    };
    tag(source, node).is_none().then_some(edit)
}

/// The span of the tag before a value, such as `!!int`; for an alias, the tag of the anchored value.
pub(crate) fn tag(source: &str, node: &Node<'_>) -> Option<Span> {
    let start = match node.style {
        style if !style.is_yaml() => return None,
        Style::Literal | Style::Folded => block_header(source, node)?.0,
        _ => node.written().start as usize,
    };
    let before = source.get(..start)?;
    let word = before.split_whitespace().rev().find(|word| !word.starts_with('&'))?;
    // In `{"a":!!int 1}` no space precedes the tag. A key that ends in such a word is mistaken for a tag, which only
    // means that a fix is not offered.
    let begins = |at: usize| at == 0 || word[..at].ends_with([':', ',', '[', '{']);
    let (at, _) = word.match_indices('!').find(|(at, _)| begins(*at))?;
    let word_start = word.as_ptr() as usize - before.as_ptr() as usize;
    Some(Span::new(word_start + at, word_start + word.len())).filter(|_| !word.ends_with(['[', '{', ',']))
}

/// A quoted string in the format of a node, for use inside a list.
pub(crate) fn in_quotes(node: &Node<'_>, text: &str) -> String {
    if node.style.is_yaml() { in_double_quotes(text) } else { in_json(text) }
}

/// An edit from the `|` or `>` of a block scalar to the end of its last line; a comment after the `|` is kept.
fn over_block(source: &str, node: &Node<'_>, notation: &str) -> Option<Edit> {
    let (header, header_end) = block_header(source, node)?;
    let comment = source[header..header_end].find(WHITE).map_or("", |at| &source[header + at..header_end]);
    let content = source.get(node.span.range())?;
    let last = content.trim_end_matches(WHITE).len();
    let end = match content[last..].find(['\n', '\r']) {
        _ if last == 0 => header_end,
        Some(line_end) => node.span.start as usize + last + line_end,
        None => node.span.end as usize,
    };
    Some(Edit { span: Span::new(header, end), text: format!("{notation}{comment}") })
}

const WHITE: [char; 4] = [' ', '\t', '\r', '\n'];

/// The start of a block scalar's header and the end of its line, without trailing whitespace.
fn block_header(source: &str, node: &Node<'_>) -> Option<(usize, usize)> {
    let before = source.get(..node.span.start as usize)?.trim_end_matches(WHITE);
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    Some((line + header(&before[line..])?, before.len()))
}

/// The offset of a block scalar's header in its line: `|` or `>`, its indicators, an optional comment.
fn header(line: &str) -> Option<usize> {
    line.match_indices(['|', '>']).map(|(at, _)| at).find(|&at| {
        let after = line[at + 1..]
            .trim_start_matches(|character: char| character.is_ascii_digit() || "+-".contains(character));
        let comment = after.trim_start_matches([' ', '\t']);
        let apart = line[..at].is_empty() || line[..at].ends_with([' ', '\t']);
        apart && (comment.is_empty() || comment.len() < after.len() && comment.starts_with('#'))
    })
}

/// A string for an empty value, separated from the `:` or `-` before it.
fn apart(source: &str, node: &Node<'_>, quoted: &str) -> String {
    let before = source.get(..node.span.start as usize).unwrap_or_default();
    let after = source.get(node.span.end as usize..).unwrap_or_default();
    match before.chars().next_back() {
        None => quoted.to_owned(),
        Some(it) if it.is_whitespace() || matches!(it, '[' | '{' | ',') => quoted.to_owned(),
        // A key of `{…}` without its own `:`.
        Some(it) if it != ':' && after.starts_with([',', '}']) => format!(": {quoted}"),
        Some(_) => format!(" {quoted}"),
    }
}

fn in_json(text: &str) -> String {
    serde_json::to_string(text).expect("a string is always written as JSON")
}

fn in_double_quotes(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if is_readable(character) => quoted.push(character),
            _ => {
                let code = u32::from(character);
                let width = if code > 0xFFFF { 8 } else { 4 };
                let letter = if code > 0xFFFF { 'U' } else { 'u' };
                write!(quoted, "\\{letter}{code:0width$x}").expect("a string takes any text");
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Whether YAML allows a character unescaped within a line and people can see it.
fn is_readable(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a string is read back unchanged when it is written without quotes.
///
/// Commas and brackets are safe only outside `[…]` and `{…}`, so they are allowed only if the old value already
/// contains one.
fn is_plain(written: &str, text: &str) -> bool {
    const BRACKETS: [char; 5] = [',', '[', ']', '{', '}'];
    let starts_well = !text.starts_with(|it: char| "-?:,[]{}#&*!|>'\"%@`.".contains(it));
    starts_well
        && matches!(Value::of_plain(text), Value::String(_))
        && text.trim() == text
        && text.chars().all(is_readable)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && (!text.contains(BRACKETS) || written.contains(BRACKETS))
}
