//! The object of a draft, made of the fields that were read.

use std::borrow::Cow;

use tollproof_data::provider::data::KindData;
use tollproof_data::provider::path::{Path, Step};

use super::line::{NoteChar, span_of, text_of};
use super::read::NoteEntry;
use crate::prepared::PREPARED;
use crate::syntax::document::{Member, Node, Style, Value};
use crate::syntax::field_names::named;
use crate::syntax::span::Span;

/// A field of a draft: its role, or its own name, with the places of its values.
#[derive(Clone, Debug)]
pub(super) struct NoteField {
    pub(super) role: &'static str,
    pub(super) name: Option<String>,
    pub(super) label: Span,
    pub(super) values: Vec<Vec<NoteChar>>,
    pub(super) section: usize,
}

impl NoteField {
    /// The field of an entry; `None` without values.
    pub(super) fn of(entry: &NoteEntry, role: &'static str, values: Vec<Vec<NoteChar>>) -> Option<Self> {
        let (label, section) = (entry.label, entry.section);
        (!values.is_empty()).then_some(Self { role, name: None, label, values, section })
    }
}

/// The object of a draft in the names of a kind.
pub(super) fn object<'s>(fields: &[NoteField], kind: &'static KindData) -> Node<'s> {
    let (style, span) = (Style::Notes, Span::default());
    let mut root = Node { span, style, value: Value::Object(Vec::new()) };
    for field in fields {
        let is_list = |path: &Path| path.is_list || path.each;
        let (keys, is_list) = match &field.name {
            // Some names contain dots themselves.
            Some(name) if named(name).iter().any(|known| known.key == name.as_str()) => {
                (vec![name.as_str()], kind.path(field.role).is_some_and(is_list))
            }
            Some(name) => (name.split(['.', '/']).collect(), kind.path(field.role).is_some_and(is_list)),
            None if kind.roles.is_none() => (vec![field.role], PREPARED.roles.lists.contains(&field.role)),
            None => (Vec::new(), false),
        };
        if !keys.is_empty() {
            let steps: Vec<Step> = keys.into_iter().map(|key| Some(Cow::Owned(key.to_owned()))).collect();
            let path = Path { steps: steps.into(), name: "", is_list, each: false };
            put(&mut root, &path, field.label, &field.values);
            continue;
        }
        let paths = kind.paths(field.role);
        match paths {
            [] => {}
            [(_, path)] => put(&mut root, path, field.label, &field.values),
            // Several fields, each with one of the values.
            paths => paths.iter().zip(&field.values).for_each(|((_, path), value)| {
                put(&mut root, path, field.label, std::slice::from_ref(value));
            }),
        }
    }
    close(&mut root);
    root
}

/// Puts values at a path, unless something is there.
fn put<'s>(root: &mut Node<'s>, path: &Path, label: Span, values: &[Vec<NoteChar>]) {
    let Some((Some(key), rest)) = path.steps.split_first() else { return };
    let key: Cow<'s, str> = Cow::Owned(key.to_string());
    let Value::Object(members) = &mut root.value else { return };
    let has_more = rest.first().is_some_and(Option::is_some);
    let known = members.iter().position(|member| member.key == key);
    if has_more {
        let at = known.unwrap_or_else(|| {
            let value = Node { span: label, style: Style::Notes, value: Value::Object(Vec::new()) };
            members.push(Member { key, key_span: label, value });
            members.len() - 1
        });
        let below = Path { steps: rest.iter().cloned().collect(), ..path.clone() };
        return put(&mut members[at].value, &below, label, values);
    }
    if known.is_some() {
        return;
    }
    let text = |value: &Vec<NoteChar>| Node {
        span: span_of(value),
        style: Style::Notes,
        value: Value::String(Cow::Owned(text_of(value))),
    };
    let item_key = rest.get(1).and_then(|step| step.as_deref());
    let item = |value: &Vec<NoteChar>| match item_key {
        Some(key) => {
            let inner = text(value);
            let member = Member { key: Cow::Owned(key.to_owned()), key_span: inner.span, value: inner };
            Node { span: member.key_span, style: Style::Notes, value: Value::Object(vec![member]) }
        }
        None => text(value),
    };
    let is_list = path.is_list || path.each || !rest.is_empty();
    let (first, last) = (span_of(&values[0]), span_of(&values[values.len() - 1]));
    let whole = Span { end: last.end.max(first.end), ..first };
    let node = match values {
        _ if is_list => {
            Node { span: whole, style: Style::Notes, value: Value::Array(values.iter().map(item).collect()) }
        }
        [value] => text(value),
        values => {
            let joined: Vec<String> = values.iter().map(|value| text_of(value)).collect();
            Node { span: whole, style: Style::Notes, value: Value::String(Cow::Owned(joined.join("\n"))) }
        }
    };
    members.push(Member { key, key_span: label, value: node });
}

/// Gives objects the place of what they contain, in its order.
fn close(node: &mut Node<'_>) {
    let Value::Object(members) = &mut node.value else { return };
    members.iter_mut().for_each(|member| close(&mut member.value));
    members.sort_by_key(|member| member.key_span.start.min(member.value.span.start));
    let start = members.iter().map(|member| member.key_span.start.min(member.value.span.start)).min();
    let end = members.iter().map(|member| member.value.span.end.max(member.key_span.end)).max();
    if let (Some(start), Some(end)) = (start, end) {
        node.span = Span { start, end };
    }
}
