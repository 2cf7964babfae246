//! Tests that untrusted text does not control a terminal or CI runner: file names, values, rules, records, settings,
//! errors.

use std::fs;

use crate::support::{Folder, Ran};

/// Escape sequences, control characters, bidi marks, line separators, line breaks, and commands of CI runners.
const HOSTILE: &str = "x\u{1b}[31m\u{1b}]0;t\u{7}\u{8}\u{7f}\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\r\n::error::INJECTED ##[error]z";

/// Whether a character can control a terminal.
fn steers(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
        || matches!(c, '\u{2028}' | '\u{2029}')
}

#[track_caller]
fn harmless(what: &str, text: &str) {
    assert!(!text.contains(steers), "{what}: {text:?}");
    for line in text.lines() {
        let line = line.trim_start();
        assert!(!line.starts_with("::") && !line.starts_with("INJECTED"), "{what}: {line:?} of {text}");
        assert!(!line.contains("##[") && !line.contains("##vso["), "{what}: {line:?} of {text}");
    }
}

#[track_caller]
fn is_harmless(args: &[&str], ran: &Ran) {
    harmless(&format!("{args:?}"), &ran.out);
    harmless(&format!("{args:?}"), &ran.err);
}

/// A file name with all of these characters that the operating system allows.
fn hostile(ending: &str) -> String {
    format!("{HOSTILE}{ending}")
}

#[test]
fn names_and_values_of_every_command_are_printable() {
    let folder = Folder::new("printable-arguments").file("a.json", "{\"businessName\": \"Acme\"}");
    let json = hostile(".json");
    let glob = format!("{HOSTILE}*[");
    for args in [
        &["check", json.as_str()][..],
        &["check", "a.json", "--config", json.as_str()],
        &["check", "a.json", "--rules", HOSTILE],
        &["check", "a.json", "--record", json.as_str()],
        &["check", "a.json", "--history", json.as_str()],
        &["check", "a.json", "--history", glob.as_str()],
        &["check", "a.json", "--history", "sqlite:\u{1b}[2J/\n::error::INJECTED/a.db"],
        &["check", "a.json", "--baseline", json.as_str()],
        &["check", "a.json", "--select", HOSTILE],
        &["check", "a.json", "--now", HOSTILE],
        &["check", "a.json", "--kind", HOSTILE],
        &["check", "a.json", "--output-format", HOSTILE],
        &["check", "a.json", "--output-format", "json=\u{1b}[2J\n::error::INJECTED/x/y"],
        &["check", "a.json", HOSTILE, "--changed=\u{1b}[2J\n::error::INJECTED"],
        &["check", "a.json", "--\u{1b}[2J\n::error::INJECTED"],
        &["\u{1b}[2J\n::error::INJECTED"],
        &["explain", json.as_str(), "a.json"],
        &["explain", "a.json", json.as_str()],
        &["rule", HOSTILE],
        &["rules", "test", HOSTILE],
        &["rules", "eval", json.as_str()],
        &["schema", HOSTILE],
        &["schema", "submit-request", "--field", HOSTILE],
        &["number", HOSTILE],
        &["number", HOSTILE, "--output-format=json"],
        &["history", "import", json.as_str(), "--history", "sqlite:a.db"],
        &["history", "list", "--history", HOSTILE],
        &["history", "show", HOSTILE, "--history", "sqlite:b.db"],
        &["history", "note", HOSTILE, "--notified-at", HOSTILE],
        &["gate", json.as_str(), "--history", "sqlite:c.db"],
        &["gate", "confirm", json.as_str(), "--history", "sqlite:c.db"],
        &["gate", "release", HOSTILE, "--history", "sqlite:c.db"],
        &["config", "show", HOSTILE],
        &["config", "show", "--config", json.as_str()],
        &["new", HOSTILE],
        &["new", json.as_str()],
        &["baseline", "write", HOSTILE, "--baseline", json.as_str()],
        &["completions", HOSTILE],
    ] {
        let ran = folder.run(args);
        assert!(ran.code == Some(2) || !ran.out.is_empty(), "{args:?}: {ran:?}");
        is_harmless(args, &ran);
    }
}

#[cfg(unix)]
#[test]
fn files_of_hostile_names_and_contents_are_reported_in_printable_lines() {
    let value = serde_json::to_string(HOSTILE).expect("a string");
    let draft = format!(
        "{{\"businessName\": {value}, {value}: {value}, \"useCase\": {value}, \"businessCountry\": {value}, \"businessContactEmail\": {value}}}"
    );
    let folder = Folder::new("printable-files")
        .file(".git/HEAD", "")
        .file(&hostile(".json"), &draft)
        .file(
            &hostile(".yaml"),
            format!("# {}\n\u{1b}[31m: [\n  ::error::INJECTED\n", HOSTILE.replace('\n', " ")),
        )
        .file("::error::INJECTED.json", &draft)
        .file(" ::error::INJECTED.json", &draft)
        .file("##[error]INJECTED.json", &draft)
        .file("###[error]INJECTED.json", "[")
        .file("##vso[task]INJECTED.json", "");
    for format in ["concise", "full", "narrated", "json", "jsonl", "sarif", "gitlab"] {
        for more in [&[][..], &["--redact"], &["--statistics", "--min-severity=info"]] {
            let args = [&["check", ".", "--output-format", format], more].concat();
            let ran = folder.run(&args);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(ran.out.contains("INJECTED"), "the test has something to see: {ran:?}");
            is_harmless(&args, &ran);
        }
    }
    let ran = folder.run(&["check", ".", "--output-format=concise"]);
    assert!(ran.out.contains("\n./::error::INJECTED.json:1:1: "), "{}", ran.out);
    let more = ["--output-format", "full=report.txt"];
    folder.run(&[&["check", "."][..], &more].concat());
    harmless("a file", &fs::read_to_string(folder.0.join("report.txt")).expect("it was written"));
}

#[test]
fn rules_records_settings_and_answers_are_printable() {
    let yaml = |text: &str| serde_json::to_string(text).expect("a string");
    let rule = format!(
        "title: {0}\nseverity: warning\nat: businessName\ncheck: {{ forbid: {{ any_of: [acme] }} }}\nmessage: {1}\nhelp: {1}\n\
         docs: {0}\nsource: {0}\nexamples: {{ pass: [{{ businessName: {0} }}], fail: [{{ businessName: Acme }}] }}\n",
        yaml(HOSTILE),
        yaml(&format!("{HOSTILE} {{value}}")),
    );
    let number = "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9";
    let record = format!(
        "{{\"id\": \"5f2a7c90-e318-4b6d-a1f4-c07d92be3586\", \"phoneNumbers\": [\"{number}\"], \"status\": {0}, \"updatedAt\": \"2026-10-01T00:00:00.000Z\", \
         \"verificationRequestData\": {{\"businessName\": \"Acme\"}}, \"statusMessage\": {{\"Message\": {0}, \"StatusCode\": {0}}}}}",
        yaml(HOSTILE)
    );
    let answer = format!(
        "{{\"code\": {0}, \"message\": {0}, \"details\": {{\"businessName\": [{0}], {0}: [{0}]}}}}",
        yaml(HOSTILE)
    );
    let folder = Folder::new("printable-texts")
        .file(".git/HEAD", "")
        .file("rules/own/bad.yaml", rule)
        .file("a.json", format!("{{\"phoneNumbers\": [\"{number}\"], \"businessName\": \"Acme {number}\"}}"))
        .file("records/one.json", &record)
        .file("answer.json", answer)
        .file("bad/tollproof.yaml", format!("{}: 1\n", yaml(HOSTILE)))
        .file("bad/a.json", "{}")
        .file("bad2/tollproof.yaml", format!("fail-on: {}\n", yaml(HOSTILE)))
        .file("bad2/a.json", "{}")
        .file(
            "odd/tollproof.yaml",
            format!(
                "vendor: {0}\nignore: [{{ rule: contact/free-mail, reason: {0}, until: 2026-01-01 }}]\n",
                yaml(HOSTILE)
            ),
        )
        .file("odd/a.json", "{\"businessName\": \"Acme\"}");
    assert_eq!(folder.run(&["history", "import", "records/one.json", "--history=sqlite:a.db"]).code, Some(0));
    let mut seen = String::new();
    for args in [
        &["check", "a.json", "--rules=rules"][..],
        &["check", "a.json", "--rules=rules", "--output-format=concise"],
        &["check", "a.json", "--rules=rules", "--output-format=narrated"],
        &["check", "a.json", "--rules=rules", "--output-format=sarif"],
        &["check", "a.json", "--rules=rules", "--color=always"],
        &["check", "a.json", "--history=records"],
        &["check", "a.json", "--history=sqlite:a.db"],
        &["check", "a.json", "--record=records/one.json"],
        &["check", "bad"],
        &["check", "bad2"],
        &["check", "bad2", "--output-format=narrated"],
        &["check", "odd", "--now=2026-11-21T08:00:00Z"],
        &["config", "show", "odd/a.json"],
        &["config", "show", "odd/a.json", "--output-format=json"],
        &["rule", "own/bad", "--rules=rules"],
        &["rule", "own", "--rules=rules", "--color=always"],
        &["rule", "own/bad", "--rules=rules", "--color=always"],
        &["rule", "own/bad", "--rules=rules", "--output-format=json"],
        &["rules", "test", "rules"],
        &["explain", "a.json", "answer.json"],
        &["explain", "a.json", "records/one.json"],
        &["explain", "a.json", "answer.json", "--output-format=narrated"],
        &["history", "list", "--history=sqlite:a.db"],
        &["history", "list", "--history=sqlite:a.db", "--output-format=json"],
        &["history", "show", number, "--history=sqlite:a.db"],
        &["gate", "a.json", "--history=sqlite:a.db"],
        &["gate", "confirm", "records/one.json", "--history=sqlite:a.db"],
    ] {
        let mut ran = folder.run(args);
        if args.contains(&"--color=always") {
            // Remove tollproof's own colors; nothing else may remain.
            for text in [&mut ran.out, &mut ran.err] {
                for colour in ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[4m"] {
                    *text = text.replace(colour, "");
                }
                for code in ["31", "34", "35", "36"] {
                    for own in [
                        format!("\u{1b}[{code};1m"),
                        format!("\u{1b}[{code}m\u{1b}[1m"),
                        format!("\u{1b}[1;{code}m"),
                    ] {
                        *text = text.replace(&own, "");
                    }
                }
            }
        }
        is_harmless(args, &ran);
        seen += &format!("{}{}", ran.out, ran.err);
    }
    assert!(seen.matches("INJECTED").count() > 20, "the test has something to see: {seen}");
}

#[test]
fn a_diff_in_a_log_has_no_command_and_a_patch_stays_one() {
    let draft = "businessName: Acme\nuseCaseSummary: |\n  ::add-mask::a\n  ##[error]b\nbusinessContactPhone: (512) 472-1820\n";
    let folder = Folder::new("printable-diff").file("a.yaml", draft);
    let args = ["check", "a.yaml", "--diff"];
    let patch = folder.run(&args).out;
    assert!(patch.contains("\n   ##[error]b\n"), "{patch}");
    for runner in ["GITHUB_ACTIONS", "TF_BUILD"] {
        let ran = Ran::new(folder.command(&args).env(runner, "true").output().expect("tollproof starts"));
        assert!(ran.out.contains("error]b") && ran.out.contains("\n+businessContactPhone"), "{ran:?}");
        is_harmless(&args, &ran);
    }
}
