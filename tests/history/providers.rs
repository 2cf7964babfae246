//! Records and numbers of every provider: statuses, windows, and the names of a number.

use std::path::Path;

use serde_json::{Value, json};

use super::stores::{Kept, each};
use crate::support::Folder;

const NOW: &str = "2026-11-21T08:00:00Z";
const E164: &str = "+18334726150";
const ID: &str = "PN4c0f7b2de91a4863b5fa70d82c16e93b";

/// A sample of a provider, with some fields replaced.
fn sample(provider: &str, kind: &str, fields: &[(&str, Value)]) -> Value {
    let path = format!("{}/schemas/{provider}/samples/{kind}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(Path::new(&path)).expect("the sample is there");
    let mut sample: Value = serde_json::from_str(&text).expect("the sample is JSON");
    for (field, value) in fields {
        sample[*field] = value.clone();
    }
    sample
}

fn record(provider: &str, fields: &[(&str, Value)]) -> Value {
    sample(provider, "verification-record", fields)
}

fn draft(provider: &str, fields: &[(&str, Value)]) -> Value {
    sample(provider, "submit-request", fields)
}

/// The findings of a check, with infos.
fn findings(folder: &Folder, args: &[&str]) -> String {
    let all =
        [&["check", "--output-format", "concise", "--min-severity", "info", "--now", NOW], args].concat();
    folder.run(&all).out
}

#[test]
fn a_status_means_what_it_means_at_its_provider() {
    let statuses = [
        (
            "twilio",
            "Status",
            &[
                ("PENDING_REVIEW", true),
                ("in-review", true),
                ("TWILIO_APPROVED", false),
                ("TWILIO_REJECTED", false),
            ][..],
        ),
        (
            "telnyx",
            "verificationStatus",
            &[
                ("Waiting For Telnyx", true),
                ("waiting for customer", true),
                ("Verified", false),
                ("Rejected", false),
            ],
        ),
        (
            "bandwidth",
            "status",
            &[("PENDING", true), ("VERIFIED", false), ("UNVERIFIED", false), ("TWILIO_REJECTED", true)],
        ),
        (
            "aws",
            "RegistrationVersionStatus",
            &[
                ("SUBMITTED", true),
                ("APPROVED", false),
                ("DENIED", false),
                ("DISCARDED", false),
                ("REJECTED", true),
            ],
        ),
        (
            "infobip",
            "stage",
            &[("IN_REVIEW", true), ("REGISTERED", false), ("REJECTED", false), ("ARCHIVED", false)],
        ),
        ("plivo", "status", &[("UPDATE_REQUIRED", true), ("APPROVED", false), ("REJECTED", false)]),
    ];
    for (provider, field, all) in statuses {
        let folder = Folder::new(&format!("status-{provider}"));
        for (status, is_open) in all {
            let record = record(provider, &[(field, json!(status))]);
            std::fs::write(folder.0.join("record.json"), record.to_string()).expect("writable");
            let ran = folder.run(&["history", "list", "--history", "record.json", "--output-format", "json"]);
            let listed: Value =
                serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{provider}: {ran:?}"));
            assert_eq!(listed[0]["open"], json!(is_open), "{provider} {status}: {ran:?}");
            assert_eq!(listed[0]["number"].is_null(), provider == "aws", "{provider}: {ran:?}");
        }
    }
}

#[test]
fn the_time_to_answer_is_that_of_the_provider() {
    let folder = Folder::new("windows");
    let write = |name: &str, value: &Value| {
        std::fs::write(folder.0.join(name), value.to_string()).expect("writable");
    };
    let check = |provider: &str, fields: &[(&str, Value)]| {
        write("update.json", &sample(provider, "update-request", &[]));
        write("record.json", &record(provider, fields));
        let kind = ["--kind", "update-request", "--provider", provider];
        findings(&folder, &[&["update.json", "--record", "record.json"][..], &kind].concat())
    };
    // The time in the record counts, never the days since its last change.
    let rejected = |until: &str| {
        check(
            "twilio",
            &[
                ("Status", json!("TWILIO_REJECTED")),
                ("EditAllowed", json!(true)),
                ("EditExpiration", json!(until)),
                ("DateUpdated", json!("2026-11-01T08:00:00Z")),
            ],
        )
    };
    let out = rejected("2026-11-23T08:00:01Z");
    assert!(out.contains("info[history/resubmission-due] 2 days are left to answer the reviewers: the record says that it ends at 2026-11-23T08:00:01Z"), "{out}");
    let out = rejected("2026-11-20T08:00:00+00:00");
    assert!(out.contains("error[history/resubmission-deadline] the time to answer the reviewers is over: the record says that it ended 1 day ago"), "{out}");
    let out = check("twilio", &[("Status", json!("TWILIO_REJECTED")), ("EditAllowed", json!(false))]);
    assert!(
        out.contains("error[history/resubmission-not-allowed]") && out.contains("`EditAllowed: false`"),
        "{out}"
    );
    // Days of the provider.
    let asked = |provider: &str, field: &str, status: &str, updated: &str, time: &str| {
        check(provider, &[(field, json!(status)), (updated, json!(time))])
    };
    let out = asked("plivo", "status", "UPDATE_REQUIRED", "last_modified", "2026-11-15T07:00:00Z");
    assert!(
        out.contains("warning[history/resubmission-deadline] the 6 days to answer the reviewers are over"),
        "{out}"
    );
    let out = asked(
        "telnyx",
        "verificationStatus",
        "Waiting For Customer",
        "updatedAt",
        "2026-11-15T07:00:00.000Z",
    );
    assert!(out.contains("info[history/resubmission-due] less than a day is left"), "{out}");
    let out = asked("telnyx", "verificationStatus", "In Progress", "updatedAt", "2026-11-01T07:00:00.000Z");
    assert!(!out.contains("history/"), "{out}");
    let resubmit = |allowed: bool| {
        check(
            "bandwidth",
            &[
                ("status", json!("UNVERIFIED")),
                ("resubmitAllowed", json!(allowed)),
                ("modifiedDateTime", json!("2026-11-12T08:00:00Z")),
            ],
        )
    };
    let out = resubmit(true);
    assert!(
        out.contains("warning[history/resubmission-deadline] the 7 days to answer the reviewers are over"),
        "{out}"
    );
    let out = resubmit(false);
    assert!(
        out.contains("error[history/resubmission-not-allowed]") && out.contains("`resubmitAllowed: false`"),
        "{out}"
    );
}

#[test]
fn a_record_that_waits_for_an_answer_is_a_warning() {
    let folder = Folder::new("due-soon");
    let check = |provider: &str, fields: &[(&str, Value)]| {
        let text = record(provider, fields).to_string();
        std::fs::write(folder.0.join("record.json"), text).expect("writable");
        findings(&folder, &["record.json"])
    };
    let waiting = ("verificationStatus", json!("Waiting For Customer"));
    let out = check("telnyx", &[waiting.clone(), ("updatedAt", json!("2026-11-19T08:00:00.000Z"))]);
    assert!(out.contains("warning[history/resubmission-due] the reviewers are waiting for an answer (`Waiting For Customer`): 4 days are left, and this is an estimate, because the record was last changed 2 days ago"), "{out}");
    let out = check("telnyx", &[waiting, ("updatedAt", json!("2026-11-09T08:00:00.000Z"))]);
    assert!(
        out.contains("warning[history/resubmission-deadline] the 7 days to answer the reviewers are over"),
        "{out}"
    );
    let out = check("telnyx", &[]);
    assert!(!out.contains("history/"), "{out}");
    let updates = json!({"RegistrationId": "registration-5c0e7b21d94f4a368e17b0a2f6d3c985", "RegistrationStatus": "REQUIRES_UPDATES"});
    std::fs::write(folder.0.join("record.json"), updates.to_string()).expect("writable");
    let out = findings(&folder, &["record.json"]);
    assert!(
        out.contains(
            "warning[history/resubmission-due] the reviewers are waiting for an answer (`REQUIRES_UPDATES`)"
        ),
        "{out}"
    );
    let out = check(
        "twilio",
        &[
            ("Status", json!("TWILIO_REJECTED")),
            ("EditAllowed", json!(true)),
            ("EditExpiration", json!("2026-11-22T08:00:01Z")),
        ],
    );
    assert!(out.contains("warning[history/resubmission-due] the reviewers are waiting for an answer (`TWILIO_REJECTED`): 1 day is left"), "{out}");
}

fn ask(kept: &Kept, name: &str, draft: &Value, more: &[&str]) -> (Option<i32>, String) {
    kept.file(name, draft.to_string());
    let ran = kept.run(&[&["gate", name, "--now", NOW, "--output-format", "concise"], more].concat());
    assert_eq!(ran.out.is_empty(), ran.code != Some(0), "{ran:?}");
    (ran.code, ran.err)
}

#[test]
fn a_number_is_reserved_once_for_all_providers() {
    each("gate-e164", |kept| {
        let telnyx = draft(
            "telnyx",
            &[("phoneNumbers", json!([{"phoneNumber": E164}, {"phoneNumber": "+18334726151"}]))],
        );
        let (code, err) = ask(kept, "telnyx.json", &telnyx, &[]);
        assert_eq!(code, Some(0), "{err}");
        assert!(err.contains(&format!("go: {E164}, +18334726151 are reserved until")), "{err}");
        let bandwidth = draft("bandwidth", &[("phoneNumbers", json!([E164]))]);
        let (code, err) = ask(kept, "bandwidth.json", &bandwidth, &[]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("error[history/reserved-number]"), "{err}");
        assert!(kept.well(&["history", "show", "833-472-6150"]).contains("reserved until"));
        // Both numbers of the draft are free again.
        assert_eq!(kept.run(&["gate", "release", "(833) 472-6151"]).code, Some(0));
        assert_eq!(ask(kept, "bandwidth.json", &bandwidth, &[]).0, Some(0));
        let answer = record("bandwidth", &[("phoneNumber", json!(E164))]);
        kept.file("record.json", answer.to_string());
        let ran = kept.run(&["gate", "confirm", "record.json"]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
        let (code, err) = ask(kept, "telnyx.json", &telnyx, &[]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("error[history/duplicate-submission]") && err.contains("`PENDING`"), "{err}");
        let denied = [
            ("phoneNumber", json!(E164)),
            ("status", json!("UNVERIFIED")),
            ("modifiedDateTime", json!("2026-11-20T08:00:00Z")),
        ];
        kept.file("record.json", record("bandwidth", &denied).to_string());
        kept.well(&["history", "import", "record.json"]);
        assert_eq!(ask(kept, "telnyx.json", &telnyx, &[]).0, Some(0));
    });
}

#[test]
fn an_id_and_a_number_in_one_record_are_joined() {
    each("gate-joined", |kept| {
        let by_id = draft("twilio", &[("TollfreePhoneNumberSid", json!(ID))]);
        let by_number = draft("bandwidth", &[("phoneNumbers", json!([E164]))]);
        // Without a record, the two are different numbers.
        assert_eq!(ask(kept, "a.json", &by_id, &[]).0, Some(0));
        assert_eq!(ask(kept, "b.json", &by_number, &[]).0, Some(0));
        for name in [ID, E164] {
            assert_eq!(kept.run(&["gate", "release", name]).code, Some(0));
        }
        let rejected = [
            ("TollfreePhoneNumberSid", json!(ID)),
            ("TollfreePhoneNumber", json!(E164)),
            ("Status", json!("TWILIO_REJECTED")),
        ];
        kept.file("record.json", record("twilio", &rejected).to_string());
        kept.well(&["history", "import", "record.json"]);
        assert_eq!(ask(kept, "a.json", &by_id, &[]).0, Some(0));
        let (code, err) = ask(kept, "b.json", &by_number, &[]);
        assert_eq!((code, err.contains("error[history/reserved-number]")), (Some(1), true), "{err}");
        // The answer of either provider ends it, and then the submission is open for both names.
        let sent =
            [("Sid", json!("HH00000000000000000000000000000001")), rejected[0].clone(), rejected[1].clone()];
        kept.file("record.json", record("twilio", &sent).to_string());
        let ran = kept.run(&["gate", "confirm", "record.json"]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
        for (name, draft) in [("a.json", &by_id), ("b.json", &by_number)] {
            let (code, err) = ask(kept, name, draft, &[]);
            let is_told = ["already-submitted", "duplicate-submission"].iter().any(|it| err.contains(it));
            assert_eq!((code, is_told), (Some(1), true), "{err}");
        }
        let shown = kept.well(&["history", "show", &ID.to_lowercase()]);
        assert_eq!(shown.matches("submission HH").count(), 2, "{shown}");
        assert_eq!(
            kept.well(&["history", "show", E164]).lines().skip(1).collect::<Vec<_>>(),
            shown.lines().skip(1).collect::<Vec<_>>()
        );
    });
}

#[test]
fn a_draft_without_its_number_needs_it_by_name() {
    each("gate-numberless", |kept| {
        let aws = draft("aws", &[]);
        let (code, err) = ask(kept, "aws.json", &aws, &[]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("does not contain its number") && err.contains("`--number`"), "{err}");
        let (code, err) = ask(kept, "aws.json", &aws, &["--number", "acme"]);
        assert_eq!((code, err.contains("needs a toll-free number")), (Some(2), true), "{err}");
        let telnyx = draft("telnyx", &[]);
        assert_eq!(ask(kept, "telnyx.json", &telnyx, &["--number", E164]).0, Some(2));
        let (code, err) = ask(kept, "aws.json", &aws, &["--number", "833-472-6150"]);
        assert_eq!((code, err.contains(&format!("go: {E164} is reserved until"))), (Some(0), true), "{err}");
        let (code, err) = ask(kept, "aws.json", &aws, &["--number", E164]);
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains("refused: the number is reserved for a submission until"), "{err}");
        kept.file("record.json", record("aws", &[]).to_string());
        let ran = kept.run(&["gate", "confirm", "record.json", "--number", E164]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
        let (code, err) = ask(kept, "aws.json", &aws, &["--number", E164]);
        assert_eq!(code, Some(1), "{err}");
        assert!(
            err.contains("refused: the number has a submission that is still open: `REVIEWING`"),
            "{err}"
        );
        let bandwidth = draft("bandwidth", &[("phoneNumbers", json!([E164]))]);
        let (code, err) = ask(kept, "bandwidth.json", &bandwidth, &[]);
        assert_eq!((code, err.contains("error[history/duplicate-submission]")), (Some(1), true), "{err}");
    });
}

#[test]
fn two_drafts_of_one_number_are_found_in_any_spelling() {
    let folder = Folder::new("batch-e164");
    let telnyx = draft("telnyx", &[("phoneNumbers", json!([{"phoneNumber": "833-472-6150"}]))]);
    std::fs::write(folder.0.join("a.json"), telnyx.to_string()).expect("writable");
    let bandwidth = draft("bandwidth", &[("phoneNumbers", json!([E164]))]);
    std::fs::write(folder.0.join("b.json"), bandwidth.to_string()).expect("writable");
    let out = findings(&folder, &["a.json", "b.json", "--select", "history"]);
    assert!(out.contains("b.json:") && out.contains("error[history/duplicate-in-batch]"), "{out}");
    let out = findings(&folder, &["b.json", "--select", "history"]);
    assert!(!out.contains("history/"), "{out}");
}
