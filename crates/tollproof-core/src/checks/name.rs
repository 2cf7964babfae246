//! `name`: a name that is written like something else.

use super::Violation;
use crate::checks::context::Context;
use crate::rule::check::{Name, NameProblem};
use crate::suggest::bare;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::text::business_name;
use crate::validators::url;

pub(super) fn check(check: &Name, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?.trim();
    let reason = match check.problem {
        NameProblem::Handle => handle(text),
        NameProblem::NoPerson => no_person(text, context),
        NameProblem::Bracketed => bracketed(text),
    }?;
    Some(Violation::default().fill("value", text).fill("reason", Message::own(reason)))
}

fn handle(text: &str) -> Option<&'static str> {
    let single = !text.contains(char::is_whitespace);
    if text.starts_with('@') || text.contains('@') && single {
        return Some("it is a user name or an e-mail address");
    }
    if single && (text.contains("://") || !url::in_text(text).is_empty()) {
        return Some("it is a web address");
    }
    let lower = text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_uppercase);
    (single && lower).then_some("it is a single word in lower case, as user names are")
}

fn no_person(text: &str, context: &Context<'_>) -> Option<&'static str> {
    if text.chars().any(|it| it.is_ascii_digit() || "@#/_".contains(it)) {
        return Some("it holds digits or marks");
    }
    if text.chars().filter(|it| it.is_alphanumeric()).count() == 1 {
        return Some("it is a single letter");
    }
    let business = context.field("businessName").map(bare).unwrap_or_default();
    (bare(text).len() > 3 && bare(text) == business).then_some("it is the name of the business")
}

/// One name behind another in brackets, of which one has a legal form: `Acme (Acme Holdings LLC)`. A place in brackets is
/// part of many a legal name.
fn bracketed(text: &str) -> Option<&'static str> {
    let (before, inside) = text.strip_suffix(')')?.split_once('(')?;
    (!before.trim().is_empty() && business_name::has_legal_form(inside))
        .then_some("it holds another name in brackets")
}
