//! Places in JSON text as places in its decoded strings, counted as JavaScript counts.

use tollproof_core::document::{Node, Value};
use tollproof_core::{Source, Span};

/// A part of a string in UTF-16 units. The end is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct StringRange {
    start: usize,
    end: usize,
}

/// The part of a string that a span is about; `None` if it is about the whole value.
pub(crate) fn range_in(source: &Source<'_>, node: &Node<'_>, span: Span) -> Option<StringRange> {
    if !matches!(node.value, Value::String(_)) || span == node.span {
        return None;
    }
    let inside = node.span.range();
    let (first, last) = (inside.start + 1, inside.end.saturating_sub(1));
    let wanted = span.range();
    if wanted.start < first || wanted.end > last {
        return None;
    }
    let units = |end: usize| source.text().get(first..end).map(units);
    Some(StringRange { start: units(wanted.start)?, end: units(wanted.end)? })
}

/// Counts the UTF-16 units of a JSON string's decoded content. An escape is one unit, `\uD83D\uDE00` two.
fn units(written: &str) -> usize {
    let mut characters = written.chars();
    let mut count = 0;
    while let Some(character) = characters.next() {
        count += character.len_utf16();
        if character == '\\' && characters.next() == Some('u') {
            characters.by_ref().take(4).for_each(drop);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollproof_core::Parsed;

    #[test]
    fn ranges_count_as_javascript_does() {
        let text = r#"{"a": "x\n\"😀\ud83d\ude00é end"}"#;
        let source = Source::new("draft.json", text);
        let parsed = Parsed::of(&source, None);
        let document = parsed.only().expect("there is one");
        let node = document.root.as_ref().and_then(|it| it.get("a")).expect("it has a field");
        let at = text.find("end").expect("it is there");
        let found = range_in(&source, node, Span { start: at as u32, end: at as u32 + 3 });
        let decoded: Vec<u16> = node.as_str().expect("a string").encode_utf16().collect();
        let range = found.expect("a part of it");
        assert_eq!(String::from_utf16_lossy(&decoded[range.start..range.end]), "end");
        assert_eq!(range_in(&source, node, node.span), None);
    }
}
