//! Checks after a storm, by the sandbox's ledger and its submissions.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;
use tollproof_history::{Attempt, AttemptOperation, AttemptState};

use super::caller::RefusedSubmission;
use super::{NUMBERS, Storm, open};
use crate::walk::{ApiWalk, PROVIDERS, control};

/// Checks everything, and returns what there was.
pub(super) fn check(storm: &Storm, refused: &[RefusedSubmission]) -> String {
    let (mut submitted, mut bought, mut calls) = (0, 0, 0);
    let filings = control::submissions(&storm.sandbox);
    let second: Vec<_> = refused.iter().filter(|it| is_second(it, &filings)).collect();
    assert!(second.is_empty(), "numbers were submitted while they were under review: {second:#?}");
    for provider in PROVIDERS {
        let walk = storm.walk(provider);
        let ledger = control::ledger(&storm.sandbox, provider, "");
        calls += ledger.len();
        let of = |operation: &str| {
            ledger.iter().filter(|it| it["operation"] == operation).cloned().collect::<Vec<Value>>()
        };
        let effects = |operation: &str| of(operation).iter().filter(|it| control::is_effect(it)).count();
        let mut attempts = open(&walk, &storm.store).attempts().expect("it can be read");
        attempts.retain(|it| it.provider == provider);
        let accepted = |operation: AttemptOperation| count(&attempts, operation);

        let (submits, updates) = (accepted(AttemptOperation::Submission), accepted(AttemptOperation::Update));
        // The last step of an update is a submission there.
        let is_mixed = ["infobip", "aws"].contains(&provider);
        let mixed = if is_mixed { updates } else { 0 };
        let expected = submits..=submits + mixed;
        let seen = effects("submit");
        assert!(expected.contains(&seen), "{provider}: {expected:?} of {seen}: {}", told(&attempts, &ledger));
        // Of a lost update, a look may not show that it arrived: another program has changed or withdrawn the submission
        // meanwhile. But none is sent twice. Bandwidth shows only the second of a change.
        let sent = attempts.iter().filter(|it| it.operation == AttemptOperation::Update).count();
        let is_exact = !is_mixed && provider != "bandwidth";
        let seen = effects("update");
        assert!(!is_exact || seen <= sent, "{provider}: {sent} of {seen}: {}", told(&attempts, &ledger));
        submitted += submits;
        let purchases = accepted(AttemptOperation::Purchase);
        if provider == "aws" {
            // A purchase that is sent again with its token is in the ledger twice, and is one number.
            let owned = numbers_once_answered(&walk);
            assert_eq!(owned, NUMBERS + purchases, "{provider}: {}", told(&attempts, &ledger));
        } else {
            assert_eq!(effects("buy"), purchases, "{provider}: {}", told(&attempts, &ledger));
        }
        bought += purchases;

        let known: BTreeSet<String> = walk.history().iter().map(|it| it.id.to_ascii_lowercase()).collect();
        for filing in
            filings.iter().filter(|filing| filing["provider"] == provider && filing["state"] != "draft")
        {
            let id = filing["id"].as_str().expect("it has one").to_ascii_lowercase();
            assert!(known.contains(&id), "{provider}: {filing} is not in the history: {known:?}");
        }
        for number in super::numbers_of(provider) {
            let is_open = |filing: &&Value| {
                filing["provider"] == provider
                    && filing["state"] == "open"
                    && filing["numbers"].to_string().contains(&number)
            };
            assert!(filings.iter().filter(is_open).count() < 2, "{provider}: {number}");
        }
    }
    format!("{calls} calls, {submitted} submissions, {bought} purchases")
}

/// Counts the account's numbers, asked until the faults that are left over from the storm are used up.
fn numbers_once_answered(walk: &ApiWalk) -> usize {
    let answered = (0..100).find_map(|_| match walk.api.own_numbers() {
        Ok(Ok(owned)) => Some(owned.len()),
        _ => None,
    });
    answered.expect("the list of numbers is answered after at most 100 faults")
}

/// All that happened, in order.
fn told(attempts: &[Attempt], ledger: &[Value]) -> String {
    let at = |value: &Value| value["at"].as_str().unwrap_or_default().to_owned();
    let attempts = attempts.iter().map(|attempt| (attempt.created_at.to_string(), format!("{attempt:?}")));
    let mut all: Vec<(String, String)> = ledger
        .iter()
        .map(|entry| {
            (
                at(entry),
                format!("{} {} {} {}", entry["operation"], entry["path"], entry["status"], entry["fault"]),
            )
        })
        .chain(attempts)
        .collect();
    all.sort();
    all.into_iter().map(|(at, what)| format!("\n{at} {what}")).collect()
}

fn count(attempts: &[Attempt], operation: AttemptOperation) -> usize {
    attempts
        .iter()
        .filter(|attempt| attempt.operation == operation && attempt.state == AttemptState::Accepted)
        .count()
}

/// Whether a submission was sent although the number had one under review: from before it began until after it ended.
fn is_second(refused: &RefusedSubmission, filings: &[Value]) -> bool {
    let of_number = filings.iter().filter(|filing| {
        filing["provider"] == refused.provider.as_str()
            && filing["numbers"].to_string().contains(&refused.number)
    });
    of_number
        .flat_map(periods_of_review)
        .any(|(from, until)| from < refused.during.0 && until.is_none_or(|until| refused.during.1 < until))
}

/// Review periods of a submission.
fn periods_of_review(filing: &Value) -> Vec<(Timestamp, Option<Timestamp>)> {
    let changes = filing["history"].as_array().map(Vec::as_slice).unwrap_or_default();
    let at = |entry: &Value| entry["at"].as_str().and_then(|text| text.parse().ok()).expect("it is a time");
    let mut changes: Vec<(Timestamp, bool)> =
        changes.iter().map(|it| (at(it), it["state"] == "open")).collect();
    changes.sort();
    let ends = changes.iter().skip(1).map(|it| Some(it.0)).chain([None]);
    changes.iter().zip(ends).filter(|(change, _)| change.1).map(|(change, end)| (change.0, end)).collect()
}
