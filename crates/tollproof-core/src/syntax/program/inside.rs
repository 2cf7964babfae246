//! Programs and data that a text contains in parts: in strings of JSON, or with values that are put in.

use std::collections::HashMap;
use std::ops::Range;

use super::tokens::Token;
use crate::prepared::PREPARED;
use crate::syntax::document::{
    COMPUTED, Declared, Document, Member, Node, Style, Untaken, UntakenPart, Value,
};
use crate::syntax::drafts::Found;
use crate::syntax::span::Span;

/// A program that a text contains in parts.
pub(in crate::syntax) struct Inside<'s> {
    text: &'s str,
    pub(in crate::syntax) code: String,
    /// For each byte of the program, the character in the text.
    places: Vec<(usize, usize)>,
}

/// The longest name of a value that is put in.
const MAX_NAME: usize = 100;

/// The most bytes that values may add.
const MORE: usize = 1 << 16;

/// The fewest letters of a text beside what is computed.
const LEAST: usize = 4;

impl<'s> Inside<'s> {
    pub(in crate::syntax) fn new(text: &'s str) -> Self {
        Self { text, code: String::new(), places: Vec::new() }
    }

    /// Adds a part of the text as it is.
    pub(in crate::syntax) fn add(&mut self, part: Range<usize>) {
        let said = self.text.get(part.clone()).unwrap_or_default();
        said.char_indices().for_each(|(at, character)| {
            self.push(character, (part.start + at, part.start + at + character.len_utf8()));
        });
    }

    /// Adds what a string says, and the end of a line.
    pub(super) fn add_string(&mut self, token: &Token) {
        for piece in token.pieces(self.text) {
            piece.character.into_iter().for_each(|character| self.push(character, (piece.start, piece.end)));
        }
        self.push('\n', self.places.last().copied().unwrap_or_default());
    }

    pub(in crate::syntax) fn push(&mut self, character: char, place: (usize, usize)) {
        self.code.push(character);
        self.places.resize(self.code.len(), place);
    }

    /// The same with the values of `{{name}}`; those of the text are told by their spans, all others are computed.
    pub(super) fn filled(&self, values: &HashMap<&str, Span>) -> Self {
        let mut filled = Self::new(self.text);
        let copy = |filled: &mut Self, part: Range<usize>| {
            filled.code += &self.code[part.clone()];
            filled.places.extend_from_slice(&self.places[part]);
        };
        let is_edge = |next: Option<char>| next.is_none_or(|next| "\"=&\r\n".contains(next));
        let mut at = 0;
        while let Some(start) = self.code[at..].find("{{").map(|start| at + start) {
            let Some(length) = self.code[start..].find("}}").filter(|length| *length < MAX_NAME) else {
                break;
            };
            copy(&mut filled, at..start);
            at = start + length + 2;
            let name = self.code[start + 2..at - 2].trim();
            let hole = self.span(Span::new(start, at)).range();
            let is_whole =
                is_edge(self.code[..start].chars().next_back()) && is_edge(self.code[at..].chars().next());
            let is_small = filled.code.len() < self.code.len() + MORE;
            let known = values.get(name).filter(|_| is_small).map(|value| value.range());
            let said = known.clone().and_then(|known| self.text.get(known));
            match said.filter(|said| !said.contains(['{', '"', '\\'])).zip(known) {
                Some((_, known)) if is_whole => filled.add(known),
                Some((said, _)) => {
                    said.chars().for_each(|character| filled.push(character, (hole.start, hole.end)));
                }
                None => filled.push('…', (hole.start, hole.end)),
            }
        }
        copy(&mut filled, at..self.code.len());
        filled
    }

    /// The document at its place in the text.
    pub(in crate::syntax) fn document(&self, document: Document<'_>) -> Document<'s> {
        let known = |name: &str| PREPARED.providers.iter().find(|(own, _)| *own == name);
        let provider = document.declared().provider;
        let provider = provider.and_then(|(name, span)| Some((known(name)?.0, self.span(span))));
        let untaken =
            document.untaken().iter().map(|part| UntakenPart { span: self.span(part.span), ..part.clone() });
        let untaken = Untaken::of(untaken.collect());
        let (root, declared) =
            (document.root.map(|root| self.node(&root)), Declared { provider, ..Declared::default() });
        Document {
            index: document.index,
            root,
            cut: document.cut,
            declared: declared.kept(),
            untaken,
            ..Document::default()
        }
    }

    /// The place of what was found in the program.
    pub(super) fn found(&self, found: &Found<'_>) -> Found<'s> {
        let (members, span) = (self.members(&found.members), self.span(found.span));
        Found { members, span, name: None, is_old: found.is_old }
    }

    pub(super) fn span(&self, span: Span) -> Span {
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
        let written = self.code.get(node.span.range()).unwrap_or_default();
        let is_form = node.style == Style::Form;
        // A string without its quotation marks, which have escapes, and the letters before them.
        let rest = written.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = written.len() - rest.len();
        let is_mark = |mark: &&&str| {
            let inner = rest.strip_prefix(**mark).and_then(|rest| rest.strip_suffix(**mark));
            inner.is_some()
                && letters <= 2
                && !is_form
                && node.style != Style::Notes
                && matches!(node.value, Value::String(_))
        };
        let mark = ["\"\"\"", "'''", "\"", "'"].iter().find(is_mark).map_or(0, |mark| mark.len());
        let start = node.span.start as usize + if mark > 0 { letters + mark } else { 0 };
        let span = self.span(Span::new(start, node.span.end as usize - mark));
        let value = match &node.value {
            Value::Null => Value::Null,
            Value::Bool(bool) => Value::Bool(*bool),
            Value::Number(_) => Value::Number(self.text.get(span.range()).unwrap_or_default()),
            Value::String(said) if is_computed(said) => Value::Computed,
            Value::String(said) => Value::String(said.to_string().into()),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.node(item)).collect()),
            Value::Object(members) => Value::Object(self.members(members)),
            Value::Computed => Value::Computed,
        };
        let is_same = is_form && self.text.get(span.range()) == Some(written);
        Node { span, style: if is_same { Style::Form } else { Style::Notes }, value }
    }
}

/// Whether hardly more than a computed value is left of a text.
fn is_computed(said: &str) -> bool {
    said.contains(COMPUTED) && said.chars().filter(|character| character.is_alphanumeric()).count() < LEAST
}
