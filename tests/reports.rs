//! Tests of where reports are written, and which files they must not overwrite.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::Folder;

/// A record of an open submission.
const RECORD: &str = r#"{"id": "5f2a7c90-e318-4b6d-a1f4-c07d92be3586", "status": "in review", "phoneNumbers": ["9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"],
"verificationRequestData": {}}"#;

/// A valid document.
const SEARCH: &str = r#"{"limit": 1, "country": "US", "type": "tollfree"}"#;

/// A document that a folder walk recognizes as a draft.
const DRAFT: &str = r#"{"businessName": "Cedar Hollow Auto Care LLC"}"#;

#[test]
fn reports_go_where_they_are_sent() {
    let folder = Folder::new("targets").file("a.json", SEARCH);
    let args = ["check", "--kind=number-search", "--output-format=json=r.json", "--output-format=concise"];
    let ran = folder.run(&[&args[..], &["a.json"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("1 document checked, nothing found.\n"), "{ran:?}");
    let report = fs::read_to_string(folder.0.join("r.json")).expect("the report is there");
    assert!(report.starts_with("{\n  \"version\": 1,\n"), "{report}");
    let ran = folder.run(&["check", "--output-format=json=none/r.json", "a.json"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: cannot write the report `none/r.json`: no such file or directory\n");
}

/// The list of a JSON report, and what the other reports say of the same drafts, are as long as the summary says.
#[test]
fn a_report_lists_what_its_summary_counts() {
    let drafts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drafts").display().to_string();
    let folder = Folder::new("counted").file("empty.json", r#"{"businessName": "Acme", "useCse": 1}"#);
    for least in ["error", "warning", "info"] {
        let args =
            ["check", "--no-config", "--min-severity", least, "--output-format=json", "empty.json", &drafts];
        let report: Value = serde_json::from_str(&folder.run(&args).out).expect("it is JSON");
        let listed = |severity: &str| {
            let findings = report["findings"].as_array().expect("it is a list").iter();
            findings
                .filter(|finding| finding["severity"] == severity && finding["suppressed"].is_null())
                .count()
        };
        let shown =
            ["error", "warning", "info"].iter().take_while(|severity| **severity != least).chain([&least]);
        for severity in shown {
            let counted = report["summary"][format!("{severity}s")].as_u64();
            assert_eq!(counted, Some(listed(severity) as u64), "{severity}s of {least}");
        }
    }
}

#[test]
fn a_report_is_not_a_draft_of_the_next_run() {
    let formats = ["json", "jsonl", "sarif", "gitlab"];
    let folder = Folder::new("own-report").file("a.json", r#"{"businessName": "Acme", "useCse": 1}"#);
    for format in formats {
        for _ in 0..2 {
            let ran = folder.run(&["check", "--quiet", &format!("--output-format={format}=r.{format}.json")]);
            assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{format}: {ran:?}");
        }
        let report = fs::read_to_string(folder.0.join(format!("r.{format}.json"))).expect("it is there");
        assert!(report.contains("useCse"), "{format}: {report}");
        fs::remove_file(folder.0.join(format!("r.{format}.json"))).expect("it is there");
    }
}

#[test]
fn a_report_does_not_replace_a_draft_that_a_walk_meets() {
    let config = "kinds: { 'odd/*': submit-request }\n";
    let folder = Folder::new("walked-report")
        .file("tollproof.yaml", config)
        .file("a.json", SEARCH)
        .file("draft.json", DRAFT)
        .file("broken.json", "{\"businessName\": \"A\" \"useCaseSummary\"")
        .file("list.json", "[\"businessName\"]")
        .file("told.yaml", "# tollproof: kind=unheard-of\na: 1\n")
        .file("odd/a.json", r#"{"useCase": "x"}"#);
    for path in ["draft.json", "broken.json", "list.json", "told.yaml", "odd/a.json"] {
        let before = fs::read_to_string(folder.0.join(path)).expect("it is there");
        for more in [&[][..], &["a.json", "--also-read=."]] {
            let format = format!("--output-format=json=./{path}");
            let ran = folder.run(&[&["check", &format], more].concat());
            let why = "it is a draft that this run reads; choose another name";
            let expected = format!("error: cannot write the report to `{path}`: {why}\n");
            assert_eq!((ran.code, ran.err), (Some(2), expected), "{path}");
            assert_eq!(fs::read_to_string(folder.0.join(path)).expect("it is there"), before);
        }
    }
}

#[test]
fn reports_do_not_meet_in_one_file() {
    let folder = Folder::new("one-place").file("a.json", SEARCH).file("deeper/b.json", "");
    let whole = format!("sarif={}", folder.0.join("r.out").display());
    for other in ["sarif=./r.out", "sarif=deeper/../r.out", &whole] {
        let args = ["check", "a.json", "--output-format=json=r.out", "--output-format"];
        let ran = folder.run(&[&args[..], &[other]].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with("error: only one report can go to `"), "{ran:?}");
        assert!(!folder.0.join("r.out").exists());
    }
}

#[test]
fn a_report_does_not_destroy_what_the_run_reads() {
    let rule = tollproof_core::builtin_rules().find(|(id, _)| *id == "message/missing-brand");
    let (_, rule) = rule.expect("it is built in");
    let folder = Folder::new("destroy")
        .file("victim.json", DRAFT)
        .file("tollproof.yaml", "# nothing\n")
        .file("records/one.json", RECORD)
        .file("past.db", "a store")
        .file("past.db-wal", "what is new in it")
        .file("record.json", RECORD)
        .file("answer.json", "{}")
        .file("rules/own/a.yaml", rule);
    let victims = [
        ("victim.json", "a draft that this run reads"),
        ("./victim.json", "a draft that this run reads"),
        ("rules/../tollproof.yaml", "the configuration of this run"),
        ("rules/own/a.yaml", "a rule of this run"),
    ];
    let refuse = |args: &[&str], what: &str| {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.starts_with("error: cannot write the report to `"), "{ran:?}");
        assert!(ran.err.ends_with(&format!("it is {what}; choose another name\n")), "{ran:?}");
    };
    for (path, what) in victims {
        let before = fs::read_to_string(folder.0.join(path)).expect("it is there");
        let format = format!("--output-format=json={path}");
        refuse(&["check", "victim.json", "--rules=rules", &format], what);
        refuse(&["explain", "victim.json", "answer.json", "--rules=rules", &format], what);
        let past = "--history=sqlite:new.db";
        refuse(&["gate", "victim.json", "--rules=rules", past, &format], what);
        assert_eq!(fs::read_to_string(folder.0.join(path)).expect("it is there"), before);
    }
    let pasts = [
        ("records/one.json", "--history=records", "a record of the history"),
        ("records/../records/one.json", "--history=records/*.json", "a record of the history"),
        ("./past.db", "--history=sqlite:past.db", "the store of the history"),
        ("past.db-wal", "--history=sqlite:./past.db", "the store of the history"),
        ("new.db", "--history=sqlite:./new.db", "the store of the history"),
    ];
    for (path, history, what) in pasts {
        let before = fs::read(folder.0.join(path)).ok();
        let format = format!("--output-format=json={path}");
        refuse(&["check", "victim.json", history, &format], what);
        refuse(&["explain", "victim.json", "answer.json", history, &format], what);
        refuse(&["gate", "victim.json", history, &format], what);
        assert_eq!(fs::read(folder.0.join(path)).ok(), before);
    }
    let format = "--output-format=json=./record.json";
    refuse(&["check", "victim.json", "--record=record.json", format], "the record that this run reads");
    let past = "--history=sqlite:new.db";
    refuse(&["gate", "victim.json", "--record=record.json", past, format], "the record that this run reads");
    let format = "--output-format=json=answer.json";
    refuse(&["explain", "victim.json", "./answer.json", format], "the answer that this run reads");
}

#[test]
fn a_run_that_fails_leaves_the_old_report() {
    let folder = Folder::new("old-report").file("r.json", "old").file("none/package.json", "{}");
    let ran = folder.run(&["check", "none", "--output-format=json=r.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(fs::read_to_string(folder.0.join("r.json")).expect("it is there"), "old");
    let files = fs::read_dir(&folder.0).expect("readable").count();
    assert_eq!(files, 2, "nothing else is left behind");
    let folder = folder.file("a.json", SEARCH);
    let ran = folder.run(&["check", "a.json", "--output-format=json=r.json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = fs::read_to_string(folder.0.join("r.json")).expect("it is there");
    assert!(report.starts_with("{\n  \"version\": 1,\n"), "{report}");
    assert_eq!(fs::read_dir(&folder.0).expect("readable").count(), 3);
}
