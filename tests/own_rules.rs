//! Tests of the user's rules next to the built-in ones, and of what they cannot do.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole};

use crate::support::Folder;

fn draft() -> Value {
    tollproof_core::clean_document(Kind::of(KindRole::Submit))
}

/// A rule file with a severity, a field and a check.
fn rule(severity: &str, at: &str, check: &str) -> String {
    format!(
        "title: House rule\nseverity: {severity}\nat: {at}\n{check}\nmessage: the house says so\nhelp: Ask the house.\n\
         docs: The house says so.\nexamples:\n  pass: [{{}}]\n  fail: [{{}}]\n"
    )
}

#[test]
fn a_rule_of_ones_own_cannot_take_the_place_of_a_system_rule() {
    let mut short = draft();
    short.as_object_mut().expect("an object").remove("businessZip");
    for (check, name, draft) in [
        (
            "check:\n  input: { problems: [syntax, duplicate-key, encoding, limit] }",
            "input",
            "{\"businessName".to_owned(),
        ),
        ("check:\n  kind: {}", "kind", "{\"a\": 1}".to_owned()),
        ("check:\n  schema: { violations: [missing, type] }", "schema", short.to_string()),
        ("check:\n  ignore: { problem: unused }", "ignore", short.to_string()),
        ("check:\n  answer: { says: next-step }", "answer", short.to_string()),
    ] {
        let folder = Folder::new(&format!("own-system-{name}"))
            .file("a.json", draft)
            .file("mine/aaa/first.yaml", rule("info", "$document", check))
            .file("settings.yaml", "rule-dirs: [mine]\nlocked-rules: [input, structure]\n");
        for args in [
            &["check", "a.json", "--rules", "mine"][..],
            &["check", "a.json", "--config", "settings.yaml"],
            &["gate", "a.json", "--rules", "mine", "--history", "sqlite:past.db"],
            &["rules", "test", "mine"],
        ] {
            let ran = folder.run(args);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
            let said = format!("only built-in rules can use the check `{name}`");
            assert!(ran.err.contains(&said), "{args:?}: {ran:?}");
            let (place, excerpt) = ("mine/aaa/first.yaml:5:3", format!("5 │   {name}:"));
            assert!(ran.err.contains(place) && ran.err.contains(&excerpt), "{args:?}: {ran:?}");
            assert!(ran.err.contains("help: Use another check."), "{args:?}: {ran:?}");
        }
    }
    // The list of checks in the error contains none of them.
    let folder = Folder::new("own-system-known")
        .file("a.json", draft().to_string())
        .file("mine/aaa/first.yaml", rule("info", "$document", "check: { kinds: {} }"));
    let ran = folder.run(&["check", "a.json", "--rules", "mine"]);
    assert_eq!((ran.code, ran.err.contains("closed-list")), (Some(2), true), "{ran:?}");
    assert!(!ran.err.contains("did you mean") && !ran.err.contains("schema"), "{ran:?}");
}

#[test]
fn settings_change_no_parameter_of_a_system_rule() {
    for rule in ["input/syntax", "structure/missing-field", "structure/unknown-kind", "config/unused-ignore"]
    {
        let folder = Folder::new("own-system-parameters")
            .file("a.json", "{\"businessName\": \"Acme")
            .file("tollproof.yaml", format!("rules:\n  {rule}: {{ with: {{ problems: [limit] }} }}\n"));
        let ran = folder.run(&["check", "a.json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{rule}: {ran:?}");
        let said = format!("the parameters of `{rule}` cannot be changed");
        assert!(ran.err.replace("\n  │ ", " ").contains(&said), "{rule}: {ran:?}");
        assert!(ran.err.contains("tollproof.yaml:2:3"), "{rule}: {ran:?}");
    }
}

#[test]
fn the_name_of_a_rule_silences_nothing() {
    let mut free = draft();
    free["corporateWebsite"] = json!("htps//acme");
    let present = rule("warning", "corporateWebsite", "check: { present: {} }");
    let folder = Folder::new("own-name")
        .file("a.json", free.to_string())
        .file("mine/aaa/malformed-website.yaml", present)
        .file(
            "mine/website/malformed-too.yaml",
            rule("warning", "corporateWebsite", "check: { present: {} }"),
        );
    let ran = folder.run(&["check", "a.json", "--no-config", "--rules", "mine", "--output-format=concise"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("error[website/malformed-url]"), "{ran:?}");
    let ran =
        folder.run(&["gate", "a.json", "--no-config", "--rules", "mine", "--history", "sqlite:past.db"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
}

/// The rules that report a field of a draft whose value a user's rule rejects.
fn found(field: &str, value: &str, severity: &str, more: &[&str]) -> Vec<String> {
    let mut draft = draft();
    draft[field] = json!(value);
    let own = rule(severity, field, "refuses_value: true\ncheck: { present: {} }");
    let folder = Folder::new("own-refusal")
        .file("a.json", draft.to_string())
        .file("mine/house/banned.yaml", own)
        .file("locked.yaml", "locked-rules: [contact]\n")
        .file("raised.yaml", "rules: { contact/email-domain-mismatch: error }\n");
    let fixed = ["check", "a.json", "--rules", "mine", "--min-severity=info", "--output-format=json"];
    let ran = folder.run(&[&fixed[..], more].concat());
    let report: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let findings = report["findings"].as_array().expect("a list");
    let here = findings
        .iter()
        .filter(|finding| finding["pointer"] == format!("/{field}") && finding.get("suppressed").is_none());
    let mut rules: Vec<String> =
        here.map(|finding| finding["rule"].as_str().expect("a string").to_owned()).collect();
    rules.sort();
    rules
}

#[test]
fn a_refusal_silences_what_is_at_most_as_severe() {
    let (field, mail) = ("businessContactEmail", "irene@pinegrove-bakery.com");
    let found = |value: &str, severity: &str, more: &[&str]| found(field, value, severity, more);
    // An address at another domain is a warning.
    assert_eq!(found(mail, "warning", &["--no-config"]), ["house/banned"]);
    assert_eq!(found(mail, "error", &["--no-config"]), ["house/banned"]);
    assert_eq!(found(mail, "info", &["--no-config"]), ["contact/email-domain-mismatch", "house/banned"]);
    // The severity in the settings decides.
    let raised = ["--config", "raised.yaml"];
    assert_eq!(found(mail, "warning", &raised), ["contact/email-domain-mismatch", "house/banned"]);
    assert_eq!(found(mail, "error", &raised), ["house/banned"]);
    // Locked rules are never replaced, and a user's rule that does not run replaces nothing.
    let locked = ["--config", "locked.yaml"];
    assert_eq!(found(mail, "error", &locked), ["contact/email-domain-mismatch", "house/banned"]);
    assert_eq!(
        found(mail, "error", &["--no-config", "--ignore", "house"]),
        ["contact/email-domain-mismatch"]
    );
    // An error is reported in addition to a warning, and a value that a built-in rule rejects is not checked by
    // others.
    assert_eq!(found("irene.kayak", "warning", &["--no-config"]), ["contact/malformed-email"]);
}

#[test]
fn an_ignored_refusal_silences_nothing() {
    let mut yaml = String::new();
    for (name, value) in draft().as_object().expect("an object") {
        let (value, comment) = match name.as_str() {
            "businessContactEmail" => {
                (json!("irene@pinegrove-bakery.com"), " # tollproof: ignore[house] agreed")
            }
            _ => (value.clone(), ""),
        };
        yaml += &format!("{name}: {value}{comment}\n");
    }
    let own = rule("error", "businessContactEmail", "refuses_value: true\ncheck: { present: {} }");
    let twin = rule("error", "businessContactEmail", "refuses_value: true\ncheck: { present: {} }");
    let folder = Folder::new("own-refusal-ignored")
        .file("a.yaml", &yaml)
        .file("b.yaml", yaml.replace("ignore[house]", "ignore[website]"))
        .file("mine/house/banned.yaml", own)
        .file("mine/house/twin.yaml", twin);
    let check = |file: &str| {
        folder.run(&["check", file, "--no-config", "--rules", "mine", "--output-format=concise"]).out
    };
    let ignored = check("a.yaml");
    assert!(ignored.contains("[contact/email-domain-mismatch]") && !ignored.contains("[house/"), "{ignored}");
    // If two rules reject one value, one finding remains.
    let both = check("b.yaml");
    assert!(both.contains("[house/banned]") && !both.contains("[house/twin]"), "{both}");
    assert!(!both.contains("[contact/email-domain-mismatch]"), "{both}");
}

#[test]
fn a_refusal_is_about_a_field() {
    let folder = Folder::new("own-refusal-document").file("a.json", draft().to_string()).file(
        "mine/house/banned.yaml",
        rule("error", "$document", "refuses_value: true\ncheck: { resubmission-due: {} }"),
    );
    let ran = folder.run(&["check", "a.json", "--no-config", "--rules", "mine"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(
        ran.err.contains("`refuses_value` needs a field in `at`") && ran.err.contains(".yaml:3:5"),
        "{ran:?}"
    );
}
