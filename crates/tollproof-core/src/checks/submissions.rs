//! Numbers of drafts, and what is known of earlier submissions of them.

use crate::checks::history::{answer, open, shown_status, verified};
use crate::checks::{Context, Place, Violation};
use crate::facts::{Mention, Outcome, Submission};
use crate::finding::{Edit, Fix, Related, Safety, Severity};
use crate::provider::number_names::number_name;
use crate::syntax::document::{Node, Value};
use crate::syntax::message::Message;
use crate::syntax::source::Span;
use crate::validators::number_key::NumberKey;

/// The number has an open submission with the same data.
pub(super) fn already_submitted(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    open(place.node?, context, true)
}

/// The number has an open submission with other data.
pub(super) fn open_with_other_data(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    open(place.node?, context, false)
}

/// The number was verified.
pub(super) fn already_verified(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    verified(place.node?, context)
}

/// The submission that would be updated has ended.
pub(super) fn ended(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let record = context.environment.record()?;
    let ended = match record.outcome() {
        Outcome::Open => false,
        Outcome::Verified | Outcome::Ended => true,
        Outcome::Rejected => record.may_resubmit().is_none() && !record.waits_for_answer(),
    };
    ended.then(|| {
        Violation::at(node.opening()).fill("status", shown_status(record)).see_record(record, "its record")
    })
}

/// Someone has reserved the number to submit it.
pub(super) fn reserved(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let facts = context.environment.facts;
    let reservation = facts.history.reservation(number_name(node)?)?;
    let runs = facts.now.is_none_or(|now| now < reservation.until);
    runs.then(|| Violation::default().fill("until", reservation.end()))
}

/// The authority waits for an answer, and there is still time.
pub(super) fn answer_due(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    answer(place.node?, context).filter(|it| !it.is_over()).map(|it| it.due())
}

/// The time to answer the authority has passed.
pub(super) fn answer_overdue(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    answer(place.node?, context).filter(|it| it.is_over()).map(|it| it.overdue())
}

/// The submission was rejected for good.
pub(super) fn rejected_for_good(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let is_final =
        |record: &&Submission| record.outcome() == Outcome::Rejected && record.may_resubmit() == Some(false);
    let (record, violation) = if context.kind.is_update() {
        (context.environment.record().filter(is_final)?, Violation::at(node.opening()))
    } else {
        let history = &context.environment.facts.history;
        let newest = history.of_number(number_name(node)?).max_by_key(|it| it.updated_at)?;
        let violation = Violation { severity: Some(Severity::Warning), ..Violation::default() };
        (Some(newest).filter(is_final)?, violation)
    };
    let allowed = record.resubmit_allowed.trim().to_owned();
    let violation = violation.fill("allowed", allowed).fill("field", Message::name(record.resubmit_field()));
    Some(violation.see_record(record, "rejected for good"))
}

/// An earlier draft of the same run contains the number.
pub(super) fn duplicate(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node.filter(|node| node.style.is_data())?;
    let number = number_name(node)?;
    let first = earlier(number, context)?;
    Some(Violation { related: vec![first], label: Some("the same number".into()), ..Violation::default() })
}

/// An entry before this one names the number.
pub(super) fn named_twice(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let key = NumberKey::of(number_name(node)?);
    let mut before =
        context.kind.number_names(context.root).take_while(|(other, _)| !std::ptr::eq(*other, node));
    let (first, _) = before.find(|(_, name)| NumberKey::of(name) == key)?;
    let related = Related::here(first.span, "first named here".into());
    let fix = removal(context.text, context.root, node);
    Some(Violation { related: vec![related], fix, ..Violation::default() })
}

/// The fix that removes an entry of a list with what separates it from the one before. `None` if something else is between them.
fn removal(text: &str, root: &Node<'_>, node: &Node<'_>) -> Option<Fix> {
    let (before, own) = neighbours(root, node)?;
    let between = text.get(before.span.range().end..own.span.range().start)?;
    let separates = |c: char| c.is_whitespace() || ",;|-".contains(c);
    let span = Span { start: before.span.end, end: own.span.end };
    let edit = Edit { span, text: String::new() };
    between.chars().all(separates).then(|| Fix { safety: Safety::Safe, edits: vec![edit] })
}

/// The entry of a list that is or has a value, and the one before it.
fn neighbours<'n, 's>(root: &'n Node<'s>, node: &Node<'s>) -> Option<(&'n Node<'s>, &'n Node<'s>)> {
    let is_it = |entry: &Node<'s>| match entry.members() {
        [one] => std::ptr::eq(&one.value, node),
        _ => std::ptr::eq(entry, node),
    };
    match &root.value {
        Value::Object(members) => members.iter().find_map(|member| neighbours(&member.value, node)),
        Value::Array(items) => {
            let at = items.iter().position(is_it)?;
            Some((items.get(at.checked_sub(1)?)?, &items[at]))
        }
        _ => None,
    }
}

/// The most numbers of one business that need no reason outside Canada (Twilio, code 30479).
const WITHOUT_REASON: usize = 5;

/// The business has more numbers than reviewers take without a reason.
pub(super) fn numbers_of_business(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let own = context.kind.number_names(context.root).count();
    // A reason may call a number by its last digits.
    let said = place.node.and_then(Node::as_str).unwrap_or_default();
    let is_called =
        |(_, name): (_, &str)| name.get(name.len().saturating_sub(4)..).is_some_and(|end| said.contains(end));
    if !context.kind.has(place.role) || own == 0 || context.kind.number_names(context.root).any(is_called) {
        return None;
    }
    let Some((_, business)) = context.kind.one_number_business(context.root) else {
        return (own > WITHOUT_REASON).then(Violation::default);
    };
    let related: Vec<Related> = earlier(&business, context).into_iter().collect();
    (own > 1 || !related.is_empty()).then(|| Violation { related, ..Violation::default() })
}

/// The first place that names a number or a business in the drafts before this one.
fn earlier(name: &str, context: &Context<'_>) -> Option<Related> {
    let environment = context.environment;
    let Mention { file, span, place } =
        environment.facts.batch.first(name).or_else(|| environment.earlier.first(name))?;
    let span = place.is_none().then_some(*span);
    Some(Related { file: Some(file.clone()), span, place: *place, message: "first named here".into() })
}
