//! The whole road: find, buy, submit, rejected with a reason, explain, update, verified.

use serde_json::Value;

use super::{Desk, PROVIDERS};

#[test]
fn a_number_is_found_bought_submitted_rejected_explained_updated_and_verified() {
    for provider in PROVIDERS {
        let desk = Desk::new(&format!("road-{provider}"), "reject 30513, then approve");
        let found = desk.run(&["number", "find", "--provider", provider, "--area", "833", "--limit", "3"]);
        assert_eq!(found.code, Some(0), "{provider}: {found:?}");
        let first = found.out.split_whitespace().next().expect("there are numbers").to_owned();
        assert!(first.starts_with("+1833") && found.out.lines().count() == 3, "{provider}: {found:?}");

        let bought = desk.with_history(&["number", "buy", &first, "--provider", provider, "--yes"]);
        assert_eq!(bought.code, Some(0), "{provider}: {bought:?}");
        assert!(
            bought.out.starts_with("bought (1)\n") && bought.out.contains(&first),
            "{provider}: {bought:?}"
        );
        assert!(bought.err.contains("in the sandbox (127.0.0.1:"), "{provider}: {bought:?}");
        // The number is the account's already, so it is not bought again.
        let again = desk.with_history(&["number", "buy", &first, "--provider", provider, "--yes"]);
        assert_eq!(desk.effects("buy"), 1, "{provider}: {again:?}");

        desk.draft(provider, &first, "draft.json");
        let submitted = desk.with_history(&["submit", "draft.json", "--yes"]);
        assert_eq!(submitted.code, Some(0), "{provider}: {submitted:?}");
        assert!(submitted.out.starts_with("submitted (1)\n  draft.json  "), "{provider}: {submitted:?}");
        let again = desk.with_history(&["submit", "draft.json", "--yes"]);
        // A review that has ended with a rejection is said; at Plivo it waits for an update.
        let titles = [
            "submitted earlier and rejected; the draft is the same (1)\n",
            "submitted earlier; not sent again (1)\n",
        ];
        assert!(titles.iter().any(|it| again.out.starts_with(it)), "{provider}: {again:?}");
        assert_eq!(again.code, Some(i32::from(again.out.starts_with(titles[0]))), "{provider}: {again:?}");
        assert_eq!(desk.effects("submit"), 1, "{provider}");

        let (status, ran) = desk.json(&["status", &first]);
        assert_eq!(ran.code, Some(0), "{provider}: {ran:?}");
        let outcome = status["submissions"][0]["outcome"].as_str().unwrap_or_default();
        assert!(["rejected", "answer-needed"].contains(&outcome), "{provider}: {status}");
        explains(&desk, provider);

        let updated = desk.with_history(&["update", "draft.json"]);
        assert_eq!(updated.code, Some(0), "{provider}: {updated:?}");
        assert!(updated.out.starts_with("updated (1)\n"), "{provider}: {updated:?}");
        let (status, ran) = desk.json(&["status", &first]);
        assert_eq!(status["submissions"][0]["outcome"], "verified", "{provider}: {ran:?}");

        // What is approved is changed or withdrawn only after a second yes that says so.
        let refused = desk.with_history(&["update", "draft.json", "--yes"]);
        assert!(refused.err.contains("use `--approved` to change it"), "{refused:?}");
        let refused = desk.with_history(&["update", "draft.json", "--approved"]);
        assert_eq!(refused.code, Some(2), "{provider}: {refused:?}");
        assert!(
            refused.err.contains("It is approved.") && refused.err.contains("nothing was sent"),
            "{refused:?}"
        );
        let refused = desk.with_history(&["cancel", &first, "--provider", provider, "--yes"]);
        assert_eq!(refused.code, Some(2), "{provider}: {refused:?}");
        let why = ["use `--approved`", "has no call to withdraw"];
        assert!(why.iter().any(|why| refused.err.contains(why)), "{provider}: {refused:?}");
    }
}

/// The record in the history is an answer that `explain` shows on the draft's lines.
fn explains(desk: &Desk, provider: &str) {
    let url = desk.sandbox.url();
    let exported = desk
        .command(&["history", "export", "--history", "sqlite:past.db", "--host", &url])
        .output()
        .expect("tollproof starts");
    let exported = String::from_utf8(exported.stdout).expect("it is UTF-8");
    let newest = exported.lines().last().unwrap_or_else(|| panic!("{provider}: the history is empty"));
    desk.write("record.json", &serde_json::from_str::<Value>(newest).expect("it is JSON"));
    let explained =
        desk.command(&["explain", "draft.json", "record.json"]).output().expect("tollproof starts");
    let text = String::from_utf8(explained.stdout).expect("it is UTF-8");
    assert_eq!(explained.status.code(), Some(1), "{provider}: {text}");
    assert!(text.contains("Opt-in not sufficient: language"), "{provider}: {text}");
}

#[test]
fn what_can_be_withdrawn_is_withdrawn_after_a_question() {
    for provider in ["twilio", "telnyx", "bandwidth", "plivo"] {
        let desk = Desk::new(&format!("cancel-{provider}"), "reject 30513");
        let number = desk.buy(provider);
        desk.draft(provider, &number, "draft.json");
        desk.with_history(&["submit", "draft.json", "--yes"]);
        desk.with_history(&["status", &number]);
        let asked = desk.with_history(&["cancel", &number, "--provider", provider]);
        assert_eq!(asked.code, Some(2), "{provider}: {asked:?}");
        assert!(asked.err.contains("The provider deletes the submission."), "{provider}: {asked:?}");
        let gone = desk.with_history(&["cancel", &number, "--provider", provider, "--yes"]);
        assert_eq!(gone.code, Some(0), "{provider}: {gone:?}");
        assert!(gone.out.starts_with("withdrawn (1)\n"), "{provider}: {gone:?}");
    }
}

#[test]
fn what_was_deleted_in_the_console_is_noted_by_a_person() {
    let desk = Desk::new("cancel-gone", "reject 30513");
    let number = desk.buy("twilio");
    desk.draft("twilio", &number, "draft.json");
    desk.with_history(&["submit", "draft.json", "--yes"]);
    let gone = ["cancel", &number, "--provider", "twilio", "--gone"];
    assert_eq!(desk.with_history(&gone).code, Some(2));
    let noted = desk.with_history(&[&gone[..], &["--yes"]].concat());
    assert_eq!(noted.code, Some(0), "{noted:?}");
    assert!(noted.err.contains("its number is free"), "{noted:?}");
    // It is still there, which a look shows.
    let (listed, _) = desk.json(&["status", &number]);
    assert_eq!(listed["submissions"][0]["before"], "DELETED", "{listed}");
    assert_eq!(listed["submissions"][0]["outcome"], "rejected", "{listed}");
}

#[test]
fn senders_of_other_kinds_are_listed() {
    let desk = Desk::new("senders", "approve");
    for kind in ["alphanumeric", "long-code", "short-code"] {
        let listed = desk.run(&["senders", "list", kind, "--provider", "bird"]);
        assert_eq!(listed.code, Some(0), "{kind}: {listed:?}");
    }
    let shown = desk.run(&["senders", "show", "short-code", "nothing", "--provider", "bird"]);
    assert_eq!(shown.code, Some(3), "{shown:?}");
    let none = desk.run(&["senders", "list", "short-code", "--provider", "plivo"]);
    assert_eq!(none.code, Some(2), "{none:?}");
    assert!(none.err.contains("has no call to list senders"), "{none:?}");
}
