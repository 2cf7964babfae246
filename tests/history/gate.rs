//! The gate: yes or no, and what is sent.

use serde_json::{Value, json};
use tollproof_core::{KindHint, KindRole, Linter, Parsed, Provider, Severity, Source};
use tollproof_history::{Access, Gate, GateOptions, HistorySet, Location, Verdict};

use super::stores::{Kept, NUMBER, draft, each, record};
use crate::support::Ran;

const NOW: &str = "2026-11-21T08:00:00Z";

fn ask(kept: &Kept, now: &str) -> Ran {
    kept.run(&["gate", "draft.json", "--now", now, "--ttl", "10m", "--output-format", "concise"])
}

#[test]
fn one_caller_at_a_time_may_send_a_number() {
    each("gate-life", |kept| {
        kept.file("draft.json", draft().to_string());
        let first = ask(kept, NOW);
        assert_eq!(first.code, Some(0), "{first:?}");
        let sent: Value = serde_json::from_str(&first.out).expect("the payload is JSON");
        assert_eq!(sent, draft());
        assert!(first.err.contains("is reserved until 2026-11-21T08:10:00Z (token "), "{first:?}");
        let token =
            first.err.rsplit_once("(token ").and_then(|(_, it)| it.split_once(')')).expect("it is told").0;
        let second = ask(kept, "2026-11-21T08:09:59Z");
        assert_eq!((second.code, second.out.as_str()), (Some(1), ""), "{second:?}");
        assert!(second.err.contains("error[history/reserved-number]"), "{second:?}");
        assert!(kept.well(&["history", "show", NUMBER]).contains("reserved until 2026-11-21T08:10:00Z"));
        // A reservation that nobody confirmed is over by itself.
        assert_eq!(ask(kept, "2026-11-21T08:10:00Z").code, Some(0));
        let ran = kept.run(&["gate", "release", NUMBER, "--token", token]);
        assert_eq!(ran.code, Some(1), "the number is another caller's now: {ran:?}");
        assert_eq!(kept.run(&["gate", "release", NUMBER]).code, Some(0));
        let ran = kept.run(&["gate", "release", NUMBER]);
        assert_eq!((ran.code, ran.err), (Some(0), format!("{NUMBER} was not reserved\n")));
        assert_eq!(ask(kept, NOW).code, Some(0));
        // The answer came, and the number is never free in between.
        let answer = record("a1", &NUMBER.to_uppercase(), "submitted", "2026-11-21T08:01:00.000Z");
        kept.file("answer.json", answer.to_string());
        let ran = kept.run(&["gate", "confirm", "answer.json"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), "confirmed: submission a1 is in the history\n"));
        let third = ask(kept, "2026-11-22T08:00:00Z");
        assert_eq!((third.code, third.out.as_str()), (Some(1), ""), "{third:?}");
        assert!(third.err.contains("error[history/duplicate-submission]"), "{third:?}");
        assert!(!kept.run(&["history", "show", NUMBER]).out.contains("reserved"));
        // Once it has ended, the number may be submitted again.
        let ended = record("a1", NUMBER, "Rejected", "2026-11-23T08:01:00.000Z");
        kept.file("answer.json", ended.to_string());
        kept.well(&["history", "import", "answer.json"]);
        assert_eq!(ask(kept, "2026-11-24T08:00:00Z").code, Some(0));
    });
}

#[test]
fn what_is_submitted_already_is_refused() {
    each("gate-same", |kept| {
        kept.file("draft.json", draft().to_string());
        let mut same = record("a1", NUMBER, "in review", "2026-11-20T08:01:00.000Z");
        same["verificationRequestData"] = draft();
        kept.file("records.json", same.to_string());
        kept.well(&["history", "import", "records.json"]);
        let ran = ask(kept, NOW);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
        assert!(ran.err.contains("error[history/already-submitted]"), "{ran:?}");
        // The record is shown where it lies in no file.
        let ran = kept.run(&["gate", "draft.json", "--now", NOW]);
        assert!(ran.err.contains("#a1:1:") && ran.err.contains("\"status\":\"in review\""), "{}", ran.err);
        assert!(!ran.err.contains("s3cret"));
        // A history of files beside the store counts as well.
        let other = Kept::sqlite("gate-same-files");
        other.file("draft.json", draft().to_string());
        other.file("records.json", same.to_string());
        let ran = other.run(&["gate", "draft.json", "--now", NOW, "--history", "records.json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
    });
}

#[test]
fn a_draft_with_an_error_reserves_nothing() {
    each("gate-error", |kept| {
        let mut faulty = draft();
        faulty["messageVolume"] = json!("1000");
        kept.file("draft.json", faulty.to_string());
        let ran = ask(kept, NOW);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
        assert!(!kept.run(&["history", "show", NUMBER]).out.contains("reserved"));
        for (text, code, words) in [
            (
                format!("[{0}, {0}]", draft()),
                2,
                "checks one draft at a time, but `draft.json` contains 2 documents",
            ),
            (r#"{"numbers": []}"#.to_owned(), 2, "but `draft.json` is a number purchase"),
            ("{".to_owned(), 1, "error[input/syntax]"),
            (r#"{"a": 1}"#.to_owned(), 1, "error[structure/unknown-kind]"),
        ] {
            kept.file("draft.json", &text);
            let ran = ask(kept, NOW);
            assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{text}: {ran:?}");
            assert!(ran.err.contains(words), "{text}: {ran:?}");
        }
    });
}

#[test]
fn the_payload_is_that_of_the_interface() {
    let kept = Kept::sqlite("gate-payload");
    let mut yaml = String::from("# a comment\n");
    let draft = draft();
    let fields: Vec<_> = draft.as_object().expect("an object").iter().collect();
    for (name, value) in fields.iter().rev() {
        yaml += &format!("{name}: {value}\n");
    }
    kept.file("draft.yaml", yaml);
    let out = kept.well(&["gate", "draft.yaml"]);
    let place = |name: &str| out.find(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{name}: {out}"));
    let order = [
        "businessName",
        "businessAddr1",
        "useCase",
        "organizationId",
        "workspaceId",
        "phoneNumbers",
        "testMode",
    ];
    assert!(order.map(place).is_sorted(), "{out}");
    assert_eq!(serde_json::from_str::<Value>(&out).expect("it is JSON"), draft);
}

#[test]
fn an_update_is_let_through_and_reserves_nothing() {
    each("gate-update", |kept| {
        let update =
            tollproof_core::clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Update));
        kept.file("tollproof.yaml", "kinds: { draft.json: update-request }\n");
        kept.file("draft.json", update.to_string());
        let ran = ask(kept, NOW);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "its record is not known: {ran:?}");
        let open = record("a1", NUMBER, "in review", "2026-11-20T08:01:00.000Z");
        kept.file("record.json", open.to_string());
        let ran = kept.run(&["gate", "draft.json", "--record", "record.json", "--now", NOW]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.ends_with("go: an update reserves no number\n"), "{ran:?}");
        assert_eq!(serde_json::from_str::<Value>(&ran.out).expect("it is JSON"), update);
    });
}

#[test]
fn an_old_record_does_not_end_a_reservation() {
    each("gate-old", |kept| {
        kept.file("draft.json", draft().to_string());
        assert_eq!(ask(kept, NOW).code, Some(0));
        let old = record("a1", NUMBER, "Rejected", "2026-11-12T08:01:00.000Z");
        kept.file("old.json", old.to_string());
        let ran = kept.run(&["gate", "confirm", "old.json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("is older than the reservation, which stays"), "{ran:?}");
        assert_eq!(ask(kept, NOW).code, Some(1), "the number is still reserved");
    });
}

#[test]
fn files_alone_cannot_reserve() {
    let kept = Kept::sqlite("gate-files");
    kept.file("draft.json", draft().to_string());
    kept.file("record.json", record("a", "b", "Verified", "2026-11-20T08:01:00.000Z").to_string());
    let ran = kept.folder.run(&["gate", "draft.json", "--history", "record.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.starts_with("error: a history of record files is read-only; use a store"), "{ran:?}");
    let ran = kept.folder.run(&["gate", "draft.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
}

#[test]
fn only_a_record_confirms() {
    each("gate-confirm", |kept| {
        kept.file("draft.json", draft().to_string());
        assert_eq!(ask(kept, NOW).code, Some(0));
        let ran = kept.run(&["gate", "confirm", "draft.json"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.err
                .contains("draft.json:1:1: this is not a verification record, but a submit request; fetch"),
            "{ran:?}"
        );
        let one = record("a1", NUMBER, "submitted", "2026-11-21T08:01:00.000Z");
        kept.file("two.ndjson", format!("{one}\n{one}\n"));
        let ran = kept.run(&["gate", "confirm", "two.ndjson"]);
        assert_eq!(
            (ran.code, ran.err.as_str()),
            (Some(2), "error: `two.ndjson` contains 2 records; confirm one record at a time\n")
        );
        assert!(kept.well(&["history", "show", NUMBER]).contains("reserved until"));
    });
}

#[test]
fn no_number_is_lost_for_a_report_that_cannot_be_written() {
    let kept = Kept::sqlite("gate-report");
    kept.file("draft.json", draft().to_string());
    let ask = |report: &str| kept.run(&["gate", "draft.json", "--now", NOW, "--output-format", report]);
    let ran = ask("json=nodir/x");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.err, "error: cannot write the report `nodir/x`: no such file or directory\n");
    assert!(!kept.folder.0.join("past.db").exists(), "not even a store is made");
    // A device that is always full, where the system has one.
    if std::path::Path::new("/dev/full").exists() {
        let ran = ask("json=/dev/full");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.starts_with("error: cannot write the report `/dev/full`"), "{ran:?}");
    }
    assert_eq!(ask("json=report.json").code, Some(0));
}

#[test]
fn a_refusal_says_why_whatever_is_ignored() {
    let kept = Kept::sqlite("gate-silent");
    let mut text = draft().to_string();
    text.insert(text.len() - 1, ',');
    kept.file("draft.json", &text);
    let ran = kept.run(&["gate", "draft.json", "--now", NOW, "--ignore", "input"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains("error[input/syntax]"), "{ran:?}");
    assert!(ran.err.ends_with("\nrefused: do not send this draft\n"), "{ran:?}");
}

#[test]
fn only_a_uuid_in_canonical_form_is_reserved() {
    let upper = NUMBER.to_uppercase();
    let spellings = [
        format!(" {NUMBER}"),
        format!("{NUMBER} "),
        format!("{NUMBER}\n"),
        format!("{{{NUMBER}}}"),
        format!("urn:uuid:{NUMBER}"),
        NUMBER.replace('-', ""),
        NUMBER.replace('-', "\u{2010}"),
        NUMBER.replace('a', "\u{ff41}"),
        NUMBER.replace('9', "\u{ff19}"),
        format!("{NUMBER}\u{200b}"),
        format!("\u{feff}{NUMBER}"),
        NUMBER.replace('b', "\u{431}"),
        "+18005550199".to_owned(),
        String::new(),
    ];
    let single = spellings.iter().map(|it| json!([it]));
    let others = [
        json!([]),
        json!([NUMBER, upper]),
        json!([NUMBER, 42]),
        json!([NUMBER, null]),
        json!([42]),
        json!(NUMBER),
        json!(null),
    ];
    each("gate-spellings", |kept| {
        for numbers in single.clone().chain(others.clone()) {
            let mut draft = draft();
            draft["phoneNumbers"] = numbers.clone();
            kept.file("draft.json", draft.to_string());
            for more in [&[][..], &["--ignore", "structure,number,history"], &["--select", "contact"]] {
                let ran = kept.run(
                    &[&["gate", "draft.json", "--now", NOW, "--output-format", "concise"], more].concat(),
                );
                assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{numbers} {more:?}: {ran:?}");
                let on_number = ran.err.lines().any(|line| {
                    line.contains("error[structure/") || line.contains("error[number/not-one-number]")
                });
                assert!(
                    on_number && ran.err.ends_with("\nrefused: do not send this draft\n"),
                    "{numbers}: {ran:?}"
                );
            }
        }
        // A comment or an entry that ignores the finding is of no use either.
        let mut braced = draft();
        braced["phoneNumbers"] = json!([format!("{{{NUMBER}}}")]);
        kept.file("draft.json", braced.to_string());
        kept.file("tollproof.yaml", "ignore: [{ rule: structure, reason: x }]\nrules: { structure: info }\n");
        let ran = ask(kept, NOW);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
        assert!(ran.err.contains("error[structure/malformed-uuid]"), "{ran:?}");
        // The case of letters makes no other number.
        let mut shouted = draft();
        shouted["phoneNumbers"] = json!([upper]);
        kept.file("draft.json", shouted.to_string());
        assert_eq!(ask(kept, NOW).code, Some(0));
        assert!(kept.well(&["history", "show", NUMBER]).contains("reserved until"));
        kept.file("draft.json", draft().to_string());
        assert_eq!(ask(kept, NOW).code, Some(1));
    });
}

#[test]
fn an_id_without_a_digit_is_reserved() {
    let text = include_str!("../../schemas/twilio/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["TollfreePhoneNumberSid"] = json!(format!("PN{}", "ab".repeat(16)));
    each("gate-letters", |kept| {
        kept.file("draft.json", draft.to_string());
        let ran = ask(kept, NOW);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ask(kept, NOW).code, Some(1), "it is reserved");
    });
}

#[test]
fn no_draft_is_refused_without_a_reason() {
    let path = std::env::temp_dir().join(format!("tollproof-reasons-{}.db", std::process::id()));
    let store = [Location::Sqlite(path.clone())];
    let mut past = HistorySet::open(&store, Access::Create).expect("it opens");
    let linter = Linter::builtin();
    let letters = format!("PN{}", "ab".repeat(16));
    let names = [
        "",
        " ",
        "acme",
        "harborlanterndental",
        "PN",
        "+18335550123",
        "8335550123",
        "+442079460958",
        &letters,
    ];
    for provider in
        ["bird", "twilio", "telnyx", "bandwidth", "infobip", "plivo", "pinnacle", "surge", "vonage"]
    {
        let sample = format!("{}/schemas/{provider}/samples/submit-request.json", env!("CARGO_MANIFEST_DIR"));
        let sample = std::fs::read_to_string(sample).expect("there is a sample");
        let kind =
            Provider::named(provider).expect("it is built in").kind(KindRole::Submit).expect("it has one");
        let document = Source::new("draft.json", sample.as_str());
        let parsed = Parsed::of(&document, None);
        let only = parsed.only().expect("it is one");
        let numbers = kind.numbers(only.document().root.as_ref().expect("it has fields"));
        let Some(number) = numbers.first().and_then(|number| number.as_str()) else { continue };
        for name in names {
            let text = sample.replace(number, name);
            let source = Source::new("draft.json", text.as_str());
            let plan = GateOptions::default();
            let decided =
                Gate::new(&linter, &mut past).decide(&Parsed::of(&source, None), KindHint::Explicit, &plan);
            let decision = decided.unwrap_or_else(|error| panic!("{provider} {name}: {error}"));
            let has_reason = decision.why_taken.is_some() || decision.report.count(Severity::Error) > 0;
            assert!(decision.verdict != Verdict::Refused || has_reason, "{provider} {name}");
        }
    }
    std::fs::remove_file(path).expect("it is there");
}

#[test]
fn a_number_is_reserved_for_a_second_to_seven_days() {
    let kept = Kept::sqlite("gate-ttl");
    kept.file("draft.json", draft().to_string());
    let ask = |ttl: &str| kept.run(&["gate", "draft.json", "--now", NOW, "--ttl", ttl]);
    for ttl in ["0s", "999ms", "-5m", "7d1s", "168h1s", "8d", "2w", "9999h", "100000000000h"] {
        let ran = ask(ttl);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ttl}: {ran:?}");
        let bounds = "from 1s (1 second) to 7d (7 days)";
        let is_told =
            ran.err.contains(bounds) || ttl.starts_with('-') && ran.err.contains("unexpected argument");
        assert!(is_told, "{ttl}: {ran:?}");
    }
    assert!(!kept.folder.0.join("past.db").exists(), "not even a store is made");
    for (ttl, until) in [
        ("1s", "2026-11-21T08:00:01Z"),
        ("1500ms", "2026-11-21T08:00:01Z"),
        ("90s", "2026-11-21T08:01:30Z"),
        ("1h 30m", "2026-11-21T09:30:00Z"),
        ("168h", "2026-11-28T08:00:00Z"),
        ("7d", "2026-11-28T08:00:00Z"),
        ("1w", "2026-11-28T08:00:00Z"),
    ] {
        let ran = ask(ttl);
        assert_eq!((ran.code, ran.err.contains(until)), (Some(0), true), "{ttl}: {ran:?}");
        kept.well(&["gate", "release", NUMBER]);
    }
}

#[test]
fn a_verified_number_passes_with_a_warning_and_reservations_are_listed() {
    each("gate-verified", |kept| {
        kept.file("a.json", record("a1", NUMBER, "Verified", "2026-11-03T00:00:00.000Z").to_string());
        kept.well(&["history", "import", "a.json"]);
        kept.file("draft.json", draft().to_string());
        let ran =
            kept.run(&["gate", "draft.json", "--now", "2026-11-21T08:00:00Z", "--output-format", "concise"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.contains("warning[history/already-verified]"), "{ran:?}");
        let listed = kept.well(&["gate", "list", "--now", "2026-11-21T08:05:00Z"]);
        assert!(
            listed.contains(NUMBER) && listed.contains("reserved until 2026-11-21T08:15:00Z"),
            "{listed}"
        );
        let listed = kept.well(&["gate", "list", "--now", "2026-11-21T09:00:00Z"]);
        assert_eq!(listed, "No number is reserved.\n");
        let quiet = kept.run(&["gate", "draft.json", "-q", "--now", "2026-11-21T09:00:00Z"]);
        assert!(!quiet.err.contains("already-verified"), "{quiet:?}");
    });
}
