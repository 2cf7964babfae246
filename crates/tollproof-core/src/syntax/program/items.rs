//! The parts of a program: statements, the items of brackets with their keys, and names that are assigned once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::pair::Key;
use super::tokens::TokenKind;
use super::values::Program;
use crate::syntax::document::{Member, Node, Value};
use crate::syntax::field_names::named;
use crate::syntax::span::Span;

/// The most tokens and brackets of a statement.
const MAX_PARTS: usize = 1_000;

/// The most words before the text that a command reads.
const MAX_WORDS: usize = 8;

/// A name of a method without its verb, as a field is named.
pub(super) fn lower_first(name: &str) -> Cow<'_, str> {
    let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
    Cow::Owned(first.to_ascii_lowercase() + rest)
}

impl<'s> Program<'s> {
    /// The end of a statement or an item that begins at `from`: before a comma, at a bracket that closes what is around it, or
    /// at a line that does not go on with it.
    pub(super) fn end_of(&self, from: usize, limit: usize) -> usize {
        let mut at = from;
        for _ in 0..MAX_PARTS {
            if at >= limit {
                break;
            }
            let Some(token) = self.token(at) else { return at };
            let said = self.said(at);
            let is_end = token.kind == TokenKind::Close || matches!(said, "," | ";");
            if is_end || at > from && token.begins_line && !self.goes_on(at) {
                return at;
            }
            at = self.after(at);
        }
        at.min(limit)
    }

    /// Whether a line continues what the line before began.
    fn goes_on(&self, at: usize) -> bool {
        let opens = |said: &str| {
            matches!(
                said,
                "+" | "." | "?." | "||" | "??" | "?" | ":" | "&&" | "=" | "=>" | "->" | "<>" | ".." | "or"
            )
        };
        let is_text = |at: usize| self.is(at, TokenKind::Text);
        let before = at.saturating_sub(1);
        opens(self.said(before))
            || opens(self.said(at)) && !self.is(before, TokenKind::Open)
            || is_text(at) && is_text(before) && self.key(at).is_none()
    }

    /// Splits a range at what separates its parts.
    pub(super) fn split(&self, range: &Range<usize>, separates: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
        let (mut parts, mut start, mut at) = (Vec::new(), range.start, range.start);
        while at < range.end {
            if !self.is(at, TokenKind::Text) && separates(self.said(at)) {
                parts.push(start..at);
                start = at + 1;
            }
            at = self.after(at);
        }
        if start < range.end {
            parts.push(start..range.end);
        }
        parts
    }

    /// The items of a bracket: what its commas separate, and lines that begin with a key.
    pub(super) fn items(&self, open: usize) -> Vec<Range<usize>> {
        let close = self.token(open).map_or(open, |token| token.pair);
        self.items_of(open + 1..close.max(open + 1))
    }

    pub(super) fn items_of(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let (mut items, mut start, mut at) = (Vec::new(), range.start, range.start);
        while at < range.end {
            let is_mark = !self.is(at, TokenKind::Text) && matches!(self.said(at), "," | ";");
            let is_new = at > start
                && self.token(at).is_some_and(|token| token.begins_line)
                && !self.goes_on(at)
                && self.key(at).is_some();
            if is_mark || is_new {
                items.push(start..at);
                start = at + usize::from(is_mark);
            }
            at = self.after(at);
        }
        items.push(start..range.end.max(start));
        items.retain(|item| !item.is_empty());
        items
    }

    /// The key at the beginning of an item.
    pub(super) fn key(&self, at: usize) -> Option<Key<'s>> {
        let is_mark =
            |at: usize| matches!(self.said(at), ":" | "=" | "=>" | ":=") && self.is(at, TokenKind::Mark);
        let token = self.token(at)?;
        let key = |at: usize, value: usize| {
            let span = self.span(&(at..at + 1));
            let name = if self.is(at, TokenKind::Text) {
                self.literal(at)?
            } else {
                Cow::Borrowed(self.said(at).trim_start_matches('$'))
            };
            let name = self.tags.get(&*name).map_or(name, |tag| Cow::Borrowed(*tag));
            Some(Key { name, span, value })
        };
        match token.kind {
            TokenKind::Text | TokenKind::Word if is_mark(at + 1) => key(at, at + 2),
            TokenKind::Text if self.said(at + 1) == "to" => key(at, at + 2),
            TokenKind::Mark if self.said(at) == ":" && self.said(at + 2) == "=>" => key(at + 1, at + 3),
            TokenKind::Open if self.said(at) == "[" && self.said(at + 2) == "]" && is_mark(at + 3) => {
                key(at + 1, at + 4)
            }
            _ => None,
        }
    }

    /// Finds the names that the fields of a type have in JSON, as Go writes them: `` Zip string `json:"businessZip"` ``.
    pub(super) fn find_tags(&mut self) {
        for at in 0..self.tokens.all.len() {
            let Some((_, tag)) = self.said(at).split_once("json:\"").filter(|_| self.is(at, TokenKind::Text))
            else {
                continue;
            };
            let begins = |at: &usize| self.token(*at).is_some_and(|token| token.begins_line);
            let name = (at.saturating_sub(MAX_WORDS)..at).rev().find(begins);
            let tag = tag.split(['"', ',']).next().unwrap_or_default();
            if let Some(name) = name.filter(|_| !named(tag).is_empty()) {
                self.tags.insert(self.said(name), tag);
            }
        }
    }

    /// Finds the names that are assigned once.
    pub(super) fn find_constants(&mut self) {
        let mut found: HashMap<&'s str, Option<Range<usize>>> = HashMap::new();
        let mut note = |name: &'s str, range: Range<usize>| {
            let name = name.trim_start_matches(['$', '@']);
            let entry = found.entry(name).or_insert_with(|| Some(range.clone()));
            if entry.as_ref() != Some(&range) {
                *entry = None;
            }
        };
        let count = self.tokens.all.len();
        for at in 0..count {
            let token = self.tokens.all[at];
            if token.language.is_shell() && token.kind == TokenKind::Word {
                // `jq --arg name value`, `read -r -d '' NAME <<EOF`
                if matches!(self.said(at), "--arg" | "--argjson") && self.is(at + 1, TokenKind::Word) {
                    note(self.said(at + 1), at + 2..at + 3);
                }
                if self.said(at) == "read" {
                    let mut words = (at + 1..count).take(MAX_WORDS);
                    let is_here = |at: &usize| {
                        let token = &self.tokens.all[*at];
                        token.kind == TokenKind::Text && token.content() == (token.start..token.end)
                    };
                    if let Some(here) = words.find(is_here).filter(|here| self.is(here - 1, TokenKind::Word))
                    {
                        note(self.said(here - 1), here..here + 1);
                    }
                }
                if let Some(name) = self.said(at).strip_suffix('=') {
                    let parts =
                        (at + 1..count).take_while(|at| self.tokens.all[*at].is_glued).take(MAX_PARTS);
                    note(name, at + 1..at + 1 + parts.count());
                }
                continue;
            }
            if token.kind == TokenKind::Mark && matches!(self.said(at), "=" | ":=") && at > 0 {
                let name = self.assigned(at);
                if let Some(name) = name {
                    note(name, at + 1..self.end_of(at + 1, count));
                }
            }
            // Elixir: `@site "…"`.
            let begins = |at: usize| self.token(at).is_some_and(|token| token.begins_line);
            let is_value = self.is(at + 1, TokenKind::Text) || matches!(self.said(at + 1), "[" | "%");
            if begins(at)
                && self.said(at).len() > 1
                && self.said(at).starts_with('@')
                && is_value
                && !begins(at + 1)
            {
                note(self.said(at), at + 1..self.end_of(at + 1, count));
            }
            // Terraform: `variable "site" { default = "…" }`.
            if self.said(at) == "variable" && self.said(at + 2) == "{" {
                let defaults = self.items(at + 2).into_iter().find(|item| self.said(item.start) == "default");
                if let Some(item) = defaults.filter(|item| item.len() > 2) {
                    let name = self.said(at + 1).trim_matches('"');
                    note(name, item.start + 2..item.end);
                }
            }
            let is_method = self.said(at) == "def" && self.is(at + 1, TokenKind::Word);
            if is_method && begins(at + 2) {
                let end = (at + 2..count).find(|at| self.said(*at) == "end" && begins(*at)).unwrap_or(at + 2);
                note(self.said(at + 1), at + 2..end);
            }
        }
        self.constants = found;
    }

    /// Finds what is set on names by statements: `name.setField(value)`, `name.field = value`.
    pub(super) fn find_setters(&mut self) {
        let count = self.tokens.all.len();
        for at in 0..count {
            let is_set = self.token(at).is_some_and(|token| token.begins_line)
                && self.is(at, TokenKind::Word)
                && matches!(self.said(at + 1), "." | "->")
                && self.is(at + 2, TokenKind::Word);
            let value = match self.said(at + 3) {
                "(" if is_set && self.after(at + 3) > at + 5 => at + 4..self.after(at + 3) - 1,
                "=" if is_set => at + 4..self.end_of(at + 4, count),
                _ => continue,
            };
            let said = self.said(at + 2);
            let name = match (self.said(at + 3), said.strip_prefix("set")) {
                ("(", None) => continue,
                ("(", Some(name)) if name.starts_with(char::is_uppercase) => lower_first(name),
                _ => Cow::Borrowed(said),
            };
            let key = Key { name, span: self.span(&(at + 2..at + 3)), value: value.start };
            self.setters.entry(self.said(at).trim_start_matches('$')).or_default().push((key, value));
        }
    }

    /// The parts of an item each of which is a text on a line of its own.
    pub(super) fn lines(&self, item: &Range<usize>) -> Vec<Range<usize>> {
        let begins = |at: &usize| {
            let is_text = self.is(*at, TokenKind::Text) && self.is(at.wrapping_sub(1), TokenKind::Text);
            *at == item.start || is_text && self.token(*at).is_some_and(|token| token.begins_line)
        };
        let mut starts: Vec<usize> = item.clone().filter(begins).collect();
        starts.push(item.end);
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// The name to which the mark at an index assigns something.
    pub(super) fn assigned(&self, mark: usize) -> Option<&'s str> {
        let mut at = mark.checked_sub(1)?;
        if self.is(at, TokenKind::Word)
            && !matches!(self.said(at.wrapping_sub(1)), ":" | "|" | "<" | "." | "->" | "&")
        {
            return Some(self.said(at));
        }
        // A type precedes the mark: `name: Type[] =`.
        for _ in 0..12 {
            if self.said(at) == ":" && at > 0 && self.is(at - 1, TokenKind::Word) {
                return Some(self.said(at - 1));
            }
            if self.token(at)?.begins_line || matches!(self.said(at), "," | ";" | "(" | "{") {
                return None;
            }
            at = at.checked_sub(1)?;
        }
        None
    }
}

/// The name to which what begins at a bracket is assigned.
pub(super) fn assigned_to<'s>(program: &Program<'s>, open: usize) -> Option<&'s str> {
    let mut at = open.checked_sub(1)?;
    for _ in 0..8 {
        if matches!(program.said(at), "=" | ":=" | "+=") && at > 0 {
            let at = if program.said(at - 1) == "|" { at - 1 } else { at };
            return program.assigned(at).map(|name| name.trim_start_matches('$'));
        }
        let begins_line = program.token(at)?.begins_line;
        at = at.checked_sub(1)?;
        if begins_line && program.said(at) != "=" || matches!(program.said(at + 1), "," | ";" | "{") {
            return None;
        }
    }
    None
}

/// Adds a field; a second value makes a list.
pub(super) fn put<'s>(
    members: &mut Vec<Member<'s>>,
    program: &Program<'s>,
    key: Key<'s>,
    value: Range<usize>,
    adds: bool,
) {
    let Some(value) = program.value(value, 0) else { return };
    let known = members.iter_mut().find(|member| member.key == key.name).filter(|_| adds);
    let Some(Member { value: node, .. }) = known else {
        members.push(Member { key: key.name, key_span: key.span, value });
        return;
    };
    let span = Span { end: value.span.end.max(node.span.end), ..node.span };
    match &mut node.value {
        Value::Array(items) => items.push(value),
        _ => {
            let items = vec![node.clone(), value];
            *node = Node { span, style: node.style, value: Value::Array(items) };
        }
    }
    node.span = span;
}
