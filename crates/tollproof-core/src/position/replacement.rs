//! Writes a text in place of a value, in the notation that the value has.

use std::fmt::Write;

use crate::document::{Node, Style, Value};

/// What to write over the whole span of a node so that it says `new_text`.
///
/// The notation stays where the new text can be written in it; a value that was no string becomes
/// one in double quotes. Of a block scalar the indentation and the end are kept, so the line break
/// at the end of `new_text` is up to its header (`|`, `|-`, `|+`).
pub(crate) fn replacement(source: &str, node: &Node<'_>, new_text: &str) -> String {
    let written = source.get(node.span.range()).unwrap_or_default();
    let is_string = matches!(node.value, Value::String(_));
    let quoted = match node.style {
        Style::Json => in_json(new_text),
        Style::Literal | Style::Folded => return in_block(source, node, written, new_text),
        Style::Single if is_string && new_text.chars().all(is_readable) => {
            format!("'{}'", new_text.replace('\'', "''"))
        }
        Style::Plain if is_string && is_plain(written, new_text) => new_text.to_owned(),
        _ => in_double_quotes(new_text),
    };
    if written.is_empty() { apart(source, node, &quoted) } else { quoted }
}

/// A text in place of nothing: apart from the `:` or `-` before it.
fn apart(source: &str, node: &Node<'_>, quoted: &str) -> String {
    let before = source.get(..node.span.start as usize).unwrap_or_default();
    let behind = source.get(node.span.end as usize..).unwrap_or_default();
    match before.chars().next_back() {
        None => quoted.to_owned(),
        Some(it) if it.is_whitespace() || matches!(it, '[' | '{' | ',') => quoted.to_owned(),
        // A field of `{…}` that has no `:` either.
        Some(it) if it != ':' && behind.starts_with([',', '}']) => format!(": {quoted}"),
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

/// Whether YAML takes a character within a line as it is, and people can see it.
fn is_readable(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a text without quotes is this very string.
///
/// Commas and brackets are safe outside of `[…]` and `{…}` only, which the text before shows if it
/// holds any itself.
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

/// The lines of a text below `|` or `>`.
fn in_block(source: &str, node: &Node<'_>, written: &str, text: &str) -> String {
    let before = source.get(..node.span.start as usize).unwrap_or_default();
    let line_break = if source.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = text.trim_end_matches('\n');
    if written.trim().is_empty() {
        // Nothing shows the indentation yet: a little more than the field's own.
        let header = before.trim_end();
        let field = header.rsplit(['\n', '\r']).next().unwrap_or_default();
        let indent = field.len() - field.trim_start_matches([' ', '-']).len() + 2;
        let first = if before.ends_with(['\n', '\r']) { "" } else { line_break };
        let lines = joined(lines, node.style, &" ".repeat(indent), line_break);
        return format!("{first}{}{lines}{line_break}", " ".repeat(indent));
    }
    let indent = &before[before.trim_end_matches(' ').len()..];
    let content = written.trim_end();
    let tail = &written[content.len()..];
    let tail = tail.find(['\n', '\r']).map_or("", |at| &tail[at..]);
    joined(lines, node.style, indent, line_break) + tail
}

/// Lines behind one another; below `>`, a line break is written as a blank line.
fn joined(text: &str, style: Style, indent: &str, line_break: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let stays = |line: &str| line.starts_with([' ', '\t']);
    let mut block = String::new();
    // The last line that is not blank decides how the breaks behind it are folded.
    let mut folds_after: Option<bool> = None;
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            block.push_str(line_break);
        }
        if line.is_empty() {
            continue;
        }
        let folds = style == Style::Folded && folds_after == Some(true) && !stays(line);
        if folds {
            block.push_str(line_break);
        }
        if at > 0 {
            block.push_str(indent);
        }
        block.push_str(line);
        folds_after = Some(!stays(line));
    }
    block
}
