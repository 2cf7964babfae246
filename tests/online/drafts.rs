//! Many drafts: all are checked first, and each is sent as its own.

use std::fs;

use serde_json::Value;

use super::{Desk, clean};

#[test]
fn a_draft_that_the_gate_refuses_is_reported_and_the_others_are_sent() {
    let desk = Desk::new("many", "approve");
    let numbers: Vec<String> = (0..3).map(|_| desk.buy("telnyx")).collect();
    let mut weak = clean("telnyx", &numbers[1]);
    weak["useCase"] = Value::from("Everything");
    desk.draft("telnyx", &numbers[0], "drafts/a.json");
    desk.write("drafts/b.json", &weak);
    desk.draft("telnyx", &numbers[2], "drafts/c.json");
    fs::write(desk.folder.0.join("drafts/notes.json"), "{\"note\": 1}").expect("writable");
    let sent = desk.with_history(&["submit", "drafts", "--yes"]);
    assert_eq!(sent.code, Some(1), "{sent:?}");
    assert!(sent.out.starts_with("submitted (2)\n  drafts/a.json  "), "{sent:?}");
    assert!(sent.out.contains("refused by the gate, and not sent (1)\n  drafts/b.json  "), "{sent:?}");
    assert!(
        sent.err.contains("use-case/unknown-use-case") && sent.err.contains("drafts/b.json:"),
        "{sent:?}"
    );
    assert!(sent.err.contains("3 documents") && sent.err.contains("not the provider: 2 drafts"), "{sent:?}");
    assert_eq!(desk.effects("submit"), 2);

    // Stopped or not, the same command goes on.
    let (again, ran) = desk.json(&["submit", "drafts", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let results: Vec<&Value> =
        again["calls"].as_array().expect("a list").iter().map(|it| &it["result"]).collect();
    assert!(results[0] != "done" && results[1] == "refused-by-gate" && results[2] != "done", "{ran:?}");
    assert_eq!(desk.effects("submit"), 2);
}

#[test]
fn a_refused_draft_makes_no_call() {
    let desk = Desk::new("gate", "approve");
    let number = desk.buy("twilio");
    let mut draft = clean("twilio", &number);
    draft.as_object_mut().expect("it is an object").remove("BusinessName");
    desk.write("draft.json", &draft);
    let before = desk.requests();
    let refused = desk.with_history(&["submit", "draft.json", "--yes"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("structure/missing-field"), "{refused:?}");
    assert_eq!((desk.calls("submit"), desk.requests()), (0, before));
}

#[test]
fn each_draft_of_a_file_is_sent_on_its_own() {
    let desk = Desk::new("lines", "approve");
    let numbers: Vec<String> = (0..3).map(|_| desk.buy("telnyx")).collect();
    let lines: String = numbers.iter().map(|number| clean("telnyx", number).to_string() + "\n").collect();
    // The first number again: one of the two is a mistake.
    let doubled = format!("{lines}{}\n", clean("telnyx", &numbers[0]));
    fs::write(desk.folder.0.join("drafts.ndjson"), doubled).expect("writable");
    let (sent, ran) = desk.json(&["submit", "drafts.ndjson", "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let rows: Vec<(&str, &str)> = sent["calls"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| {
            (entry["file"].as_str().unwrap_or_default(), entry["result"].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("drafts.ndjson#1", "done"),
            ("drafts.ndjson#2", "done"),
            ("drafts.ndjson#3", "done"),
            ("drafts.ndjson#4", "refused-by-gate"),
        ]
    );
    assert_eq!(sent["calls"][3]["rules"][0], "history/duplicate-in-batch", "{ran:?}");
    assert_eq!(desk.effects("submit"), 3);
    assert!(!ran.out.contains("businessName") && !ran.out.contains("@"), "{ran:?}");
}

#[test]
fn standard_input_and_redaction_work_as_for_the_gate() {
    let desk = Desk::new("stdin", "approve");
    let number = desk.buy("twilio");
    let mut draft = clean("twilio", &number);
    draft["BusinessContactEmail"] = Value::from("ana.lopez@gmail");
    let sandbox = format!("--sandbox={}", desk.sandbox.url());
    let args = ["submit", "-", "--yes", "--redact", "--history", "sqlite:past.db", &sandbox];
    let refused = desk.folder.pipe(&args, &draft.to_string());
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("contact/malformed-email"), "{refused:?}");
    assert!(!refused.err.contains("ana.lopez"), "{refused:?}");
}

#[test]
fn what_is_no_submit_request_is_named() {
    let desk = Desk::new("kinds", "approve");
    fs::write(desk.folder.0.join("search.json"), r#"{"limit": 1, "country": "US", "type": "tollfree"}"#)
        .expect("writable");
    let ran = desk.with_history(&["submit", "search.json", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("not a draft that can be sent"), "{ran:?}");
    let ran = desk.with_history(&["submit", "nowhere.json", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("cannot open `nowhere.json`"), "{ran:?}");
    let ran = desk.run(&["submit", "search.json", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    desk.draft("telnyx", "+18335550123", "draft.json");
    let ran = desk.run(&["submit", "draft.json", "--yes"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("use `--history sqlite:history.db`, or `history:` in tollproof.yaml"),
        "{ran:?}"
    );
}

/// A number of AWS, and the sample of a draft for it in `draft.json`.
fn aws_draft(desk: &Desk) -> String {
    let draft = include_str!("../../schemas/aws/samples/submit-request.json");
    desk.write("draft.json", &serde_json::from_str(draft).expect("it is JSON"));
    desk.buy("aws")
}

#[test]
fn a_picture_that_cannot_be_read_leaves_no_registration() {
    let desk = Desk::new("no-picture", "approve");
    let number = aws_draft(&desk);
    let refused = desk.with_history(&["submit", "draft.json", "--number", &number, "--yes"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.out.contains("`messagingUseCase.optInImage`: no such file"), "{refused:?}");
    assert_eq!(desk.calls("create"), 0, "{refused:?}");
    let rehearsed = desk.with_history(&["submit", "draft.json", "--number", &number, "--dry-run"]);
    assert_eq!(rehearsed.code, Some(2), "{rehearsed:?}");
    assert!(rehearsed.err.contains("`messagingUseCase.optInImage`: no such file"), "{rehearsed:?}");
}

#[test]
fn a_refusal_names_the_registration_that_has_the_number() {
    let desk = Desk::new("has-number", "reject 30513");
    let number = aws_draft(&desk);
    let picture = desk.folder.0.join("class-booking-text-box.png");
    fs::write(picture, b"\x89PNG\r\n\x1a\npicture").expect("the folder is writable");
    let submit = ["submit", "draft.json", "--number", &number, "--yes"];
    assert_eq!(desk.with_history(&submit).code, Some(0));
    desk.with_history(&["status"]);
    let refused = desk.with_history(&[&submit[..], &["--again"]].concat());
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.err.contains("withdraw it: `tollproof cancel registration-"), "{refused:?}");
}
