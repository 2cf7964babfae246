//! Attacks that a storm has found, one by one.

use serde_json::{Value, json};
use tollproof_history::{AttemptState, Location};
use tollproof_online::{AcceptedBy, CallOutcome, UpdateTarget};

use crate::walk::{ApiWalk, accepted, control};

/// A draft with another text.
fn with_other_text(mut draft: Value) -> Value {
    let fields = draft.as_object_mut().expect("it is an object");
    let name =
        |field: &&String| field.to_ascii_lowercase().contains("summary") || field.ends_with("useCaseDetails");
    let name = fields.keys().find(name).cloned().expect("each has a summary");
    let text = fields[&name].as_str().expect("it is text").to_owned();
    fields.insert(name, json!(format!("{text} We send nothing else.")));
    draft
}

fn target(walk: &ApiWalk, id: &str) -> Box<UpdateTarget> {
    let found = walk.with(|session| session.update_target(Some(id), None)).expect("it can be called");
    match found {
        Ok(target) => target,
        Err(outcome) => panic!("{outcome:?}"),
    }
}

#[test]
fn what_another_program_imported_meanwhile_is_adopted() {
    for provider in ["bird", "twilio", "telnyx", "infobip", "plivo"] {
        let walk = ApiWalk::start(provider, "reject 30513");
        let draft = walk.draft(&walk.buy());
        walk.fault("lost-answer", "submit");
        let lost = walk.submit(&draft);
        assert!(matches!(lost, CallOutcome::Unknown { .. }), "{provider}: {lost:?}");
        // It is rejected when it is imported, so that it is neither new nor open any more.
        walk.with(|session| session.import(&mut |_| {})).expect("it can be called");
        assert_eq!(walk.history().len(), 1, "{provider}");
        let found = accepted(walk.submit_waiting(&draft));
        assert_eq!(found.by, AcceptedBy::Look, "{provider}: {found:?}");
        assert_eq!(walk.effects("submit"), 1, "{provider}");
    }
}

#[test]
fn an_update_that_another_program_read_meanwhile_is_adopted() {
    for provider in ["bird", "twilio", "telnyx", "plivo"] {
        let walk = ApiWalk::start(provider, "reject 30513, then approve");
        accepted(walk.submit(&walk.draft(&walk.buy())));
        let id = walk.history()[0].id.clone();
        let target = target(&walk, &id);
        walk.fault("lost-answer", "update");
        let lost = walk.update(&target);
        assert!(matches!(lost, CallOutcome::Unknown { .. }), "{provider}: {lost:?}");
        walk.statuses();
        let found = accepted(walk.update(&target));
        assert_eq!(found.by, AcceptedBy::Look, "{provider}: {found:?}");
        assert_eq!(walk.effects("update"), 1, "{provider}");
    }
}

#[test]
fn an_attempt_that_was_read_before_it_was_sent_is_read_again() {
    let walk = ApiWalk::start("plivo", "reject 30513, then approve");
    walk.fault("lost-answer", "buy");
    let lost = walk.try_buy();
    assert!(matches!(lost, CallOutcome::Unknown { .. }), "{lost:?}");
    let stale = |session: &mut tollproof_online::CallSession<'_>| {
        let mut open = session.open_attempts()?.remove(0);
        (open.state, open.until) = (AttemptState::Prepared, open.created_at);
        session.settle_attempt(&open)
    };
    let settled = walk.with(stale).expect("it can be called");
    let number = accepted(settled).number;
    accepted(walk.submit(&walk.draft(&number)));
    walk.statuses();
    walk.fault("lost-answer", "update");
    let target = target(&walk, &walk.history()[0].id.clone());
    walk.update(&target);
    let settled = walk.with(stale).expect("it can be called");
    assert_eq!(accepted(settled).by, AcceptedBy::Look);
}

#[test]
fn an_earlier_submission_with_the_same_reference_is_not_taken_for_a_lost_one() {
    let walk = ApiWalk::start("infobip", "reject 30513");
    let number = walk.buy();
    let mut draft = walk.draft(&number);
    accepted(walk.submit(&draft));
    walk.statuses();
    draft["referenceId"] = json!("another");
    let draft = with_other_text(draft);
    walk.fault("500-before", "submit");
    let lost = walk.submit(&draft);
    assert!(matches!(lost, CallOutcome::Unknown { .. }), "{lost:?}");
    let sent = accepted(walk.submit_waiting(&draft));
    assert_eq!((sent.by, walk.effects("submit")), (AcceptedBy::Answer, 2), "{sent:?}");
}

#[test]
fn a_purchase_whose_repeat_is_refused_stays_unknown_until_its_token_settles_it() {
    for second in ["429", "500-before"] {
        let walk = ApiWalk::start("aws", "approve");
        walk.fault("lost-answer", "buy");
        for _ in 0..2 {
            walk.fault(second, "buy");
        }
        let lost = walk.try_buy();
        assert!(matches!(lost, CallOutcome::Unknown { .. }), "{second}: {lost:?}");
        let token_settles = std::iter::repeat_with(|| {
            std::thread::sleep(std::time::Duration::from_millis(500));
            walk.try_buy()
        });
        let bought = token_settles.take(20).find(|outcome| matches!(outcome, CallOutcome::Accepted(_)));
        let number = accepted(bought.expect("the lease ends")).number;
        match walk.api.own_numbers().expect("it can be called") {
            Ok(owned) => {
                assert_eq!((owned.len(), &owned[0].number), (1, &number), "{second}: {owned:?}");
            }
            Err(outcome) => panic!("{outcome:?}"),
        }
    }
}

#[test]
fn another_draft_takes_the_place_of_one_that_was_begun() {
    for (provider, operation) in [("infobip", "submit"), ("aws", "put field")] {
        let walk = ApiWalk::start_reviewing(provider, "approve", "2d");
        let number = walk.buy();
        // As often as a request is tried.
        for _ in 0..3 {
            walk.fault("429", operation);
        }
        let limited = walk.submit(&walk.draft(&number));
        assert!(matches!(limited, CallOutcome::Limited { .. }), "{provider}: {limited:?}");
        let sent = accepted(walk.submit_waiting(&with_other_text(walk.draft(&number))));
        assert_eq!(sent.by, AcceptedBy::Answer, "{provider}");
        let filings = control::submissions(&walk.sandbox);
        let states: Vec<&Value> = filings.iter().map(|it| &it["state"]).collect();
        assert_eq!(states, ["open"], "{provider}");
    }
}

#[test]
fn a_withdrawal_whose_answer_was_lost_is_noted_by_the_next_one() {
    for provider in ["twilio", "bandwidth", "plivo", "aws"] {
        let walk = ApiWalk::start(provider, "reject 30513");
        accepted(walk.submit(&walk.draft(&walk.buy())));
        walk.statuses();
        let id = walk.history()[0].id.clone();
        let target = target(&walk, &id);
        walk.fault("lost-answer", "delete");
        let lost = walk.with(|session| session.cancel(&target)).expect("it can be called");
        assert!(matches!(lost, CallOutcome::Unknown { .. }), "{provider}: {lost:?}");
        let again = accepted(walk.with(|session| session.cancel(&target)).expect("it can be called"));
        assert_eq!(again.by, AcceptedBy::Look, "{provider}");
        assert_eq!(walk.history()[0].status, "DELETED", "{provider}");
    }
}

#[test]
fn while_a_rejected_submission_is_updated_its_number_is_not_submitted() {
    let walk = ApiWalk::start("telnyx", "reject 30513");
    let number = walk.buy();
    accepted(walk.submit(&walk.draft(&number)));
    walk.statuses();
    let id = walk.history()[0].id.clone();
    let target = target(&walk, &id);
    walk.fault("500-before", "update");
    let lost = walk.update(&target);
    assert!(matches!(lost, CallOutcome::Unknown { .. }), "{lost:?}");
    let second = walk.submit(&with_other_text(walk.draft(&number)));
    assert!(matches!(second, CallOutcome::RefusedByGate { .. }), "{second:?}");
    assert_eq!(walk.calls("submit"), 1);
}

#[test]
fn a_history_that_cannot_be_written_after_the_answer_hides_nothing() {
    for provider in ["telnyx", "twilio", "infobip", "aws"] {
        let walk = ApiWalk::start_reviewing(provider, "approve", "2d");
        let number = walk.buy();
        let draft = walk.draft(&number);
        let Location::Sqlite(path) = walk.location() else { panic!("it is a file") };
        let store = rusqlite::Connection::open(path).expect("it is there");
        let full = "CREATE TRIGGER is_full BEFORE UPDATE ON attempt WHEN NEW.state = 'accepted'
            BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END";
        store.execute_batch(full).expect("it can be written");
        let error = walk.try_submit(&draft, false).expect_err("the history is full");
        let filed = control::submissions(&walk.sandbox);
        let id = filed[0]["id"].as_str().expect("it has one");
        assert!(error.contains(id) && error.contains("is full"), "{provider}: {error}");
        assert!(error.contains("run the same command again"), "{provider}: {error}");
        store.execute_batch("DROP TRIGGER is_full").expect("it can be written");
        let found = accepted(walk.submit(&draft));
        assert_eq!((found.by, found.id.as_deref()), (AcceptedBy::Look, Some(id)), "{provider}");
        assert_eq!((walk.effects("submit"), walk.history().len()), (1, 1), "{provider}");
    }
}
