//! Objects in YAML that a command writes: `cat > fields.yaml <<YAML`.

use std::borrow::Cow;

use super::tokens::{Token, TokenKind};
use super::values::Program;
use crate::syntax::document::{Member, Node, Value};
use crate::syntax::drafts::Found;
use crate::syntax::field_names::{best, named};
use crate::syntax::span::Span;
use crate::syntax::yaml;

/// The longest text that is read.
const MAX_BYTES: usize = 1 << 16;

/// The fewest fields that make an object.
const LEAST: usize = 3;

/// The objects in texts that end with a line of their own.
pub(super) fn objects<'s>(program: &Program<'s>) -> Vec<Found<'s>> {
    let is_here =
        |token: &&Token| token.kind == TokenKind::Text && token.content() == (token.start..token.end);
    program.tokens.all.iter().filter(is_here).filter_map(|token| object(program, token)).collect()
}

fn object<'s>(program: &Program<'s>, token: &Token) -> Option<Found<'s>> {
    let text = program.tokens.text.get(token.content())?;
    let is_data = text.len() < MAX_BYTES && text.contains('\n') && text.contains(": ");
    let mut documents = yaml::read(Some(text).filter(|_| is_data)?, &mut Vec::new());
    let document = documents.drain(..).next().filter(|document| document.syntax_errors.is_empty())?;
    let mut members = Vec::new();
    add(program, document.root?, token.start, "", &mut members);
    let (_, known) = best(members.iter().map(|member| member.key.as_ref()))?;
    let span = Span::new(token.start, token.end);
    (known >= LEAST).then_some(Found { members, span, name: None, is_old: false })
}

/// Adds the members of an object; those of an object in it have both names, as fields of one provider do.
fn add<'s>(program: &Program<'s>, node: Node<'s>, by: usize, above: &str, members: &mut Vec<Member<'s>>) {
    let Value::Object(own) = node.value else { return };
    for Member { key, key_span, value } in own {
        let key = if above.is_empty() { key } else { Cow::Owned(format!("{above}.{key}")) };
        let is_part = |inner: &Member<'_>| !named(&format!("{key}.{}", inner.key)).is_empty();
        let inner = if let Value::Object(inner) = &value.value { inner.as_slice() } else { &[] };
        if above.is_empty() && inner.iter().any(is_part) {
            add(program, value, by, &key, members);
        } else if !named(&key).is_empty() {
            let value = placed(program, value, by);
            members.push(Member { key, key_span: shifted(key_span, by), value });
        }
    }
}

fn shifted(span: Span, by: usize) -> Span {
    Span::new(span.start as usize + by, span.end as usize + by)
}

/// A value at its place in the program, with what the program puts into it.
fn placed<'s>(program: &Program<'s>, node: Node<'s>, by: usize) -> Node<'s> {
    let span = shifted(node.span, by);
    let value = match node.value {
        Value::String(text) if text.contains('$') => {
            let is_whole = text.starts_with('$') && !text[1..].contains(['$', ' ']) && text.ends_with('}');
            let written = program.tokens.text.get(span.range()).unwrap_or_default().trim_matches(['"', '\'']);
            return match program.hole(written, 0).filter(|_| is_whole) {
                Some(node) => node,
                None => Node { span, value: Value::Computed, ..node },
            };
        }
        Value::Array(items) => {
            Value::Array(items.into_iter().map(|item| placed(program, item, by)).collect())
        }
        Value::Object(members) => {
            let member = |member: Member<'s>| Member {
                key_span: shifted(member.key_span, by),
                value: placed(program, member.value, by),
                ..member
            };
            Value::Object(members.into_iter().map(member).collect())
        }
        value => value,
    };
    Node { span, value, ..node }
}
