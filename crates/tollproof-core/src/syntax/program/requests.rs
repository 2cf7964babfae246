//! Requests that are kept in files: those that editors send (`.http`), and collections of Postman.

use std::collections::HashMap;
use std::ops::Range;

use super::inside::Inside;
use super::read_part;
use super::tokens::{TokenKind, scan};
use crate::syntax::drafts::Found;
use crate::syntax::form;
use crate::syntax::language::Language;
use crate::syntax::span::Span;

/// The part of a request that a line is in.
#[derive(Clone, Copy, PartialEq)]
enum RequestPart {
    Before,
    Head,
    Body,
    After,
}

/// The drafts in the bodies of requests as editors send them, and the comments between them.
pub(super) fn read(text: &str, range: Range<usize>) -> (Vec<Found<'_>>, Vec<Span>) {
    let (mut values, mut comments, mut bodies) = (HashMap::new(), Vec::new(), Vec::<Range<usize>>::new());
    let (mut part, mut at) = (RequestPart::Before, range.start);
    for line in text.get(range).unwrap_or_default().split_inclusive('\n') {
        let start = at;
        at += line.len();
        let said = line.trim();
        let is_value = part == RequestPart::Before && said.starts_with('@');
        if said.starts_with("###") {
            part = RequestPart::Before;
        }
        match part {
            RequestPart::Before | RequestPart::Head if said.starts_with('#') || said.starts_with("//") => {
                comments.push(Span::new(start, start + line.trim_end().len()));
            }
            RequestPart::Before if is_value => {
                let (name, value) = said[1..].split_once('=').unwrap_or((said, &said[said.len()..]));
                let begin = value.trim().as_ptr() as usize - text.as_ptr() as usize;
                values.insert(name.trim(), Span::new(begin, begin + value.trim().len()));
            }
            RequestPart::Before | RequestPart::Head if said.starts_with(['{', '[']) => {
                part = RequestPart::Body;
                bodies.push(start..at);
            }
            RequestPart::Before if said.is_empty() => {}
            RequestPart::Before => part = RequestPart::Head,
            RequestPart::Head if said.is_empty() => {
                part = RequestPart::Body;
                bodies.push(at..at);
            }
            RequestPart::Body if said.starts_with("> ") || said.starts_with("<> ") => {
                part = RequestPart::After
            }
            RequestPart::Body => bodies.last_mut().into_iter().for_each(|body| body.end = at),
            RequestPart::Head | RequestPart::After => {}
        }
    }
    let body = |part: Range<usize>| {
        let mut body = Inside::new(text);
        body.add(part);
        of_body(&body.filled(&values))
    };
    (bodies.into_iter().flat_map(body).collect(), comments)
}

/// The drafts in the bodies of the requests of a collection.
pub(super) fn in_collection(text: &str) -> Vec<Found<'_>> {
    let Some(json) = Language::named("json") else { return Vec::new() };
    let tokens = scan(text, 0..text.len(), json).all;
    let said =
        |at: usize| tokens.get(at).and_then(|token| text.get(token.start..token.end)).unwrap_or_default();
    let (mut values, mut bodies, mut at) = (HashMap::new(), Vec::new(), 0);
    while let [_, colon, value, ..] = tokens.get(at..).unwrap_or_default() {
        let last = value.pair.max(at + 2);
        let mut body = Inside::new(text);
        match said(at) {
            _ if text.get(colon.start..colon.end) != Some(":") => {}
            // A request that is kept with its answer is one of those above.
            "\"originalRequest\"" => at = last,
            "\"raw\"" if value.kind == TokenKind::Text => body.add_string(value),
            "\"urlencoded\"" | "\"formdata\"" => {
                body.add(value.start..tokens[last].end);
                at = last;
            }
            "\"variable\"" => {
                let pairs = (at + 2..last).filter(|at| said(*at) == "\"key\"" && said(at + 4) == "\"value\"");
                values.extend(pairs.filter_map(|at| {
                    let value = tokens.get(at + 6)?.content();
                    Some((text.get(tokens[at + 2].content())?, Span::new(value.start, value.end)))
                }));
                at = last;
            }
            _ => {}
        }
        bodies.extend(Some(body).filter(|body| !body.code.is_empty()));
        at += 1;
    }
    bodies.iter().flat_map(|body| of_body(&body.filled(&values))).collect()
}

/// The drafts in a body: data in JSON, a list of pairs, or a form.
fn of_body<'s>(body: &Inside<'s>) -> Vec<Found<'s>> {
    let json = Language::named("json").filter(|_| body.code.trim_start().starts_with(['{', '[']));
    let found = match json {
        Some(json) => read_part(&body.code, 0..body.code.len(), json).0,
        None => form::read(&body.code)
            .iter()
            .filter_map(|document| document.root.as_ref())
            .map(|root| Found {
                members: root.members().to_vec(),
                span: root.span,
                name: None,
                is_old: false,
            })
            .collect(),
    };
    found.iter().map(|found| body.found(found)).collect()
}
