//! `required-by-provider` and `required-by-reviewers`: fields that the schema of the provider leaves open.

use crate::provider::asked::applies;
use jiff::tz::TimeZone;

use crate::checks::{Context, Place, Violation};
use crate::syntax::document::{Node, Value};
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    if place.node.is_some_and(has_content) {
        return None;
    }
    let mut requirements =
        context.kind.requirements(place.role).filter(|requirement| !requirement.by_reviewers);
    let requirement = requirements.find(|requirement| {
        requirement.since.is_none_or(|since| has_begun(since, context))
            && applies(requirement, context.kind, context.root)
    })?;
    let since = requirement.since.map(|since| message!(" since {}", Message::name(since)));
    Some(
        Violation::default()
            .fill("provider", Message::own(context.kind.provider().title()))
            .fill("since", since.unwrap_or_default()),
    )
}

/// A field that is absent or empty, and that only reviewers need.
pub(super) fn by_reviewers(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    if place.node.is_some_and(has_content) {
        return None;
    }
    let mut requirements = context.kind.requirements(place.role);
    requirements.find(|requirement| requirement.by_reviewers)?;
    Some(Violation::default().fill("provider", Message::own(context.kind.provider().title())))
}

fn has_content(node: &Node<'_>) -> bool {
    match &node.value {
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

/// Whether a day, in UTC, has come. Without the current time, nothing begins.
fn has_begun(day: &str, context: &Context<'_>) -> bool {
    let today = context.environment.facts.now.map(|now| now.to_zoned(TimeZone::UTC).date());
    today.zip(day.parse().ok()).is_some_and(|(today, day)| today >= day)
}
