//! Use of readings by `check`, `gate` and `submit`.

use super::*;

/// Words find a condition here that is not one.
const MISREAD: &str = "At https://www.quillbackkayak.com/book guests tick an empty box: \"Text me about my trip from Quillback \
                       Kayak Tours. Msg frequency varies. Msg & data rates may apply. Reply STOP to opt out, HELP for help.\" \
                       Guests who refuse texts cannot rent a kayak was the rule of the owner before us; it is gone.";
const RULE: &str = "opt-in/required-for-service";

/// A folder with the answer of somebody to a question about a draft, and harmless answers to the others.
fn read(name: &str, values: &Value, question: &str, answer: Value) -> Folder {
    let folder = Folder::new(name).file("draft.json", draft(values));
    let ran = run(&folder, &["read", "--export=-", "draft.json"]);
    let request: Value =
        serde_json::from_str(ran.out.lines().nth(1).expect("a request")).expect("it is JSON");
    let mut answers = harmless(&requested(&request));
    answers[question] = answer;
    let line = json!({ "id": request["id"], "reader": "a colleague", "model": "m", "answers": answers });
    let folder = folder.file("answers.ndjson", line.to_string());
    let ran = run(&folder, &["read", "--import=answers.ndjson", "--readings=mine.ndjson", "draft.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    folder
}

fn severity(report: &Value) -> Option<&str> {
    let findings = report["findings"].as_array().expect("a list");
    findings
        .iter()
        .find(|finding| finding["rule"] == RULE)
        .map(|finding| finding["severity"].as_str().expect("it has one"))
}

#[test]
fn a_denial_lowers_an_error_in_a_check_and_never_where_a_draft_is_sent() {
    let quote = "was the rule of the owner before us; it is gone";
    let denial = json!({ "answer": "yes", "quote": quote, "sure": true });
    let folder =
        read("read-misread", &json!({ "optInWorkflowDescription": MISREAD }), "consent-required", denial);
    let check = |more: &[&str]| {
        json(&run(&folder, &[&["check", "draft.json", "--output-format=json"], more].concat()))
    };
    assert_eq!(severity(&check(&[])), Some("error"), "words find it");
    let report = check(&["--readings=mine.ndjson"]);
    assert_eq!(severity(&report), Some("warning"));
    let summary = &report["summary"]["read"];
    assert_eq!((&summary["drafts"], &summary["unread"]), (&json!(1), &json!(0)), "{summary}");
    assert!(summary["takenBack"].as_u64().is_some_and(|it| it > 0), "{summary}");
    assert!(summary["oldest"].is_string() && summary["newest"].is_string(), "{summary}");
    let summary = &check(&[])["summary"]["read"];
    assert_eq!((&summary["drafts"], &summary["unread"]), (&json!(0), &json!(1)), "{summary}");

    let ran = run(&folder, &["gate", "draft.json", "--history=sqlite:past.db", "--readings=mine.ndjson"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(format!("{}{}", ran.out, ran.err).contains(RULE), "{ran:?}");
    let folder = folder.file("tollproof.yaml", "readings: mine.ndjson\n");
    for args in [
        &["gate", "draft.json", "--history=sqlite:past.db"][..],
        &["submit", "draft.json", "--dry-run"],
        &["submit", "draft.json", "--yes", "--history=sqlite:past.db"],
    ] {
        let ran = run(&folder, args);
        assert_eq!(ran.code, Some(1), "{args:?}: {ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(RULE), "{args:?}: {ran:?}");
    }
}

#[test]
fn a_defect_is_told_with_its_reader_and_its_quote_is_redacted() {
    let text = "Ask Irene Castellano: guests who do not want texts may paddle elsewhere.";
    let defect = json!({ "answer": "no", "quote": text, "sure": true });
    let folder = read("read-defect", &json!({ "additionalInformation": text }), "consent-required", defect);
    let check =
        |more: &[&str]| run(&folder, &[&["check", "draft.json", "--readings=mine.ndjson"], more].concat());
    let report = json(&check(&["--output-format=json"]));
    assert_eq!(severity(&report), Some("error"));
    let findings = report["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|it| it["rule"] == RULE).expect("it is there");
    assert_eq!(finding["readBy"], json!("a colleague m"));
    assert!(finding["message"].as_str().is_some_and(|it| it.contains("paddle elsewhere")), "{finding}");
    let full = check(&[]);
    assert!(full.out.contains("read by a colleague m") && full.out.contains("Castellano"), "{full:?}");
    for format in crate::support::formats() {
        // A workbook is a file.
        if format == "xlsx" {
            continue;
        }
        let ran = check(&["--redact", "--output-format", format]);
        for secret in ["Irene", "Castellano"] {
            assert!(!ran.out.contains(secret) && !ran.err.contains(secret), "{format}: {ran:?}");
        }
    }
    let ran = run(&folder, &["gate", "draft.json", "--history=sqlite:past.db", "--readings=mine.ndjson"]);
    assert_eq!(ran.code, Some(1), "a reading refuses at the gate too: {ran:?}");
}

#[test]
fn a_forged_store_can_do_no_more_than_a_reader() {
    let quote = "was the rule of the owner before us; it is gone";
    let denial = json!({ "answer": "yes", "quote": quote, "sure": true });
    let folder =
        read("read-forged", &json!({ "optInWorkflowDescription": MISREAD }), "consent-required", denial);
    let text = fs::read_to_string(folder.0.join("mine.ndjson")).expect("it is there");
    let check = |text: String| {
        fs::write(folder.0.join("mine.ndjson"), text).expect("writable");
        json(&run(&folder, &["check", "draft.json", "--readings=mine.ndjson", "--output-format=json"]))
    };
    assert_eq!(severity(&check(text.clone())), Some("warning"));
    for (from, to) in [
        (quote, "people are free not to have texts"),
        (quote, "Quillback Kayak Tours: your harbor trip is on"),
        ("\"answer\":\"yes\",\"quote\"", "\"answer\":\"certainly\",\"quote\""),
        ("\"answer\":\"yes\",\"quote\"", "\"answer\":[\"yes\",\"yes\"],\"quote\""),
        ("\"answer\":\"yes\",\"quote\"", "\"answer\":[],\"quote\""),
        ("\"version\":1", "\"version\":7"),
    ] {
        let forged = text.replace(from, to);
        assert_ne!(forged, text, "{from}");
        assert_eq!(severity(&check(forged)), Some("error"), "{to}");
    }
    // Escapes in a name do not reach the terminal.
    let named = text.replace("\"reader\":\"a colleague\"", "\"reader\":\"\\u001b[31ma\\u202e\\u009b2J\"");
    let defect = named.replace("\"answer\":\"yes\",\"quote\"", "\"answer\":\"no\",\"quote\"");
    check(defect);
    for format in ["full", "concise", "json", "github", "junit"] {
        let ran = run(&folder, &["check", "draft.json", "--readings=mine.ndjson", "--output-format", format]);
        let shown = format!("{}{}", ran.out, ran.err);
        assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{format}: {shown}");
    }
}
