//! `handle`, `person-name` and `name-in-brackets`: values that are not one name.

use tollproof_data::suggest::{bare, is_same_name};

use crate::checks::{Context, Place, Violation};
use crate::provider::role;
use crate::syntax::message::Message;
use crate::text::asked::business_name;
use crate::validators::text_urls;

/// A value that is not the name of a person.
pub(super) fn not_a_person(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?.trim();
    let reason = no_person(text, context)?;
    Some(Violation::default().fill("reason", Message::own(reason)))
}

/// Explains why a text is not the name of a person.
fn no_person(text: &str, context: &Context<'_>) -> Option<&'static str> {
    if text.chars().any(|character| character.is_ascii_digit() || "@#/_".contains(character)) {
        return Some("it contains digits or symbols");
    }
    if text.chars().filter(|it| it.is_alphanumeric()).count() == 1 {
        return Some("it is a single letter");
    }
    let business = context.field(role::BUSINESS_NAME).unwrap_or_default();
    (is_same_name(text, business) && bare(text).len() > 3).then_some("it is the name of the business")
}

/// A user name or an address in place of a name.
pub(super) fn user_name(place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?.trim();
    let reason = handle(text)?;
    Some(Violation::default().fill("reason", Message::own(reason)))
}

fn handle(text: &str) -> Option<&'static str> {
    let single = !text.contains(char::is_whitespace);
    if text.starts_with('@') || text.contains('@') && single {
        return Some("it is a user name or an e-mail address");
    }
    if single && (text.contains("://") || !text_urls::in_text(text).is_empty()) {
        return Some("it is a web address");
    }
    let lower = text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_uppercase);
    (single && lower).then_some("it is one word in lowercase letters, like a user name")
}

/// A name followed by another one in brackets.
pub(super) fn with_another(place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?.trim();
    let reason = bracketed(text)?;
    Some(Violation::default().fill("reason", Message::own(reason)))
}

/// A message if another name with a legal form follows in brackets: `Acme (Acme Holdings LLC)`. A place in brackets
/// is not reported: it is part of many legal names.
fn bracketed(text: &str) -> Option<&'static str> {
    let (before, inside) = text.strip_suffix(')')?.split_once('(')?;
    (!before.trim().is_empty() && business_name::has_legal_form(inside))
        .then_some("it contains another name in parentheses")
}
