//! Fixes of JSON text as changes of the value that it was written from.

use serde::Serialize;
use serde_json::value::RawValue;
use tollproof_core::document::{Node, Value, member_pointer};
use tollproof_core::{Edit, Fix, Format, Parsed, Source, Span, json_of};

/// A fix, as values to replace.
#[derive(Debug, Serialize)]
pub(crate) struct ValueFix {
    safety: &'static str,
    edits: Vec<ValueEdit>,
}

/// One value to replace, or to remove if the new value is absent.
#[derive(Debug, Serialize)]
struct ValueEdit {
    pointer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Box<RawValue>>,
}

impl ValueFix {
    /// The changes of one document; `None` if the fixed text has no such document.
    pub(crate) fn of(fix: &Fix, parsed: &Parsed<'_>, document: usize) -> Option<Self> {
        let source = Source::new("draft", applied(parsed.source().text(), &fix.edits));
        let fixed = Parsed::of(&source, Some(Format::Json));
        let (before, after) = (parsed.whole(), fixed.whole());
        let before = before.documents().nth(document)?.document().root.as_ref()?;
        let after = after.documents().nth(document)?.document().root.as_ref()?;
        let mut edits = Vec::new();
        compare(before, after, "", &mut edits);
        let safety = fix.safety.name();
        (!edits.is_empty()).then_some(Self { safety, edits })
    }
}

/// The text after the edits of one fix, which do not overlap.
fn applied(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    let mut fixed = String::with_capacity(text.len());
    let mut rest = 0;
    for edit in edits {
        fixed.push_str(&text[rest..edit.span.range().start]);
        fixed.push_str(&edit.text);
        rest = edit.span.range().end;
    }
    fixed + &text[rest..]
}

/// Adds what differs between two values; a list whose length differs is replaced as a whole.
fn compare(before: &Node<'_>, after: &Node<'_>, pointer: &str, edits: &mut Vec<ValueEdit>) {
    match (&before.value, &after.value) {
        (Value::Object(old), Value::Object(new)) => {
            let removed = old.iter().filter(|member| after.get(&member.key).is_none());
            edits.extend(
                removed
                    .map(|member| ValueEdit { pointer: member_pointer(pointer, &member.key), value: None }),
            );
            for member in new {
                let place = member_pointer(pointer, &member.key);
                match before.get(&member.key) {
                    Some(old) => compare(old, &member.value, &place, edits),
                    None => edits.push(replaced(place, &member.value)),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (at, (old, new)) in old.iter().zip(new).enumerate() {
                compare(old, new, &format!("{pointer}/{at}"), edits);
            }
        }
        _ if json_of(before) == json_of(after) => {}
        _ => edits.push(replaced(pointer.to_owned(), after)),
    }
}

fn replaced(pointer: String, node: &Node<'_>) -> ValueEdit {
    let value = RawValue::from_string(json_of(node)).expect("`json_of` writes JSON");
    ValueEdit { pointer, value: Some(value) }
}

/// The RFC 6901 pointer of the innermost value that contains a span.
pub(crate) fn place_of(root: &Node<'_>, span: Span) -> String {
    let contains = |outer: Span| outer.start <= span.start && span.end <= outer.end;
    let (mut node, mut pointer) = (root, String::new());
    loop {
        let inner = match &node.value {
            Value::Object(members) => members
                .iter()
                .find(|member| contains(member.key_span) || contains(member.value.span))
                .map(|it| (member_pointer(&pointer, &it.key), &it.value)),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .find(|(_, item)| contains(item.span))
                .map(|(at, item)| (format!("{pointer}/{at}"), item)),
            _ => None,
        };
        let Some((place, value)) = inner else { return pointer };
        (pointer, node) = (place, value);
    }
}
