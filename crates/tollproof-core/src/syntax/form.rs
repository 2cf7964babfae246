//! Reads the body of a form (`application/x-www-form-urlencoded`), as some providers take it: one document.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::errors::SyntaxErrors;
use super::limits::{Budget, MAX_STRING, too_long};
use crate::syntax::document::{Document, Member, Node, Style, SyntaxError, Value, push_token};
use crate::syntax::source::Span;

/// Whether a text is the body of a form: names and values without whitespace between them.
pub(super) fn seems_form(text: &str) -> bool {
    let begin = text[super::beginning(text)..].trim_start();
    if !begin.starts_with(|it: char| it.is_ascii_alphanumeric()) || !begin.contains('&') {
        return false;
    }
    let Some(first) = pairs(text).next() else { return false };
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.%[]+".contains(&byte))
    };
    // Most texts end here: their first line has a space or a quotation mark before any `=`.
    first.1.split_once('=').is_some_and(|(name, _)| is_name(name))
        && pairs(text).all(|(_, pair)| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            is_name(name) && !value.contains(|character: char| character.is_whitespace() || character == '"')
        })
        && pairs(text).count() > 1
}

/// The pairs of a body, each with its offset. Each may be on a line of its own.
fn pairs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let begin = super::beginning(text);
    let pieces = text[begin..].split(['&', '\n', '\r']).map(str::trim).filter(|it| !it.is_empty());
    pieces.map(|pair| (pair.as_ptr() as usize - text.as_ptr() as usize, pair))
}

/// The document of a body. Several values with one name are a list.
pub(super) fn read(text: &str) -> Vec<Document<'_>> {
    let mut members: Vec<Member<'_>> = Vec::new();
    let (mut errors, mut budget) = (SyntaxErrors::default(), Budget::of(text.len()));
    let (mut start, mut end) = (None, 0);
    for (at, pair) in pairs(text) {
        start.get_or_insert(at);
        end = at + pair.len();
        let whole = Span::new(at, end);
        if !budget.take(1) {
            errors.push(budget.spent(whole));
            break;
        }
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let key = decoded(name);
        let span = Span::new(end - value.len(), end);
        let mut node = Node { span, style: Style::Form, value: Value::String(decoded(value)) };
        if value.len() > MAX_STRING {
            let mut pointer = String::new();
            push_token(&mut pointer, &key);
            errors.push(SyntaxError { pointer, ..too_long(span) });
            node.value = Value::Null;
        }
        add(&mut members, Member { key, key_span: Span::new(at, at + name.len()), value: node });
    }
    let root = Node {
        span: Span::new(start.unwrap_or_default(), end),
        style: Style::Form,
        value: Value::Object(members),
    };
    vec![Document { root: Some(root), syntax_errors: errors.take(), ..Document::default() }]
}

/// Adds a field, or another value to the field with the same name.
fn add<'s>(members: &mut Vec<Member<'s>>, member: Member<'s>) {
    let Some(known) = members.iter_mut().find(|it| it.key == member.key) else {
        members.push(member);
        return;
    };
    let node = &mut known.value;
    let span = Span { end: member.value.span.end, ..node.span };
    if let Value::Array(items) = &mut node.value {
        items.push(member.value);
        node.span = span;
    } else {
        let items = vec![node.clone(), member.value];
        *node = Node { span, style: Style::Form, value: Value::Array(items) };
    }
}

/// A name or value without its escapes.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['+', '%']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace('+', " ");
    Cow::Owned(percent_decode_str(&text).decode_utf8_lossy().into_owned())
}
