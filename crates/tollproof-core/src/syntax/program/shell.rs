//! Finds the fields in commands: `-d "Name=value"`, `--name value`, `NAME=value`.

use std::borrow::Cow;
use std::ops::Range;

use super::pair::{Key, Pair};
use super::tokens::{Token, TokenKind};
use super::values::Program;
use crate::prepared::PREPARED;
use crate::syntax::field_names::{has_words, named};
use crate::syntax::span::Span;
use tollproof_data::suggest::is_same_name;

/// The fields in the words of commands.
pub(super) fn pairs<'s>(program: &Program<'s>) -> Vec<Pair<'s>> {
    let words = words(program);
    let mut pairs: Vec<Pair<'s>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let said = program.said(word.start);
        let next = words.get(at + 1).filter(|next| !program.said(next.start).starts_with('-'));
        let token = &program.tokens.all[word.start];
        let pair = |name: &'s str, value: Range<usize>, on: &'static str, adds: bool| {
            let start = token.start + (name.as_ptr() as usize - said.as_ptr() as usize);
            let span = Span::new(start, start + name.len());
            let key = Key { name: Cow::Borrowed(name), span, value: value.start };
            Pair { key, value, on: on.into(), block: 0, adds }
        };
        let flag = said.trim_start_matches('-').trim_end_matches('=');
        let is_flag = said.starts_with("--");
        // An argument of a function: `put companyInfo.city "Lenox"`.
        let is_name = has_words(said) && named(said).iter().any(|field| field.key == said);
        if let Some(value) = next.filter(|_| is_name) {
            pairs.push(pair(said, value.clone(), "arguments", false));
            continue;
        }
        let names_entry = PREPARED.wrapping.entry_names.iter().any(|name| is_same_name(name, flag));
        let names_value = PREPARED.wrapping.entry_values.iter().any(|name| is_same_name(name, flag));
        let value = match said.ends_with('=') {
            true => Some(word.start + 1..word.end),
            false if is_flag => next.cloned(),
            false => None,
        };
        let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
        if is_flag && names_entry {
            let name = program.said(value.start);
            if let Some(text) = Some(name.trim_matches(['"', '\''])).filter(|name| !named(name).is_empty()) {
                let start = program.tokens.all[value.start].start;
                let key =
                    Key { name: text.into(), span: Span::new(start, start + name.len()), value: usize::MAX };
                pairs.push(Pair { key, value: 0..0, on: "arguments".into(), block: 0, adds: false });
            }
        } else if is_flag && names_value {
            // The value of the field that was named before.
            if let Some(last) = pairs.last_mut().filter(|last| last.key.value == usize::MAX) {
                (last.key.value, last.value) = (value.start, value);
            }
        } else if let Some(flag) = without_prefix(flag) {
            let is_variable = !is_flag && !flag.contains(char::is_lowercase);
            let on = if is_variable { "variables" } else { "arguments" };
            pairs.push(pair(flag, value, on, !is_variable));
        }
    }
    pairs.retain(|pair| pair.key.value != usize::MAX);
    // Variables are what arguments are made of.
    if pairs.iter().any(|pair| pair.on != "variables") {
        pairs.retain(|pair| pair.on != "variables");
    }
    pairs
}

/// The name of a field without what a program has before its variables: `TFV_BUSINESS_NAME`.
fn without_prefix(name: &str) -> Option<&str> {
    let more =
        || name.match_indices('_').take(2).map(|(at, _)| &name[at + 1..]).filter(|rest| has_words(rest));
    let is_constant = !name.contains(char::is_lowercase);
    Some(name).into_iter().chain(more().filter(|_| is_constant)).find(|name| !named(name).is_empty())
}

/// The words: tokens without space between them.
fn words(program: &Program<'_>) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let is_part =
        |token: &Token| token.language.is_shell() && matches!(token.kind, TokenKind::Text | TokenKind::Word);
    for (at, token) in program.tokens.all.iter().enumerate().filter(|(_, token)| is_part(token)) {
        match words.last_mut().filter(|last| token.is_glued && last.end == at) {
            Some(word) => word.end = at + 1,
            None => words.push(at..at + 1),
        }
    }
    words
}
