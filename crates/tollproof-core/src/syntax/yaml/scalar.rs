//! Types of YAML scalars by the core schema, and their exact spans.

use std::borrow::Cow;

use granit_parser::{ScalarStyle, Tag};

use crate::syntax::document::{Node, Style, Value};
use crate::syntax::source::Span;

/// The node of a scalar whose decoded value is `decoded`.
pub(super) fn node<'s>(
    text: &'s str,
    decoded: Cow<'s, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    at: Span,
    is_value: bool,
) -> Node<'s> {
    let written = text.get(at.range()).unwrap_or_default();
    let quoted = || written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let (style, spelled) = match style {
        ScalarStyle::Plain => (Style::Plain, written),
        ScalarStyle::SingleQuoted => (Style::Single, quoted()),
        ScalarStyle::DoubleQuoted => (Style::Double, quoted()),
        ScalarStyle::Literal => (Style::Literal, prefix(written, &decoded)),
        ScalarStyle::Folded => (Style::Folded, prefix(written, &decoded)),
    };
    if style == Style::Plain && written.is_empty() {
        // For a missing value, granit returns `~` at a position before the `:`.
        let place = if is_value { behind_colon(text, at.start as usize) } else { at.start as usize };
        let value = typed(style, "", tag).unwrap_or(Value::Null);
        return Node { span: Span::new(place, place), style, value };
    }
    // An empty block scalar is located after its `|`; granit reports the next line, or includes the `|`.
    let blank = decoded.bytes().all(|byte| byte == b'\n');
    let span = match style {
        Style::Literal | Style::Folded if blank => {
            let end = text.get(..at.end as usize).unwrap_or_default().trim_end().len();
            Span::new(end, end)
        }
        _ => at,
    };
    let value = if spelled == decoded {
        typed(style, spelled, tag).unwrap_or(Value::String(Cow::Borrowed(spelled)))
    } else {
        Value::String(Cow::Owned(decoded.into_owned()))
    };
    Node { span, style, value }
}

/// The string of a key: decoded if it is a string, else as written; `None` for lists and objects.
pub(super) fn key<'s>(text: &'s str, node: &Node<'s>) -> Option<Cow<'s, str>> {
    match &node.value {
        Value::String(key) => Some(key.clone()),
        Value::Array(_) | Value::Object(_) => None,
        _ => Some(Cow::Borrowed(text.get(node.written().range()).unwrap_or_default())),
    }
}

/// The value of a scalar that is written literally; `None` if it is a string.
fn typed<'s>(style: Style, spelled: &'s str, tag: Option<&Tag>) -> Option<Value<'s>> {
    let by_schema = Value::of_plain(spelled);
    let holds = match tag.and_then(Tag::core_suffix) {
        Some("int" | "float") => matches!(by_schema, Value::Number(_)),
        Some("bool") => matches!(by_schema, Value::Bool(_)),
        Some("null") => matches!(by_schema, Value::Null),
        Some("str") => return Some(Value::String(Cow::Borrowed(spelled))),
        // The tag `!` makes any scalar a string.
        _ if tag.is_some_and(|tag| tag.parts() == ("", "!")) => {
            return Some(Value::String(Cow::Borrowed(spelled)));
        }
        _ => style == Style::Plain,
    };
    (holds && !matches!(by_schema, Value::String(_))).then_some(by_schema)
}

/// The start of `written`, as long as the decoded string.
fn prefix<'s>(written: &'s str, decoded: &str) -> &'s str {
    written.get(..decoded.len()).unwrap_or_default()
}

fn behind_colon(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let after = rest.trim_start_matches([' ', '\t']).strip_prefix(':');
    after.map_or(at, |after| text.len() - after.len())
}
