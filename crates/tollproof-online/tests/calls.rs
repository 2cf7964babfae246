//! The calls against the sandbox, provider by provider.

use std::sync::Arc;
use std::time::Duration;

use crate::walk::{ApiWalk, PROVIDERS, accepted, order};
use serde_json::{Value, json};
use tollproof_online::{AcceptedBy, CallOutcome, NumberOrder, Purchase, SenderKind, StatusItem};

#[test]
fn a_number_is_bought_submitted_rejected_updated_and_verified() {
    for provider in PROVIDERS {
        let walk = ApiWalk::start(provider, "reject 30513, then approve");
        let number = walk.buy();
        if provider != "telnyx" && provider != "bandwidth" {
            match walk.api.own_numbers().expect("it can be called") {
                Ok(found) => assert_eq!(found[0].number, number, "{provider}"),
                Err(outcome) => panic!("{provider}: {outcome:?}"),
            }
        }
        let draft = walk.draft(&number);
        let sent = accepted(walk.submit(&draft));
        assert_eq!(sent.by, AcceptedBy::Answer, "{provider}: {sent:?}");
        assert!(sent.status.is_some(), "{provider}: {sent:?}");
        // The same draft again is not sent again.
        let again = walk.submit(&draft);
        assert_eq!(walk.calls("submit"), 1, "{provider}: {again:?}");

        let statuses = walk.statuses();
        assert_eq!(statuses.len(), 1, "{provider}: {statuses:?}");
        let StatusItem::Submission(seen) = &statuses[0] else { panic!("{provider}: {statuses:?}") };
        assert!(!seen.submission.is_open() || seen.submission.waits_for_answer(), "{provider}: {seen:?}");
        let found = walk.with(|session| session.update_target(Some(&seen.submission.id), None));
        let Ok(target) = found.expect("it can be called") else {
            panic!("{provider}: the submission is there")
        };
        assert!(!target.is_approved, "{provider}: {target:?}");
        let updated = accepted(walk.update(&target));
        assert_eq!(updated.by, AcceptedBy::Answer, "{provider}: {updated:?}");
        let found = walk.with(|session| session.update_target(Some(&target.id), None));
        let Ok(target) = found.expect("it can be called") else {
            panic!("{provider}: the submission is there")
        };
        assert!(target.is_approved, "{provider}: {target:?}");
    }
}

#[test]
fn a_lost_answer_is_found_and_nothing_is_sent_twice() {
    for provider in PROVIDERS {
        for fault in ["lost-answer", "cut-body", "500-after"] {
            let walk = ApiWalk::start(provider, "approve");
            let number = walk.buy();
            let draft = walk.draft(&number);
            walk.fault(fault, "submit");
            let lost = walk.submit(&draft);
            if ["bandwidth", "infobip"].contains(&provider) && fault == "cut-body" {
                // An empty body cannot be cut.
                accepted(lost);
            } else {
                assert!(
                    matches!(lost, CallOutcome::Unknown { can_ask: true, .. }),
                    "{provider} {fault}: {lost:?}"
                );
                let found = accepted(walk.submit(&draft));
                assert_eq!(found.by, AcceptedBy::Look, "{provider} {fault}: {found:?}");
            }
            assert_eq!(walk.effects("submit"), 1, "{provider} {fault}: {:?}", walk.ledger("submit"));
            assert_eq!(walk.history().len(), 1, "{provider} {fault}");
        }
    }
}

#[test]
fn what_did_not_arrive_is_sent_again_only_after_a_look() {
    // Each waits for three time-outs.
    std::thread::scope(|scope| {
        for provider in PROVIDERS {
            scope.spawn(move || sends_again_after_a_look(provider));
        }
    });
}

fn sends_again_after_a_look(provider: &str) {
    let walk = ApiWalk::start(provider, "approve");
    let number = walk.buy();
    let draft = walk.draft(&number);
    walk.fault("500-before", "submit");
    let lost = walk.submit(&draft);
    assert!(matches!(lost, CallOutcome::Unknown { .. }), "{provider}: {lost:?}");
    // Too early to say: what was sent may still arrive.
    let early = walk.submit(&draft);
    assert!(matches!(early, CallOutcome::Unknown { until: Some(_), .. }), "{provider}: {early:?}");
    let sent = accepted(walk.submit_waiting(&draft));
    assert_eq!(sent.by, AcceptedBy::Answer, "{provider}");
    assert_eq!(walk.effects("submit"), 1, "{provider}");
}

#[test]
fn what_was_filed_elsewhere_is_adopted_and_not_doubled() {
    for provider in PROVIDERS {
        let walk = ApiWalk::start_reviewing(provider, "approve", "2d");
        let number = walk.buy();
        let draft = walk.draft(&number);
        accepted(walk.submit(&draft));
        let other = walk.with_new_history();
        let refused = other.submit(&draft);
        assert!(
            matches!(&refused, CallOutcome::OpenElsewhere(it) if it.id.is_some()),
            "{provider}: {refused:?}"
        );
        assert_eq!(walk.calls("submit"), 1, "{provider}");
        assert_eq!(other.history().len(), 1, "{provider}");
    }
}

#[test]
fn a_refusal_releases_the_number() {
    for provider in PROVIDERS {
        let walk = ApiWalk::start(provider, "approve");
        let number = walk.buy();
        let draft = walk.draft(&number);
        walk.fault("429", "submit");
        // Whether the pause that the provider asks for fits into the time-out depends on the machine.
        match walk.submit(&draft) {
            CallOutcome::Limited { retry_after } => {
                assert!(retry_after.is_some(), "{provider}");
                accepted(walk.submit(&draft));
            }
            other => drop(accepted(other)),
        }
        assert_eq!(walk.effects("submit"), 1, "{provider}");
    }
    let walk = ApiWalk::start("telnyx", "approve");
    let mut draft: Value = walk.draft("+18335550000");
    draft["phoneNumbers"] = json!([{ "phoneNumber": "+18335550000" }]);
    let refused = walk.submit(&draft);
    assert!(matches!(&refused, CallOutcome::Refused(it) if it.status >= 400), "{refused:?}");
    let number = walk.buy();
    assert_eq!(number, "+18335550000");
    accepted(walk.submit(&draft));
}

#[test]
fn a_lost_purchase_is_found_and_not_repeated() {
    for provider in PROVIDERS.into_iter().filter(|it| *it != "bandwidth") {
        let walk = ApiWalk::start(provider, "approve");
        walk.fault("lost-answer", "buy");
        let lost = walk.try_buy();
        if walk.recognizes_purchases() {
            accepted(lost);
        } else {
            assert!(matches!(lost, CallOutcome::Unknown { .. }), "{provider}: {lost:?}");
            let found = accepted(walk.try_buy());
            assert_eq!(found.by, AcceptedBy::Look, "{provider}: {found:?}");
        }
        // AWS recognizes the repeated call.
        let most = if walk.recognizes_purchases() { 2 } else { 1 };
        assert!(walk.effects("buy") <= most, "{provider}");
    }
}

#[test]
fn an_earlier_purchase_is_settled_under_its_own_number() {
    let walk = ApiWalk::start("twilio", "approve");
    let buy = |number: &str| walk.try_buy_number(Some(number)).expect("it can be called");
    walk.fault("lost-answer", "buy");
    let lost = buy("+18335550007").remove(0);
    assert!(matches!(lost.outcome, CallOutcome::Unknown { .. }), "{lost:?}");
    let [settled, bought] = buy("+18335550008").try_into().expect("two were bought");
    let (settled, bought) = (accepted(settled.outcome), accepted(bought.outcome));
    assert_eq!((settled.number.as_str(), settled.by), ("+18335550007", AcceptedBy::Look));
    assert_eq!((bought.number.as_str(), bought.by), ("+18335550008", AcceptedBy::Answer));
}

/// Buys at the same time with six programs.
fn buy_six_times(walk: &ApiWalk, provider: &'static str, order: &NumberOrder) {
    walk.history();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            let (sandbox, store) = (Arc::clone(&walk.sandbox), walk.location().clone());
            scope.spawn(move || {
                let url = sandbox.url();
                let own = ApiWalk::sharing(provider, sandbox, &url, store, Duration::from_secs(3));
                own.try_order(order).expect("it can be called")
            });
        }
    });
}

#[test]
fn of_many_programs_one_buys_a_number() {
    for provider in ["twilio", "bird"] {
        let walk = ApiWalk::start(provider, "approve");
        buy_six_times(&walk, provider, &order(Some("+18335550007"), 1));
        // The sandbox refuses a second purchase; here, none may be sent.
        assert_eq!(walk.calls("buy"), 1, "{provider}");
    }
}

#[test]
fn of_many_programs_with_one_order_none_buys_more_than_is_wanted() {
    for provider in ["twilio", "bird", "aws"] {
        let walk = ApiWalk::start(provider, "approve");
        let order = order(None, 3);
        buy_six_times(&walk, provider, &order);
        // A program that was killed, or was too late, is run again.
        let done = walk.try_order(&order).expect("it can be called");
        assert_eq!((done.len(), walk.effects("buy")), (3, 3), "{provider}: {done:?}");
    }
}

#[test]
fn an_order_that_is_repeated_buys_what_is_missing() {
    for provider in ["twilio", "bird", "telnyx", "infobip", "plivo"] {
        let walk = ApiWalk::start(provider, "approve");
        let order = order(None, 3);
        let first = walk.try_order(&NumberOrder { number: None, ..order.clone() });
        assert_eq!(first.expect("it can be called").len(), 3, "{provider}");
        let again = NumberOrder { again: true, ..order };
        for fault in ["lost-answer", "500-after", "500-before"] {
            walk.fault(fault, "buy");
            let before = walk.effects("buy");
            let lost = walk.try_order(&again).expect("it can be called");
            assert!(matches!(lost[0].outcome, CallOutcome::Unknown { .. }), "{provider} {fault}: {lost:?}");
            let not_tried = |bought: &&Purchase| matches!(bought.outcome, CallOutcome::NotTried);
            assert_eq!(lost.iter().filter(not_tried).count(), 2, "{provider} {fault}: {lost:?}");
            if fault == "500-before" {
                break;
            }
            let all = walk.try_order(&again).expect("it can be called");
            assert_eq!(all.len(), 3, "{provider} {fault}: {all:?}");
            assert_eq!(walk.effects("buy") - before, 3, "{provider} {fault}");
        }
    }
}

#[test]
fn a_withdrawal_of_many_programs_is_sent_once() {
    let walk = ApiWalk::start_reviewing("twilio", "approve", "2d");
    accepted(walk.submit(&walk.draft(&walk.buy())));
    let id = walk.history()[0].id.clone();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            let (sandbox, store, id) = (Arc::clone(&walk.sandbox), walk.location().clone(), &id);
            scope.spawn(move || {
                let url = sandbox.url();
                let own = ApiWalk::sharing("twilio", sandbox, &url, store, Duration::from_secs(3));
                let found = own.with(|session| session.cancel_target(id));
                if let Ok(target) = found.expect("it can be called") {
                    own.with(|session| session.cancel(&target)).expect("it can be called");
                }
            });
        }
    });
    assert_eq!(walk.calls("delete"), 1);
    assert_eq!(walk.history()[0].status, "DELETED");
}

#[test]
fn of_many_programs_one_updates_an_open_submission() {
    for (provider, walk) in [
        ("twilio", ApiWalk::start_reviewing("twilio", "approve", "2d")),
        ("plivo", ApiWalk::start("plivo", "reject 30513, then approve")),
    ] {
        // Few rounds meet the moment between the look for earlier updates and the beginning of one.
        for round in 1..=10 {
            let sent = accepted(walk.submit(&walk.draft(&walk.buy())));
            walk.statuses();
            let id = sent.id.expect("the answer has it");
            std::thread::scope(|scope| {
                for at in 0..6 {
                    let (sandbox, store, id) = (Arc::clone(&walk.sandbox), walk.location().clone(), &id);
                    scope.spawn(move || {
                        std::thread::sleep(Duration::from_millis(at * round * 3));
                        let url = sandbox.url();
                        let own = ApiWalk::sharing(provider, sandbox, &url, store, Duration::from_secs(3));
                        let found = own.with(|session| session.update_target(Some(id), None));
                        if let Ok(target) = found.expect("it can be called") {
                            own.update(&target);
                        }
                    });
                }
            });
            let updates = usize::try_from(round).expect("it fits");
            assert_eq!(walk.effects("update"), updates, "{provider}: {:?}", walk.ledger("update"));
        }
    }
}

#[test]
fn a_submission_that_was_deleted_elsewhere_is_not_called_submitted() {
    let walk = ApiWalk::start_reviewing("twilio", "approve", "2d").with_timeout(Duration::from_millis(300));
    let draft = walk.draft(&walk.buy());
    accepted(walk.submit(&draft));
    let id = walk.history()[0].id.clone();
    let other = walk.with_new_history();
    other.with(|session| session.import(&mut |_| {})).expect("it can be called");
    let Ok(target) = other.with(|session| session.cancel_target(&id)).expect("it can be called") else {
        panic!("it is there")
    };
    accepted(other.with(|session| session.cancel(&target)).expect("it can be called"));
    std::thread::sleep(Duration::from_secs(1));
    let again = walk.submit(&draft);
    assert!(matches!(&again, CallOutcome::Gone { id: gone, .. } if *gone == id), "{again:?}");
    assert!(walk.with(|session| session.note_gone(&id)).expect("it can be noted"));
    accepted(walk.submit(&draft));
}

#[test]
fn an_update_of_a_submission_that_was_withdrawn_meanwhile_ends() {
    let walk = ApiWalk::start("aws", "reject 30513, then approve").with_timeout(Duration::from_millis(300));
    accepted(walk.submit(&walk.draft(&walk.buy())));
    walk.statuses();
    let id = walk.history()[0].id.clone();
    let Ok(target) = walk.with(|session| session.update_target(Some(&id), None)).expect("it can be called")
    else {
        panic!("it is there")
    };
    walk.fault("500-before", "submit");
    let lost = walk.update(&target);
    assert!(matches!(lost, CallOutcome::Unknown { .. }), "{lost:?}");
    let other = walk.with_new_history();
    other.with(|session| session.import(&mut |_| {})).expect("it can be called");
    let Ok(target) = other.with(|session| session.cancel_target(&id)).expect("it can be called") else {
        panic!("it is there")
    };
    accepted(other.with(|session| session.cancel(&target)).expect("it can be called"));
    let settle = || {
        let open = walk.with(|session| session.open_attempts()).expect("it can be read");
        open.iter()
            .map(|attempt| walk.with(|session| session.settle_attempt(attempt)).expect("it can be called"))
            .collect::<Vec<_>>()
    };
    let mut outcomes = Vec::new();
    for _ in 0..4 {
        outcomes.extend(settle());
        std::thread::sleep(Duration::from_secs(1));
    }
    assert!(
        matches!(outcomes.last(), Some(CallOutcome::Gone { id: gone, .. }) if *gone == id),
        "{outcomes:?}"
    );
    let open = walk.with(|session| session.open_attempts()).expect("it can be read");
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn senders_are_listed_and_shown() {
    let walk = ApiWalk::start("bird", "approve");
    walk.buy();
    for (kind, name) in [
        (SenderKind::Alphanumeric, "SANDBOX"),
        (SenderKind::LongCode, "+18335550000"),
        (SenderKind::ShortCode, "555000"),
    ] {
        let Ok(listed) = walk.api.senders(kind).expect("it can be called") else {
            panic!("the list is there")
        };
        assert_eq!(listed[0].name.as_deref(), Some(name), "{kind:?}");
        let id = listed[0].id.clone().expect("a sender has an id");
        let Ok(shown) = walk.api.sender(kind, &id).expect("it can be called") else {
            panic!("the sender is there")
        };
        assert_eq!(shown, listed[..1], "{kind:?}");
    }
    assert!(ApiWalk::start("telnyx", "approve").api.senders(SenderKind::LongCode).is_err());
}

#[test]
fn a_withdrawn_submission_frees_its_number() {
    for provider in PROVIDERS.into_iter().filter(|it| *it != "bird") {
        let walk = ApiWalk::start(provider, "reject 30513, then approve");
        let draft = walk.draft(&walk.buy());
        accepted(walk.submit(&draft));
        walk.statuses();
        // Rejected as it is: it is not sent again unless it is asked for.
        let again = walk.submit(&draft);
        let is_asked =
            matches!(&again, CallOutcome::Accepted(it) if it.status.as_deref() == Some("UPDATE_REQUIRED"));
        assert!(is_asked || matches!(again, CallOutcome::RejectedEarlier { .. }), "{provider}: {again:?}");
        let id = walk.history()[0].id.clone();
        let found = walk.with(|session| session.cancel_target(&id));
        let Ok(target) = found.expect("it can be called") else {
            panic!("{provider}: the submission is there")
        };
        accepted(walk.with(|session| session.cancel(&target)).expect("it can be called"));
        assert!(!walk.history()[0].is_open, "{provider}: {:?}", walk.history());
        let sent = walk.submit(&draft);
        let number_is_gone = matches!(sent, CallOutcome::Refused(_) | CallOutcome::NotFinished { .. });
        assert!(number_is_gone || accepted(sent).by == AcceptedBy::Answer, "{provider}");
    }
}
