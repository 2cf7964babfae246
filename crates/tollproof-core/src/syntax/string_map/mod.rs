//! Maps ranges of a decoded string back to their bytes in the source.

mod replacement;
mod unit;

#[cfg(test)]
mod tests;

use std::ops::Range;

pub(crate) use self::replacement::{
    in_quotes, is_computed_in_part, is_only_data, overwrite, refusal, replacement, tag,
};
use self::unit::{skip_json, units};
use crate::syntax::align::aligned;
use crate::syntax::document::{Node, Style, Value};
use crate::syntax::program::characters;
use crate::syntax::source::Span;

/// The smallest span of the source that decodes to `range` of a string.
///
/// An empty range is a position between two characters. Returns the span of the whole node if the range cannot be
/// mapped, or if the node is an alias or not a string.
pub(crate) fn inner_span(source: &str, node: &Node<'_>, range: Range<usize>) -> Span {
    let text = match &node.value {
        _ if matches!(node.style, Style::Alias(_)) => return node.span,
        Value::String(text) => text.as_ref(),
        Value::Number(text) => text,
        _ => return node.span,
    };
    let start = floor(text, range.start);
    let end = ceil(text, range.end.max(range.start));
    if !node.style.is_data() {
        return aligned(&written(source, node), text, start..end).unwrap_or(node.span);
    }
    spelled_out(source, node, text, start..end)
        .or_else(|| walk(source, node, text, start..end))
        .filter(|span| node.span.start <= span.start && span.end <= node.span.end)
        .unwrap_or(node.span)
}

/// The characters of a string of a program or of notes, each with its place.
fn written(source: &str, node: &Node<'_>) -> Vec<(usize, usize, char)> {
    if let Style::Program(language) = node.style {
        return characters(source, node.span, language);
    }
    let start = node.span.start as usize;
    let written = source.get(node.span.range()).unwrap_or_default().char_indices();
    written.map(|(at, c)| (start + at, start + at + c.len_utf8(), c)).collect()
}

/// The bytes of a string in the source without its quotes.
fn inside(node: &Node<'_>) -> Range<usize> {
    let Range { start, end } = node.span.range();
    match node.style {
        Style::Json | Style::Single | Style::Double | Style::QuotedCell
            if matches!(node.value, Value::String(_)) =>
        {
            start + 1..end.saturating_sub(1).max(start + 1)
        }
        _ => start..end,
    }
}

/// The span by arithmetic, if the source contains the string without escapes.
fn spelled_out(source: &str, node: &Node<'_>, text: &str, range: Range<usize>) -> Option<Span> {
    let inside = inside(node);
    let written = source.get(inside.start..inside.start + text.len())?;
    // The span of a block scalar may be longer than its string: the rest is whitespace.
    let whole =
        inside.start + text.len() == inside.end || matches!(node.style, Style::Literal | Style::Folded);
    (whole && written == text).then(|| Span::new(inside.start + range.start, inside.start + range.end))
}

/// The span by decoding the source again, character by character, up to the end of the range.
fn walk(source: &str, node: &Node<'_>, text: &str, range: Range<usize>) -> Option<Span> {
    let inside = inside(node);
    source.get(inside.clone())?;
    let mut found: Option<Range<usize>> = None;
    // Fast path: most characters of a string in JSON are written as they are.
    let (start, mut at) = match node.style {
        Style::Json => skip_json(source, &inside, text, range.start),
        _ => (inside.start, 0),
    };
    let mut last_end = start;
    for unit in units(source, start..inside.end, node.style, text) {
        let piece_end = unit.repeats(&text[at..]).map(|bytes| at + bytes);
        let Some(piece_end) = piece_end else { break };
        if range.is_empty() && at >= range.start && piece_end > at {
            return Some(Span::new(unit.source.start, unit.source.start));
        }
        if piece_end > range.start && at < range.end {
            let start = found.map_or(unit.source.start, |found| found.start);
            found = Some(start..unit.source.end);
        }
        if piece_end > at {
            last_end = unit.source.end;
        }
        at = piece_end;
        if at >= range.end && !range.is_empty() {
            return found.map(|found| Span::new(found.start, found.end));
        }
    }
    if let Some(found) = found
        && text[at..].bytes().all(|byte| byte == b'\n')
    {
        // The decoded block scalar at the end of a file may have one more line break than the source.
        return Some(Span::new(found.start, found.end));
    }
    let at_end = range.is_empty() && at == text.len() && range.start == at;
    at_end.then(|| Span::new(last_end, last_end))
}

fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn ceil(text: &str, offset: usize) -> usize {
    (offset.min(text.len())..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}
