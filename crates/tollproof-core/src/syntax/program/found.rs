//! Finds the fields in a program: in objects, arguments, lists of pairs, and calls that set one after the other.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::here;
use super::items::{assigned_to, lower_first, put};
use super::order;
use super::pair::{Key, Pair};
use super::shell;
use super::tokens::TokenKind;
use super::values::Program;
use crate::prepared::PREPARED;
use crate::syntax::document::Member;
use crate::syntax::drafts::Found;
use crate::syntax::field_names::{best, has_words, named};
use crate::syntax::label_words::words_of_name;
use crate::syntax::language::Language;
use crate::syntax::span::Span;

/// The fewest fields of one provider in an object that has fields.
const LEAST: usize = 3;

/// All that is found.
pub(super) fn find<'s>(program: &Program<'s>, language: Language) -> Vec<Found<'s>> {
    let mut found = objects(program);
    found.extend(order::objects(program));
    let mut pairs = if language.is_shell() { shell::pairs(program) } else { Vec::new() };
    if !language.is_shell() {
        pairs.extend(statements(program, &found));
    }
    add_pairs(program, pairs, &mut found);
    found.extend(here::objects(program));
    if found.is_empty() {
        add_pairs(program, of_classes(program), &mut found);
    }
    for found in &mut found {
        found.is_old = is_old(program, found);
    }
    let spread = spread(program);
    let is_part = |own: &Found<'s>| {
        let is_in = |at: u32| {
            let near = |other: &Found<'s>| at < other.span.end && other.span.start < at + NEAR;
            found.iter().any(|other| other.span != own.span && !other.is_old && near(other))
        };
        spread.iter().any(|(name, at)| own.name == Some(name) && is_in(*at))
    };
    let parts: Vec<bool> = found.iter().map(is_part).collect();
    let mut parts = parts.into_iter();
    found.retain(|_| !parts.next().unwrap_or_default());
    found
}

/// The most bytes between the name of an object and the one that it is joined with.
const NEAR: u32 = 16;

/// The names of objects that others take in, with their places: `...BASE`, `**BASE`, `BASE + […]`.
fn spread<'s>(program: &Program<'s>) -> Vec<(&'s str, u32)> {
    let is_spread = |at: &usize| {
        let before = at.checked_sub(1).map_or("", |at| program.said(at));
        let is_joined = matches!(program.said(at + 1), "+" | "|") && program.is(at + 2, TokenKind::Open);
        program.is(*at, TokenKind::Word) && (matches!(before, "..." | "**") || is_joined)
    };
    let place = |at: usize| (program.said(at).trim_start_matches('$'), program.span(&(at..at + 1)).start);
    (0..program.tokens.all.len()).filter(is_spread).map(place).collect()
}

/// Whether a name, or the comment above, says that an object is not today's.
fn is_old(program: &Program<'_>, found: &Found<'_>) -> bool {
    const OLD: &str =
        "old|previous|prev|former|legacy|rejected|refused|denied|declined|archived|last|deprecated";
    let has = |words: &str| words_of_name(words).iter().any(|word| OLD.split('|').any(|old| old == word));
    let before = program.tokens.text.get(..found.span.start as usize).unwrap_or_default();
    let is_above = |before: &str| {
        let line = before.trim_end().rsplit('\n').next().unwrap_or_default().trim_start();
        line.starts_with(['#', '/', '*', '@', '-']) && has(line)
    };
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    found.name.is_some_and(has)
        || is_above(&before[..line])
        || function(before).is_some_and(|at| {
            let name = before[at..].lines().next().unwrap_or_default();
            has(name) || is_above(&before[..at])
        })
}

/// The begin of the line with the name of the function around what follows a text.
fn function(before: &str) -> Option<usize> {
    const MOST: usize = 40;
    const WORDS: [&str; 6] = ["def ", "defp ", "function ", "fun ", "func ", "fn "];
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = before.rsplit('\n');
    let own = indent(lines.next()?);
    let around = lines.take(MOST).find(|line| !line.trim().is_empty() && indent(line) < own)?;
    let is_function = WORDS.iter().any(|word| around.contains(word));
    is_function.then(|| around.as_ptr() as usize - before.as_ptr() as usize)
}

fn is_known(name: &str) -> bool {
    !named(name).is_empty()
}

/// Objects and lists of pairs that have enough fields. What is inside of one is a part of it.
fn objects<'s>(program: &Program<'s>) -> Vec<Found<'s>> {
    let mut found = Vec::new();
    let mut at = 0;
    let sets = |at: &usize| program.said(at + 1) == "[" && program.is(at + 2, TokenKind::Text);
    let set: HashSet<&str> = (0..program.tokens.all.len()).filter(sets).map(|at| program.said(at)).collect();
    while at < program.tokens.all.len() {
        // A type has no values.
        let before = |back: usize| at.checked_sub(back).map_or("", |at| program.said(at));
        let is_type = before(2) == "interface" || before(3) == "type" && matches!(before(1), "=" | "struct");
        let is_open = program.is(at, TokenKind::Open) && program.after(at) > at + 1;
        if !is_open || is_type {
            at += 1;
            continue;
        }
        let items = program.items(at);
        let mut keys: Vec<Cow<'s, str>> = items
            .iter()
            .filter_map(|item| program.key(item.start))
            .map(|key| key.name)
            .chain(items.iter().filter(|item| item.len() == 1).map(|item| program.said(item.start).into()))
            .filter(|name| is_known(name))
            .collect();
        // What is spread into an object with fields of its own is a part of it.
        if !keys.is_empty() && items.iter().any(|item| program.said(item.start) == "...") {
            keys = program.members(at, 0).into_iter().map(|member| member.key).collect();
            keys.retain(|name| is_known(name));
        }
        let mut members = Vec::new();
        let name = assigned_to(program, at);
        // What is set on it later makes it whole.
        let is_begun = keys.len() == items.len() && name.is_some_and(|name| set.contains(name));
        let least = if is_begun { 1 } else { LEAST };
        if best(keys.iter().map(AsRef::as_ref)).is_some_and(|(_, known)| known >= least) {
            members = program.members(at, 0);
        } else {
            let pairs: Vec<(Key<'s>, Range<usize>)> =
                items.iter().filter_map(|item| pair(program, item)).collect();
            if pairs.iter().filter(|(key, _)| is_known(&key.name)).count() >= LEAST {
                for (key, value) in pairs {
                    put(&mut members, program, key, value, true);
                }
            }
        }
        if members.is_empty() {
            at += 1;
            continue;
        }
        for more in joined(program, at) {
            let is_new = !members.iter().any(|known| known.key == more.key);
            members.extend(is_new.then_some(more));
        }
        let mut end = program.after(at);
        // The properties of what was just made: `new Options(…) { Name = … }`.
        if program.is(end, TokenKind::Open) && program.said(end) == "{" {
            let more = program.members(end, 0).into_iter().filter(|member| is_known(&member.key));
            let new: Vec<Member<'s>> =
                more.filter(|more| !members.iter().any(|known| known.key == more.key)).collect();
            if !new.is_empty() {
                members.extend(new);
                end = program.after(end);
            }
        }
        let span = Span::new(program.tokens.all[at].start, program.tokens.all[end - 1].end);
        found.push(Found { members, span, name, is_old: false });
        at = end;
    }
    found
}

/// The members of the objects with which one is joined: `BASE + […]`, `BASE | {…}`, `merge(BASE, {…})`.
fn joined<'s>(program: &Program<'s>, open: usize) -> Vec<Member<'s>> {
    const MOST: usize = 200;
    let mut others: Vec<Range<usize>> = Vec::new();
    let mut first = open;
    while first > 1 && matches!(program.said(first - 1), "+" | "|") {
        let is_dot = |at: usize| matches!(program.said(at), "." | "::" | "->");
        let mut start = first - 2;
        while start > 1 && (is_dot(start) || is_dot(start - 1)) {
            start -= 1;
        }
        others.push(start..first - 1);
        first = start;
    }
    let mut around = first;
    for _ in 0..MOST {
        let Some(at) = around.checked_sub(1) else { break };
        match program.token(at).map(|token| (token.kind, token.pair)) {
            Some((TokenKind::Close, pair)) if pair < at => around = pair,
            Some((TokenKind::Open, pair)) if pair > open => {
                let name = at.checked_sub(1).map_or("", |at| program.said(at));
                if matches!(name, "merge" | "array_merge" | "assign") {
                    let items = program.items(at).into_iter();
                    others.extend(items.filter(|item| !item.contains(&open)).rev());
                }
                break;
            }
            _ => around = at,
        }
    }
    let objects = others.into_iter().filter_map(|range| program.value(range, 1));
    objects.flat_map(|node| program.spread(node, true)).collect()
}

/// The field and the value of an item of a list: `["name", value]`, `("name", value)`, `{ FieldPath: "name", TextValue: value }`.
fn pair<'s>(program: &Program<'s>, item: &Range<usize>) -> Option<(Key<'s>, Range<usize>)> {
    let open = item.clone().find(|at| program.is(*at, TokenKind::Open))?;
    if program.after(open) != item.end {
        return None;
    }
    if let Some(entry) = entry(program, open) {
        return Some(entry);
    }
    // A method that sets a field is a statement.
    let method = open.checked_sub(1).filter(|at| *at > item.start).map_or("", |at| program.said(at));
    if ["set", "add", "append", "put", "get"].iter().any(|word| method.to_ascii_lowercase().starts_with(word))
    {
        return None;
    }
    let items = program.items(open);
    let [name, value, options @ ..] = items.as_slice() else { return None };
    // `setValue("name", value, { … })`
    if options.iter().any(|option| program.said(option.start) != "{") || options.len() > 1 {
        return None;
    }
    let literal = program.literal(name.start).filter(|text| name.len() == 1 && is_known(text))?;
    let token = program.token(name.start)?;
    let key = Key { name: literal, span: Span::new(token.start, token.end), value: value.start };
    Some((key, value.clone()))
}

/// An object that names one field and its value.
fn entry<'s>(program: &Program<'s>, open: usize) -> Option<(Key<'s>, Range<usize>)> {
    let (mut name, mut value) = (None, None);
    for item in program.items(open) {
        let Some(key) = program.key(item.start) else { continue };
        if key.name == "disabled" && program.said(key.value) == "true" {
            return None;
        }
        if PREPARED.wrapping.entry_names.contains(&key.name.as_ref()) || matches!(&*key.name, "key" | "name")
        {
            let token = program.token(key.value)?;
            let text = program.literal(key.value).filter(|text| is_known(text))?;
            name = Some(Key { name: text, span: Span::new(token.start, token.end), value: key.value });
        } else if PREPARED.wrapping.entry_values.contains(&key.name.as_ref())
            || key.name == "value"
            || key.name.ends_with("AttachmentId")
        {
            value = Some(key.value..item.end);
        }
    }
    Some((name?, value?))
}

/// Calls and assignments that set one field each.
fn statements<'s>(program: &Program<'s>, found: &[Found<'s>]) -> Vec<Pair<'s>> {
    let mut pairs = Vec::new();
    let mut blocks: Vec<usize> = Vec::new();
    let count = program.tokens.all.len();
    let is_read = |start: usize| found.iter().any(|found| found.span.range().contains(&start));
    let mut at = 0;
    while at < count {
        let token = program.tokens.all[at];
        if token.kind == TokenKind::Open && is_read(token.start) {
            at = program.after(at);
            continue;
        }
        match token.kind {
            TokenKind::Open if program.said(at) == "{" && token.pair > at => blocks.push(token.pair),
            TokenKind::Close => blocks.retain(|close| *close != at),
            _ => {}
        }
        let block = blocks.last().copied().unwrap_or_default();
        if let Some((key, value, on, adds)) = statement(program, at) {
            pairs.push(Pair { key, value, on, block, adds });
        }
        for (key, value) in order::arguments(program, at) {
            pairs.push(Pair { key, value, on: root(program, at - 1).into(), block, adds: false });
        }
        at += 1;
    }
    pairs
}

type Statement<'s> = (Key<'s>, Range<usize>, Cow<'s, str>, bool);

/// The field that a statement sets, if a name of one is at this token.
fn statement<'s>(program: &Program<'s>, at: usize) -> Option<Statement<'s>> {
    let count = program.tokens.all.len();
    let token = program.token(at)?;
    let span = Span::new(token.start, token.end);
    let before = |back: usize| at.checked_sub(back).map_or("", |at| program.said(at));
    match token.kind {
        TokenKind::Text => {
            let (is_argument, is_index) =
                (program.said(at + 1) == ",", before(1) == "[" && program.said(at + 1) == "]");
            let is_first = before(1) == "(";
            if !is_argument && !is_index || !is_first && before(1) != "," && !is_index {
                return None;
            }
            let name = program.literal(at).filter(|name| is_known(name) || is_word(name))?;
            let (value, on) = match is_index {
                true => (assigned_at(program, at)?, before(2)),
                // What the method belongs to, else the function.
                false if is_first && matches!(before(3), "." | "->" | "?.") => (at + 2, before(4)),
                false if is_first => (at + 2, before(2)),
                false => (at + 2, ""),
            };
            // A name in front of the value, as in a call of a function of the program.
            let end = program.end_of(value, count);
            let method = before(2).to_ascii_lowercase();
            let adds = is_first && (method.starts_with("add") || method.starts_with("append"));
            let is_last = is_index || program.said(end) == ")";
            is_last.then(|| (Key { name, span, value }, value..end, on.into(), adds))
        }
        TokenKind::Word if matches!(before(1), "." | "->" | "?.") || before(1) == "::" => {
            let said = program.said(at);
            let bare = ["set", "Set", "with"].into_iter().find_map(|verb| said.strip_prefix(verb));
            let is_own = is_known(said);
            let name = Some(said).filter(|_| is_own).or(bare.filter(|name| is_known(name)))?;
            let name = if is_own { Cow::Borrowed(name) } else { lower_first(name) };
            let key = |value| Key { name: name.clone(), span, value };
            match program.said(at + 1) {
                "=" => {
                    let end = program.end_of(at + 2, count);
                    Some((key(at + 2), at + 2..end, before(2).into(), false))
                }
                "(" => {
                    let items = program.items(at + 1);
                    let [value] = items.as_slice() else { return None };
                    Some((key(value.start), value.clone(), root(program, at).into(), false))
                }
                _ => None,
            }
        }
        TokenKind::Open => {
            let (key, value) = entry(program, at)?;
            Some((key, value, "entry".into(), false))
        }
        _ => None,
    }
}

/// The beginning of the value for an index: `x["a"] = value`, `x["a"], x["b"] = value, value`.
fn assigned_at(program: &Program<'_>, at: usize) -> Option<usize> {
    const MOST: usize = 16;
    let (mut place, mut from, mut to) = (0, at.checked_sub(2)?, at + 2);
    while place < MOST && from > 3 && program.said(from - 1) == "," && program.said(from - 2) == "]" {
        from = program.token(from - 2)?.pair.checked_sub(1)?;
        place += 1;
    }
    for _ in 0..MOST {
        if program.said(to) == "," && program.said(to + 2) == "[" {
            to = program.after(to + 2);
        }
    }
    if !matches!(program.said(to), "=" | "+=") {
        return None;
    }
    let mut value = to + 1;
    for _ in 0..place {
        value = program.end_of(value, program.tokens.all.len());
        if program.said(value) != "," {
            return None;
        }
        value += 1;
    }
    Some(value)
}

/// The name at the beginning of calls after each other: `options` in `options.a(1).b(2)`.
fn root<'s>(program: &Program<'s>, at: usize) -> &'s str {
    const MOST: usize = 200;
    let mut at = at;
    for _ in 0..MOST {
        if at < 2 || !matches!(program.said(at - 1), "." | "->" | "?." | "::") {
            return program.said(at);
        }
        let open =
            program.token(at - 2).filter(|token| token.kind == TokenKind::Close).map(|token| token.pair);
        at = open.map_or(at - 2, |open| open.saturating_sub(1));
    }
    "()"
}

/// The fields of a class with their values, where nothing else has a draft: `businessName: str = "…"`.
fn of_classes<'s>(program: &Program<'s>) -> Vec<Pair<'s>> {
    const MOST: usize = 200;
    let (text, count) = (program.tokens.text, program.tokens.all.len());
    let marks = (0..count).filter(|at| program.is(*at, TokenKind::Mark) && program.said(*at) == "=");
    let named = marks.filter_map(|mark| Some((program.assigned(mark)?.trim_start_matches('$'), mark + 1)));
    let field = |(name, value): (&'s str, usize)| {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        around(text, start, MOST, |line| line.contains("class "))?;
        let key = Key { name: name.into(), span: Span::new(start, start + name.len()), value };
        let value = value..program.end_of(value, count);
        Some(Pair { key, value, on: "class".into(), block: 0, adds: false })
    };
    named.filter(|(name, _)| is_known(name)).take(MOST).filter_map(field).collect()
}

/// The line around a place: the nearest of some above it that begins further left and is such a line.
fn around(text: &str, start: usize, most: usize, is_it: impl Fn(&str) -> bool) -> Option<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text[..start].rsplit('\n');
    let own = lines.next().map_or(0, indent);
    lines.take(most).find(|line| indent(line) < own && is_it(line))
}

/// Whether a statement is made only under a condition, by the line around it.
fn is_conditional(text: &str, start: usize) -> bool {
    around(text, start, 50, |line| !line.trim().is_empty()).is_some_and(|line| {
        let line = line.trim_start();
        ["if ", "if(", "elif ", "else", "} else"].iter().any(|word| line.starts_with(word))
    })
}

/// Whether a text is written like the name of a field.
fn is_word(text: &str) -> bool {
    text.len() <= 60 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && has_words(text)
}

/// Puts pairs together that are set on the same thing in the same block.
fn add_pairs<'s>(program: &Program<'s>, pairs: Vec<Pair<'s>>, found: &mut Vec<Found<'s>>) {
    let mut groups: HashMap<(usize, Cow<'s, str>), Vec<Pair<'s>>> = HashMap::new();
    for pair in pairs {
        groups.entry((pair.block, pair.on.clone())).or_default().push(pair);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, pairs)| pairs[0].key.span.start);
    for ((_, on), pairs) in groups {
        let known = pairs.iter().filter(|pair| is_known(&pair.key.name)).map(|pair| pair.key.name.as_ref());
        let is_enough = best(known).is_some_and(|(_, known)| known >= LEAST);
        let own = found.iter().rposition(|found| found.name == Some(on.trim_start_matches('$')));
        if !is_enough && own.is_none() && on != "entry" {
            continue;
        }
        // What is set only sometimes, as in a trial, is not said; unless all is.
        let is_always = |pair: &Pair<'s>| !is_conditional(program.tokens.text, pair.key.span.start as usize);
        let mut pairs = pairs;
        if own.is_some() || pairs.iter().filter(|pair| is_always(pair)).count() >= LEAST {
            pairs.retain(is_always);
        }
        let mut members: Vec<Vec<Member<'s>>> = vec![Vec::new()];
        for pair in pairs {
            let is_again = |members: &[Member<'s>]| members.iter().any(|member| member.key == pair.key.name);
            if !pair.adds && members.last().is_some_and(|members| is_again(members)) {
                members.push(Vec::new());
            }
            let last = members.last_mut().expect("it begins with one");
            put(last, program, pair.key, pair.value, pair.adds);
        }
        for members in members.into_iter().filter(|members| !members.is_empty()) {
            match own {
                Some(own) => {
                    let new = members.into_iter().filter(|member| is_known(&member.key));
                    let known =
                        found[own].members.iter().map(|member| member.key.to_string()).collect::<Vec<_>>();
                    found[own].members.extend(new.filter(|member| !known.contains(&member.key.to_string())));
                }
                None => {
                    let ends = |member: &Member<'s>| member.key_span.end.max(member.value.span.end);
                    let end = members.iter().map(ends).max().unwrap_or_default();
                    let span = Span { start: members[0].key_span.start, end };
                    found.push(Found { members, span, name: None, is_old: false });
                }
            }
        }
    }
}
