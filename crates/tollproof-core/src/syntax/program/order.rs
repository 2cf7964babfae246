//! Finds values whose fields are told by their order: `INSERT INTO t (a, b) VALUES (1, 2)`, `Map.of("a", 1)`, and the arguments
//! with which libraries make a request.

use std::borrow::Cow;
use std::ops::Range;

use super::items::{assigned_to, put};
use super::pair::Key;
use super::tokens::TokenKind;
use super::values::Program;
use crate::syntax::document::Member;
use crate::syntax::drafts::Found;
use crate::syntax::field_names::{best, named};
use crate::syntax::span::Span;

/// The fewest fields of one provider.
const LEAST: usize = 3;

/// Fields that Twilio requires, in the order of the arguments of its libraries.
const REQUIRED: [&str; 10] = [
    "BusinessName",
    "BusinessWebsite",
    "NotificationEmail",
    "UseCaseCategories",
    "UseCaseSummary",
    "ProductionMessageSample",
    "OptInImageUrls",
    "OptInType",
    "MessageVolume",
    "TollfreePhoneNumberSid",
];

/// A field with its value.
type Field<'s> = (Key<'s>, Range<usize>);

/// The rows that are put into tables, and maps.
pub(super) fn objects<'s>(program: &Program<'s>) -> Vec<Found<'s>> {
    let mut found = Vec::new();
    for open in
        (0..program.tokens.all.len()).filter(|at| program.said(*at) == "(" && program.after(*at) > at + 1)
    {
        let items = program.items(open);
        let mut row = program.after(open);
        if program.said(row).eq_ignore_ascii_case("values") {
            row += 1;
            while program.is(row, TokenKind::Open) {
                let values = program.items(row);
                let fields = items.iter().filter_map(|item| name(program, item)).zip(values.iter().cloned());
                let is_whole = values.len() == items.len();
                found.extend(object(program, row, fields.filter(|_| is_whole).collect()));
                row = program.after(row);
                row += usize::from(program.said(row) == ",");
            }
        } else if program.said(open.wrapping_sub(1)) == "of" && program.said(open.wrapping_sub(3)) == "Map" {
            let fields =
                items.chunks_exact(2).filter_map(|pair| Some((name(program, &pair[0])?, pair[1].clone())));
            found.extend(object(program, open, fields.collect()));
        }
    }
    found
}

/// The fields of a call that gives all that Twilio requires by order: `TollfreeVerification.creator(…)`.
pub(super) fn arguments<'s>(program: &Program<'s>, open: usize) -> Vec<Field<'s>> {
    let says = |words: &[&str], back: usize| {
        let said = open.checked_sub(back).map_or("", |at| program.said(at)).to_ascii_lowercase();
        words.iter().any(|word| said.contains(word))
    };
    if program.said(open) != "("
        || !says(&["create", "creator"], 1)
        || !(3..6).any(|back| says(&["tollfree"], back))
    {
        return Vec::new();
    }
    let items = program.items(open);
    if items.len() < REQUIRED.len() || items.iter().any(|item| program.key(item.start).is_some()) {
        return Vec::new();
    }
    let field = |(name, item): (&'static str, Range<usize>)| {
        (Key { name: Cow::Borrowed(name), span: program.span(&item), value: item.start }, item)
    };
    REQUIRED.into_iter().zip(items).map(field).collect()
}

/// The name that an item consists of.
fn name<'s>(program: &Program<'s>, item: &Range<usize>) -> Option<Key<'s>> {
    let is_word = program.is(item.start, TokenKind::Word);
    let name = if is_word { Some(program.said(item.start).into()) } else { program.literal(item.start) };
    let span = program.span(item);
    name.filter(|_| item.len() == 1).map(|name| Key { name, span, value: item.start })
}

fn object<'s>(program: &Program<'s>, open: usize, fields: Vec<Field<'s>>) -> Option<Found<'s>> {
    let (_, known) = best(fields.iter().map(|(key, _)| key.name.as_ref()))?;
    let mut members: Vec<Member<'s>> = Vec::new();
    for (key, value) in fields.into_iter().filter(|(key, _)| known >= LEAST && !named(&key.name).is_empty()) {
        // Rows have the same names, but each is a place of its own.
        let span = program.span(&value);
        put(&mut members, program, Key { span, ..key }, value, false);
    }
    let end = program.after(open).saturating_sub(1);
    let span = Span::new(program.token(open)?.start, program.token(end)?.end);
    let name = assigned_to(program, open);
    (!members.is_empty()).then_some(Found { members, span, name, is_old: false })
}
