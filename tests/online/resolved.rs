//! Attempts of which a person says what became of them, after a look in the console.

use serde_json::Value;

use super::Desk;
use super::faults::wait_for;
use crate::support::Ran;

/// Submits a draft at Twilio with a fault after which its outcome is unknown, and returns the call.
fn submission_lost_by(desk: &Desk, fault: &str, draft: &str) -> Value {
    desk.fault("twilio", fault, "submit");
    let (lost, ran) = desk.json(&["submit", draft, "--yes", "--timeout", "1s"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    lost["calls"][0].clone()
}

fn token_of(call: &Value) -> &str {
    call["attempt"].as_str().unwrap_or_else(|| panic!("{call}"))
}

#[test]
fn a_person_cannot_say_that_half_a_submission_arrived() {
    let desk = Desk::new("half", "approve");
    let number = desk.buy("infobip");
    desk.draft("infobip", &number, "draft.json");
    let submit = ["submit", "draft.json", "--yes", "--timeout", "1s"];
    for _ in 0..3 {
        desk.fault("infobip", "429", "submit");
    }
    let (limited, ran) = desk.json(&submit);
    assert_eq!(limited["calls"][0]["result"], "rate-limited", "{ran:?}");
    let (attempts, _) = desk.json(&["attempts", "list"]);
    let half = attempts["attempts"][0]["token"].as_str().expect("it has a token");
    let noted = desk.with_history(&["attempts", "resolve", half, "--arrived", "HH0", "--yes"]);
    assert_eq!(noted.code, Some(2), "{noted:?}");
    assert!(noted.err.contains("is not finished: its last request was not sent from here"), "{noted:?}");
    let sent = desk.with_history(&submit);
    assert_eq!((sent.code, desk.effects("submit")), (Some(0), 1), "{sent:?}");
}

#[test]
fn a_submission_is_found_by_its_number_where_a_person_wrote_a_wrong_id() {
    let desk = Desk::new("wrong-id", "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let lost = submission_lost_by(&desk, "lost-answer", "draft.json");
    let token = token_of(&lost);
    let resolve = |id| desk.with_history(&["attempts", "resolve", token, "--arrived", id, "--yes"]);
    let empty = resolve(" ");
    assert_eq!(empty.code, Some(2), "{empty:?}");
    assert_eq!(resolve("HH0").code, Some(0));
    let status = desk.with_history(&["status", "--timeout", "1s"]);
    assert_eq!(status.code, Some(0), "{status:?}");
    let known = desk.with_history(&["submit", "draft.json", "--yes"]);
    assert!(known.out.starts_with("submitted earlier; not sent again (1)"), "{known:?}");
    assert!(!known.out.contains("HH0 "), "{known:?}");
}

#[test]
fn what_was_accepted_and_is_not_listed_is_said_and_a_person_ends_it() {
    for way in ["resolve", "gone"] {
        let desk = Desk::new(&format!("unlisted-{way}"), "approve");
        let number = desk.buy("twilio");
        desk.draft("twilio", &number, "draft.json");
        let lost = submission_lost_by(&desk, "500-before", "draft.json");
        let token = token_of(&lost);
        assert_eq!(
            desk.with_history(&["attempts", "resolve", token, "--arrived", "HH0", "--yes"]).code,
            Some(0)
        );
        let early = desk.with_history(&["status", "--timeout", "1s"]);
        assert!(early.out.contains("the provider does not list it yet"), "{early:?}");
        wait_for(&lost);
        let status = desk.with_history(&["status", "--timeout", "1s"]);
        assert_eq!(status.code, Some(5), "{status:?}");
        assert!(status.out.contains("free the number: `tollproof attempts resolve"), "{status:?}");
        let ended = match way {
            "gone" => desk.with_history(&["cancel", &number, "--gone", "--yes", "--provider", "twilio"]),
            _ => desk.with_history(&["attempts", "resolve", token, "--nothing-arrived", "--yes"]),
        };
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let sent = desk.with_history(&["submit", "draft.json", "--yes", "--timeout", "1s"]);
        assert!(sent.out.starts_with("submitted (1)"), "{sent:?}");
    }
}

#[test]
fn a_person_resolves_what_cannot_be_asked() {
    let desk = Desk::new("resolve", "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    desk.fault("twilio", "lost-answer", "submit");
    let (lost, ran) = desk.json(&["submit", "draft.json", "--yes"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    let token = lost["calls"][0]["attempt"].as_str().expect("it has a token").to_owned();
    let resolve = ["attempts", "resolve", token.get(..12).expect("it is longer")];
    let asked = desk.with_history(&[&resolve[..], &["--arrived", "HH0"]].concat());
    assert_eq!(asked.code, Some(2), "{asked:?}");
    assert!(asked.err.contains("confirmation is required, and there is no terminal"), "{asked:?}");
    let both = desk.with_history(&[&resolve[..], &["--arrived", "HH0", "--nothing-arrived"]].concat());
    assert_eq!(both.code, Some(2), "{both:?}");
    let early = desk.with_history(&[&resolve[..], &["--nothing-arrived", "--yes"]].concat());
    assert_eq!(early.code, Some(2), "{early:?}");
    assert!(early.err.contains("try again after "), "{early:?}");
    let noted = desk.with_history(&[&resolve[..], &["--arrived", "HH0", "--yes"]].concat());
    assert_eq!(noted.code, Some(0), "{noted:?}");
    let (attempts, _) = desk.json(&["attempts", "list"]);
    let state = |at: usize| attempts["attempts"][at]["state"].clone();
    assert_eq!(
        (state(0), attempts["attempts"][0]["id"].clone()),
        (Value::from("accepted"), Value::from("HH0"))
    );
    let reserved = ["gate", "list", "--history", "sqlite:past.db", "--host", &desk.sandbox.url()];
    let reserved = || Ran::new(desk.command(&reserved).output().expect("tollproof starts")).out;
    assert!(reserved().contains("reserved until its outcome is known"), "{}", reserved());
    let ended = desk.with_history(&[&resolve[..], &["--ended", "rejected", "--yes"]].concat());
    assert!(ended.code == Some(0) && ended.err.ends_with("ended: rejected.\nNoted.\n"), "{ended:?}");
    assert_eq!(reserved(), "No number is reserved.\n");
    let known = ["history", "list", "--history", "sqlite:past.db", "--host", &desk.sandbox.url()];
    let known = Ran::new(desk.command(&known).output().expect("tollproof starts"));
    assert!(known.out.contains("HH0") && known.out.contains("Rejected"), "{known:?}");
    let purchase = attempts["attempts"][1]["token"].as_str().expect("it was bought");
    let purchase = desk.with_history(&["attempts", "resolve", purchase, "--ended", "verified", "--yes"]);
    assert!(purchase.err.contains("purchases have no review"), "{purchase:?}");
    let unknown = desk.with_history(&["attempts", "resolve", "0123456789", "--nothing-arrived", "--yes"]);
    assert!(unknown.err.contains("the history contains no attempt"), "{unknown:?}");
}

#[test]
fn a_person_ends_an_order_of_which_the_rest_is_not_wanted() {
    let desk = Desk::new("ended-order", "approve");
    let buy = ["number", "buy", "--count", "3", "--provider", "twilio", "--yes"];
    desk.fault("twilio", "lost-answer", "buy");
    assert_eq!(desk.with_history(&buy).code, Some(6));
    let status = desk.with_history(&["status"]);
    let resolve = status.out.split('`').find(|text| text.starts_with("tollproof attempts resolve "));
    let resolve = resolve.unwrap_or_else(|| panic!("{status:?}"));
    let resolve: Vec<&str> = resolve.split(' ').skip(1).chain(["--yes"]).collect();
    let ended = desk.with_history(&resolve);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        ended.err.ends_with("not bought any more. Bought: 1\nNoted. What was bought stays.\n"),
        "{ended:?}"
    );
    let status = desk.with_history(&["status"]);
    assert_eq!((status.code, status.out.as_str()), (Some(0), ""), "{status:?}");
    let again = desk.with_history(&buy);
    assert!(again.out.starts_with("bought earlier; not sent again (1)\n"), "{again:?}");
    assert_eq!(desk.effects("buy"), 1);
}

#[test]
fn a_withdrawal_that_did_not_happen_is_sent_again() {
    let desk = Desk::reviewing_after("not-withdrawn", "approve", 2);
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let (sent, ran) = desk.json(&["submit", "draft.json", "--yes"]);
    let id = sent["calls"][0]["id"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    desk.fault("twilio", "500-before", "delete");
    let cancel = ["cancel", id, "--yes", "--provider", "twilio", "--timeout", "1s"];
    let (lost, _) = desk.json(&cancel);
    let token = token_of(&lost["calls"][0]);
    let noted = desk.with_history(&["attempts", "resolve", token, "--arrived", id, "--yes"]);
    assert_eq!(noted.code, Some(0), "{noted:?}");
    let again = desk.with_history(&cancel);
    assert!(again.code == Some(0) && again.out.starts_with("withdrawn (1)"), "{again:?}");
    let known = desk.with_history(&cancel);
    assert!(known.out.starts_with("withdrawn earlier; not sent again (1)"), "{known:?}");
    assert_eq!(desk.effects("delete"), 1);
}

#[test]
fn a_person_cannot_say_how_a_review_of_what_is_under_way_ended() {
    let desk = Desk::new("ended-early", "approve");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    let lost = submission_lost_by(&desk, "lost-answer", "draft.json");
    let token = token_of(&lost);
    let resolve = |more: &[&str]| {
        desk.with_history(&[&["attempts", "resolve", token, "--yes", "--ended", "rejected"], more].concat())
    };
    let ended = resolve(&[]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("is not known to have arrived, so it has no review"), "{ended:?}");
    let early = resolve(&["--arrived", "HH0"]);
    assert!(early.code == Some(2) && early.err.contains("try again after "), "{early:?}");
    let again = desk.with_history(&["submit", "draft.json", "--yes", "--again", "--timeout", "1s"]);
    assert_eq!((again.code, desk.effects("submit")), (Some(0), 1), "{again:?}");
}

#[test]
fn the_id_of_another_submission_is_not_that_of_an_attempt() {
    let desk = Desk::new("others-id", "approve");
    let (one, other) = (desk.buy("twilio"), desk.buy("twilio"));
    desk.draft("twilio", &one, "one.json");
    desk.draft("twilio", &other, "other.json");
    let (sent, ran) = desk.json(&["submit", "other.json", "--yes"]);
    let others = sent["calls"][0]["id"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    let lost = submission_lost_by(&desk, "500-before", "one.json");
    let token = token_of(&lost);
    let resolve = |id: &str| desk.with_history(&["attempts", "resolve", token, "--arrived", id, "--yes"]);
    let noted = resolve(others);
    assert_eq!(noted.code, Some(2), "{noted:?}");
    assert!(noted.err.contains("is the submission of another number, and not of"), "{noted:?}");
    let answer = resolve("{\"sid\": \"HH0\"}");
    assert!(answer.err.contains("this is not an id"), "{answer:?}");
    let (attempts, ran) = desk.json(&["attempts", "list"]);
    let own = attempts["attempts"][1]["token"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    let purchase = attempts["attempts"][2]["token"].as_str().unwrap_or_else(|| panic!("{ran:?}"));
    for token in [own, purchase] {
        let changed = desk.with_history(&["attempts", "resolve", token, "--arrived", "HH0", "--yes"]);
        assert!(changed.err.contains("is accepted already, with another id"), "{changed:?}");
    }
}

#[test]
fn a_wait_for_what_was_rejected_before_ends_with_that() {
    let desk = Desk::new("known-rejection", "reject 30513");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    assert_eq!(desk.with_history(&["submit", "draft.json", "--yes"]).code, Some(0));
    for _ in 0..2 {
        let waited = desk.with_history(&["status", &number, "--wait=2s"]);
        assert_eq!(waited.code, Some(3), "{waited:?}");
    }
}

#[test]
fn a_withdrawn_submission_is_said_to_be_withdrawn() {
    let desk = Desk::reviewing_after("withdrawn-status", "approve", 2);
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    assert_eq!(desk.with_history(&["submit", "draft.json", "--yes"]).code, Some(0));
    let cancelled = desk.with_history(&["cancel", &number, "--provider", "twilio", "--yes"]);
    assert_eq!(cancelled.code, Some(0), "{cancelled:?}");
    let status = desk.with_history(&["status", &number]);
    assert!(status.code == Some(0) && status.out.starts_with("withdrawn earlier"), "{status:?}");
    let unknown =
        desk.with_history(&["cancel", "HH00000000000000000000000000000000", "--provider", "twilio"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("neither has the history"), "{unknown:?}");
}

#[test]
fn a_number_that_an_unknown_purchase_reserves_is_said_to_be_reserved() {
    let desk = Desk::new("reserved-number", "approve");
    let buy = |provider| {
        let provider = ["--provider", provider, "--yes", "--timeout", "1s"];
        desk.json(&[&["number", "buy"], &provider[..]].concat())
    };
    desk.fault("bandwidth", "500-before", "buy");
    let (lost, ran) = buy("bandwidth");
    assert_eq!(lost["calls"][0]["result"], "unknown", "{ran:?}");
    assert_eq!(buy("twilio").0["calls"][0]["result"], "busy");
    wait_for(&lost["calls"][0]);
    let (reserved, ran) = buy("twilio");
    assert_eq!(ran.code, Some(5), "{ran:?}");
    let token =
        lost["calls"][0]["attempt"].as_str().and_then(|token| token.get(..12)).expect("it has a token");
    let reason = reserved["calls"][0]["reason"].as_str().unwrap_or_default();
    assert!(reason.contains(&format!("`tollproof attempts resolve {token}`")), "{ran:?}");
    let free = desk.with_history(&["attempts", "resolve", token, "--nothing-arrived", "--yes"]);
    assert_eq!(free.code, Some(0), "{free:?}");
    assert_eq!(buy("twilio").1.code, Some(0));
}
