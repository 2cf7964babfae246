//! Tests of findings that always count, and of `locked-rules`.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole};

use crate::support::{Folder, Ran};

const NOW: &str = "--now=2026-11-21T08:00:00Z";

fn draft() -> Value {
    let mut draft = tollproof_core::clean_document(Kind::of(KindRole::Submit));
    draft["businessContactEmail"] = json!("irene@pinegrove-bakery.com");
    draft
}

fn check(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&["check", "a.json", NOW, "--output-format=concise"], more].concat())
}

fn gate(folder: &Folder, more: &[&str]) -> Ran {
    let fixed = ["gate", "a.json", NOW, "--history=sqlite:past.db", "--output-format=concise"];
    folder.run(&[&fixed, more].concat())
}

#[test]
fn what_could_not_be_read_is_never_off() {
    let torn = draft().to_string().replacen("\"businessName\"", "businessName", 1);
    let twice = draft().to_string().replacen('{', "{\"businessName\": \"Acme\",", 1);
    for (text, rule) in [
        (torn, "input/syntax"),
        (twice, "input/duplicate-key"),
        ("{\"a\": 1}".to_owned(), "structure/unknown-kind"),
        ("[42]".to_owned(), "structure/wrong-type"),
        ("\"text\"".to_owned(), "structure/wrong-type"),
    ] {
        let (group, _) = rule.split_once('/').expect("an id");
        let off = format!("rules: {{ {rule}: off }}\n");
        let entry = format!("ignore: [{{ rule: {rule}, reason: x }}]\n");
        let folder = Folder::new("locked-always")
            .file("a.json", text)
            .file("none.ndjson", "")
            .file("off.yaml", "rules: { structure: off }\n")
            .file("low.yaml", format!("rules: {{ {rule}: info }}\n"))
            .file("entry.yaml", entry)
            .file("baseline.yaml", "baseline: known.json\n");
        for more in [
            &["--no-config", "--ignore", rule][..],
            &["--no-config", "--ignore", group],
            &["--no-config", "--select", "contact"],
            &["--config=off.yaml"],
            &["--config=low.yaml"],
            &["--config=entry.yaml"],
        ] {
            let ran = check(&folder, more);
            assert_eq!(ran.code, Some(1), "{rule} {more:?}: {ran:?}");
            assert!(ran.out.contains(&format!("error[{rule}]")), "{rule} {more:?}: {ran:?}");
            // An existing store, so that the run has no other error.
            folder.run(&["history", "import", "none.ndjson", "--history=sqlite:past.db"]);
            let ran = gate(&folder, more);
            assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{rule} {more:?}: {ran:?}");
            assert!(ran.err.contains(&format!("error[{rule}]")), "{rule} {more:?}: {ran:?}");
        }
        let wrote = folder.run(&["baseline", "write", "a.json", "--no-config", "--baseline=known.json"]);
        assert!(wrote.out.contains("1 finding left out"), "{rule}: {wrote:?}");
        let ran = check(&folder, &["--config=baseline.yaml"]);
        assert_eq!(
            (ran.code, ran.out.contains(&format!("error[{rule}]"))),
            (Some(1), true),
            "{rule}: {ran:?}"
        );
        // Turning one of these rules off is an error.
        if rule != "structure/wrong-type" {
            let folder = Folder::new("locked-level").file("a.json", "{}").file("tollproof.yaml", off);
            let ran = check(&folder, &[]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{rule}: {ran:?}");
            let err = ran.err.replace("\n  │ ", " ");
            assert!(err.contains("tollproof.yaml:1:10") && err.contains("it cannot be off"), "{err}");
        }
    }
}

#[test]
fn a_locked_rule_holds_against_settings_and_options() {
    const WARNING: &str = "warning[contact/email-domain-mismatch]";
    const ERROR: &str = "error[contact/email-domain-mismatch]";
    for (settings, more, said) in [
        // A level in the same file, for the rule or its group.
        ("locked-rules: [contact]\nrules: { contact: off }\n", &[][..], WARNING),
        ("locked-rules: [contact]\nrules: { contact/email-domain-mismatch: off }\n", &[], WARNING),
        ("locked-rules: [contact/email-domain-mismatch]\nrules: { contact: off }\n", &[], WARNING),
        (
            "locked-rules: [contact/email-domain-mismatch]\nrules: { contact/email-domain-mismatch: info }\n",
            &[],
            WARNING,
        ),
        // A level can raise the severity.
        ("locked-rules: [contact]\nrules: { contact: error }\n", &[], ERROR),
        // A level for the file's glob.
        ("locked-rules: [contact]\nrules: { contact: { files: { a.json: off } } }\n", &[], WARNING),
        (
            "locked-rules: [contact]\nrules: { contact/email-domain-mismatch: { files: { '*': off } } }\n",
            &[],
            WARNING,
        ),
        (
            "locked-rules: [contact/email-domain-mismatch]\nrules: { contact: { level: error, files: { '*': off } } }\n",
            &[],
            ERROR,
        ),
        (
            "locked-rules: [contact/email-domain-mismatch]\nrules: { contact: { level: error, files: { '*': info } } }\n",
            &[],
            ERROR,
        ),
        (
            "locked-rules: [contact/email-domain-mismatch]\nrules: { contact/email-domain-mismatch: { level: error, files: { a.json: warning } } }\n",
            &[],
            ERROR,
        ),
        // Options.
        ("locked-rules: [contact]\n", &["--ignore", "contact"], WARNING),
        ("locked-rules: [contact]\n", &["--ignore", "contact/email-domain-mismatch"], WARNING),
        ("locked-rules: [contact]\n", &["--select", "message"], WARNING),
        ("locked-rules: [contact]\n", &["--select", "contact/sample-name"], WARNING),
        // Ignores.
        (
            "locked-rules: [contact]\nignore: [{ rule: contact/email-domain-mismatch, reason: x }]\n",
            &[],
            WARNING,
        ),
        (
            "locked-rules: [contact/email-domain-mismatch]\nignore: [{ rule: contact, reason: x }]\n",
            &[],
            WARNING,
        ),
        ("locked-rules: [contact]\n", &["--baseline=known.json"], WARNING),
    ] {
        let folder = Folder::new("locked-held").file("a.json", draft().to_string());
        folder.run(&["baseline", "write", "a.json", "--no-config", "--baseline=known.json", NOW]);
        let folder = folder.file("tollproof.yaml", format!("{settings}fail-on: warning\n"));
        let ran = check(&folder, more);
        assert_eq!(ran.code, Some(1), "{settings} {more:?}: {ran:?}");
        assert!(ran.out.contains(said), "{settings} {more:?}: {ran:?}");
        assert_eq!(
            ran.out.matches("contact/email-domain-mismatch]").count(),
            1,
            "{settings} {more:?}: {ran:?}"
        );
        if more.first().is_none_or(|it| !it.starts_with("--baseline")) {
            let ran = gate(&folder, more);
            assert_eq!(ran.code, Some(i32::from(said == ERROR)), "{settings} {more:?}: {ran:?}");
            assert!(ran.err.contains(said), "{settings} {more:?}: {ran:?}");
        }
    }
    // Without the lock, each of these hides the finding.
    let folder = Folder::new("locked-not").file("a.json", draft().to_string());
    for more in [&["--ignore", "contact"][..], &["--select", "message"]] {
        let ran = check(&folder, &[&["--no-config"], more].concat());
        assert!(!ran.out.contains("contact/email-domain-mismatch"), "{more:?}: {ran:?}");
    }
}

#[test]
fn the_gate_refuses_what_a_locked_rule_finds() {
    let settings = "locked-rules: [use-case]\nrules: { use-case: { level: info, files: { '*': off } } }\n";
    let mut faulty = draft();
    faulty["messageVolume"] = json!("1000");
    let mut yaml = String::new();
    for (name, value) in faulty.as_object().expect("an object") {
        yaml += &format!("# tollproof: ignore[use-case] agreed\n{name}: {value}\n");
    }
    let folder = Folder::new("locked-gate").file("a.yaml", yaml).file("tollproof.yaml", settings);
    let fixed = ["gate", "a.yaml", NOW, "--history=sqlite:past.db", "--output-format=concise"];
    for more in [&[][..], &["--ignore", "use-case"], &["--select", "contact"]] {
        let ran = folder.run(&[&fixed, more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{more:?}: {ran:?}");
        assert!(ran.err.contains("error[use-case/unknown-message-volume]"), "{more:?}: {ran:?}");
    }
}

#[test]
fn a_rule_that_is_off_by_default_runs_where_it_is_locked_by_name() {
    let mut unnumbered = draft();
    unnumbered["additionalInformation"] = json!("The office is open on weekdays.");
    let folder = Folder::new("locked-default").file("a.json", unnumbered.to_string());
    for (settings, runs) in [
        ("locked-rules: [business/no-registration]\n", true),
        ("locked-rules: [business]\n", false),
        ("{}\n", false),
    ] {
        std::fs::write(folder.0.join("tollproof.yaml"), settings).expect("writable");
        let ran = check(&folder, &["--min-severity=info"]);
        assert_eq!(ran.out.contains("[business/no-registration]"), runs, "{settings}: {ran:?}");
    }
}

#[test]
fn an_ignored_rule_hides_nothing_that_a_locked_one_finds() {
    // `business/handle` does not report a name that `business/placeholder` reports, and `website/insecure-url` skips
    // malformed URLs.
    let mut named = draft();
    named["corporateWebsite"] = json!("http://www.facebook.com/acme");
    let text = named.to_string();
    let folder = Folder::new("locked-yields").file("a.json", text).file(
        "tollproof.yaml",
        "locked-rules: [website/insecure-url]\nignore: [{ rule: website/not-the-business, reason: x }]\n",
    );
    let ran = check(&folder, &[]);
    assert!(ran.out.contains("[website/insecure-url]"), "{ran:?}");
}
