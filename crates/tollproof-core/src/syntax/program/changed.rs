//! Texts as functions of a program change them: joined, with values put in, without a margin.

use crate::syntax::document::{COMPUTED, Node, Value};
use crate::syntax::span::Span;

/// Functions and methods that return their text without changing what it says.
const SAME: &str = "trim trimspace strip dedent cleandoc trimIndent trimMargin squish freeze chomp to_s toString strip_heredoc \
    unwrap into to_string to_owned String str Trim TrimSpace Fields stringify dumps encode normalize strval \
    stripIndent unsafe quote Ptr F S compact";

/// Whether a function of this name is one of them.
pub(super) fn is_same(name: &str) -> bool {
    SAME.split(' ').any(|same| same == name)
}

/// A list of texts as one.
pub(super) fn as_text<'s>(node: Node<'s>, separator: &str) -> Node<'s> {
    let Value::Array(items) = &node.value else { return node };
    let texts: Option<Vec<&str>> = items.iter().map(Node::as_str).collect();
    let (Some(texts), Some(first), Some(last)) = (texts, items.first(), items.last()) else {
        return Node { value: Value::Computed, ..node };
    };
    let text = texts.join(separator);
    Node {
        span: Span { end: last.span.end, ..first.span },
        style: first.style,
        value: Value::String(text.into()),
    }
}

/// A text whose lines begin with a sign that is not a part of it.
pub(super) fn without_margin(node: Node<'_>) -> Node<'_> {
    let Some(text) = node.as_str() else { return node };
    let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix('|').unwrap_or(line)).collect();
    Node { value: Value::String(lines.join("\n").into()), ..node }
}

/// A text with the values that a function puts into it; places are marked where they are not known.
pub(super) fn formatted<'s>(node: Node<'s>, given: &[Option<Node<'s>>]) -> Node<'s> {
    let Value::String(text) = &node.value else { return node };
    let mut said = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    let mut given = given.iter().map(|node| node.as_ref().and_then(Node::as_str));
    while let Some(at) = rest.find(['%', '{']) {
        said += &rest[..at];
        let tail = &rest[at..];
        let length = match tail.as_bytes() {
            [b'%', b's' | b'd' | b'v' | b'q' | b'f' | b'@', ..] => 2,
            [b'{', ..] => tail.find('}').filter(|end| *end < 30).map_or(0, |end| end + 1),
            _ => 0,
        };
        said += if length == 0 { &tail[..1] } else { given.next().flatten().unwrap_or(COMPUTED) };
        rest = &tail[length.max(1)..];
    }
    said += rest;
    Node { value: Value::String(said.into()), ..node }
}
