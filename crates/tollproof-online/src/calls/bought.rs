//! The numbers of an order, as its attempt keeps them.

use tollproof_history::{Attempt, AttemptOperation, AttemptState, HistoryError, Store};

use super::kept::{CHOSEN, WANTED};
use super::outcome::{Accepted, AcceptedBy};
use super::session::accepted;

/// The beginning of the names of steps that keep what was bought.
const BOUGHT: &str = "bought-";

/// Notes a purchase as a person found it: with the id of the number that arrived, or without. The rest of an order can be
/// bought later if a number of it was on its way, and is not wanted any more if nothing was. What was bought stays.
///
/// # Errors
///
/// The history cannot be used.
pub fn resolve_purchase(
    store: &mut Store,
    attempt: &Attempt,
    arrived: Option<&str>,
) -> Result<(), HistoryError> {
    let (now, number) = (store.now()?, chosen(attempt));
    if let Some(id) = arrived {
        let found = Accepted { id: Some(id.to_owned()), status: None, number, by: AcceptedBy::Look };
        return note_found(store, attempt, &found).map(drop);
    }
    let bought = bought(attempt);
    let Some(first) = bought.first() else {
        return store.withdraw(&attempt.token, "a person found that nothing arrived", now).map(drop);
    };
    if attempt.state != AttemptState::Sent {
        return store.accept(&attempt.token, first.id.as_deref(), None, now).map(drop);
    }
    // Its number is still to be bought.
    store.settle_step(attempt, &chosen_step(attempt), &number, now).map(drop)
}

/// Notes a number of an order that arrived, if the attempt is still as it was given. Returns whether that ends the order.
pub(super) fn note_found(
    store: &mut Store,
    attempt: &Attempt,
    found: &Accepted,
) -> Result<bool, HistoryError> {
    let now = store.now()?;
    Ok(store.settle_step(attempt, &bought_step(attempt), &written(found), now)?
        && end_order(store, &attempt.token)?)
}

/// Ends an order of which everything was bought.
pub(super) fn end_order(store: &mut Store, token: &str) -> Result<bool, HistoryError> {
    let Some(attempt) = store.attempt(token)? else { return Ok(false) };
    let bought = bought(&attempt);
    if bought.len() < wanted(&attempt) {
        return Ok(false);
    }
    let (now, id) = (store.now()?, bought.first().and_then(|first| first.id.clone()));
    store.accept(token, id.as_deref(), None, now)?;
    Ok(true)
}

/// The count of numbers that a purchase wants.
pub(super) fn wanted(attempt: &Attempt) -> usize {
    attempt.steps.get(WANTED).and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// The number that a purchase buys next, or has sent; empty if the provider assigns it.
pub(super) fn chosen(attempt: &Attempt) -> String {
    let first = || if bought(attempt).is_empty() { attempt.number.clone() } else { String::new() };
    attempt.steps.get(&chosen_step(attempt)).cloned().unwrap_or_else(first)
}

/// The number of an attempt for people: of an order whose last request has no answer, the number of that request.
#[must_use]
pub fn attempted_number(attempt: &Attempt) -> String {
    match attempt.state {
        AttemptState::Sent if attempt.operation == AttemptOperation::Purchase => chosen(attempt),
        _ => attempt.number.clone(),
    }
}

/// The name of the step that keeps which number is bought next.
pub(super) fn chosen_step(attempt: &Attempt) -> String {
    format!("{CHOSEN}{}", bought(attempt).len() + 1)
}

/// The name of the step that keeps what is bought next.
pub(super) fn bought_step(attempt: &Attempt) -> String {
    format!("{BOUGHT}{}", bought(attempt).len() + 1)
}

/// The token of the number that a purchase buys next, or has sent.
pub(super) fn token(attempt: &Attempt) -> String {
    match bought(attempt).len() {
        0 => attempt.token.clone(),
        earlier => format!("{}-{}", attempt.token, earlier + 1),
    }
}

/// The numbers that a purchase has bought.
#[must_use]
pub fn bought(attempt: &Attempt) -> Vec<Accepted> {
    let all = (1..).map_while(|at| attempt.steps.get(&format!("{BOUGHT}{at}")));
    let mut all: Vec<Accepted> = all.map(|text| read(text)).collect();
    if all.is_empty() && attempt.state == AttemptState::Accepted {
        all.push(accepted(attempt, AcceptedBy::Earlier));
    }
    all
}

/// A number and its id as a step keeps them.
pub(super) fn written(accepted: &Accepted) -> String {
    let id = accepted.id.as_deref().unwrap_or_default();
    format!("{} {id}", accepted.number).trim_end().to_owned()
}

fn read(text: &str) -> Accepted {
    let (number, id) = text.split_once(' ').map_or((text, None), |(number, id)| (number, Some(id)));
    let id = id.map(str::to_owned);
    Accepted { id, status: None, number: number.to_owned(), by: AcceptedBy::Earlier }
}
