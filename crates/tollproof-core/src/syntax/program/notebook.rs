//! Programs in the strings of JSON, as notebooks have them.

use super::read_part;
use super::tokens::{TokenKind, scan};
use crate::syntax::document::{Member, Node, Style, Value};
use crate::syntax::drafts::Found;
use crate::syntax::language::Language;
use crate::syntax::span::Span;

/// The extension of notebooks.
pub(super) const EXTENSION: &str = "ipynb";

/// A program that a text contains in parts.
struct Inside<'s> {
    text: &'s str,
    code: String,
    /// For each byte of the program, the character in the text.
    places: Vec<(usize, usize)>,
}

/// The drafts in the cells of a notebook with code, and the comments there.
pub(super) fn read(text: &str) -> (Vec<Found<'_>>, Vec<Span>) {
    let (Some(json), Some(python)) = (Language::named("json"), Language::named("py")) else {
        return Default::default();
    };
    let tokens = scan(text, 0..text.len(), json).all;
    let said =
        |at: usize| tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or_default();
    let (mut code, mut places, mut is_code) = (String::new(), Vec::new(), false);
    for at in (0..tokens.len()).filter(|at| said(at + 1) == ":") {
        match said(at) {
            "\"cell_type\"" => is_code = said(at + 2) == "\"code\"",
            "\"source\"" if is_code => {
                let last = tokens.get(at + 2).map_or(at, |token| token.pair.max(at + 2));
                let lines = tokens.get(at + 2..=last).unwrap_or_default().iter();
                for piece in
                    lines.filter(|token| token.kind == TokenKind::Text).flat_map(|token| token.pieces(text))
                {
                    let Some(character) = piece.character else { continue };
                    code.push(character);
                    places.resize(code.len(), (piece.start, piece.end));
                }
                code.push('\n');
                places.resize(code.len(), places.last().copied().unwrap_or_default());
            }
            _ => {}
        }
    }
    let inside = Inside { text, code, places };
    let (found, comments) = read_part(&inside.code, 0..inside.code.len(), python);
    let placed = |found: &Found<'_>| Found {
        members: inside.members(&found.members),
        span: inside.span(found.span),
        name: None,
        is_old: found.is_old,
    };
    (found.iter().map(placed).collect(), comments.into_iter().map(|comment| inside.span(comment)).collect())
}

impl<'s> Inside<'s> {
    fn span(&self, span: Span) -> Span {
        let place = |at: usize| self.places.get(at).copied().unwrap_or_default();
        let (start, last) = (place(span.start as usize).0, place((span.end as usize).saturating_sub(1)).1);
        Span::new(start, last.max(start))
    }

    fn members(&self, members: &[Member<'_>]) -> Vec<Member<'s>> {
        let place = |member: &Member<'_>| Member {
            key: member.key.to_string().into(),
            key_span: self.span(member.key_span),
            value: self.node(&member.value),
        };
        members.iter().map(place).collect()
    }

    /// A value at its place in the text, as what notes have, in which other characters may be between those of a value.
    fn node(&self, node: &Node<'_>) -> Node<'s> {
        // A string without its quotation marks, which have escapes.
        let written = self.code.get(node.span.range()).unwrap_or_default();
        let inner = written.trim_start_matches(|c: char| c.is_ascii_alphabetic()).trim_matches(['"', '\'']);
        let has_marks = matches!(node.value, Value::String(_)) && written.ends_with(['"', '\'']);
        let start = node.span.start as usize + written.find(inner).unwrap_or_default();
        let span = match has_marks && !inner.is_empty() {
            true => self.span(Span::new(start, start + inner.len())),
            false => self.span(node.span),
        };
        let value = match &node.value {
            Value::Null => Value::Null,
            Value::Bool(bool) => Value::Bool(*bool),
            Value::Number(_) => Value::Number(self.text.get(span.range()).unwrap_or_default()),
            Value::String(said) => Value::String(said.to_string().into()),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.node(item)).collect()),
            Value::Object(members) => Value::Object(self.members(members)),
            Value::Computed => Value::Computed,
        };
        Node { span, style: Style::Notes, value }
    }
}
