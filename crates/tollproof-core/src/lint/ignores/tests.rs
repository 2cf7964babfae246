//! Tests of ignores in comments and settings, and of levels of rules.

use crate::facts::Facts;
use serde_json::json;

use crate::finding::{Finding, Severity, SuppressedBy};
use crate::lint::builder::LinterError;
use crate::lint::linter::Linter;
use crate::lint::report::Report;
use crate::provider::detect::KindHint;
use crate::rule::config::{Config, Ignore, Level, Parameters};
use crate::syntax::Parsed;
use crate::syntax::source::Source;

const ANSWER: &str = "code: a\nmessage: b\n";

fn report_of(text: &str, config: Config) -> Report {
    let linter = Linter::builder().config(config).build().expect("all rules are known");
    let source = Source::from_bytes("a.yaml", text.as_bytes().to_vec());
    linter.check(&Parsed::of(&source, None), KindHint::Explicit, &Facts::default())
}

/// Rules, with what suppressed them in front.
fn said(report: &Report) -> Vec<String> {
    let said = |finding: &Finding| match &finding.suppressed {
        Some(suppression) => format!("{}: {}", suppression.by.name(), finding.rule),
        None => finding.rule.to_string(),
    };
    report.findings.iter().map(said).collect()
}

#[test]
fn a_comment_is_about_its_line_or_the_next() {
    const UNKNOWN: &str = "comment: structure/unknown-field";
    let why = "# tollproof: ignore[structure/unknown-field] the gateway adds it";
    for (text, expected) in [
        (format!("{ANSWER}trace: a {why}\n"), vec![UNKNOWN]),
        (format!("{ANSWER}{why}\ntrace: a\n"), vec![UNKNOWN]),
        (format!("{ANSWER}{why}\n\n# more\n\ntrace: a\n"), vec![UNKNOWN]),
        (format!("{ANSWER}{why}\r\ntrace:\r\n  - a\r\n  - b: c\r\n"), vec![UNKNOWN]),
        (format!("{ANSWER}trace: | {why}\n  a\n"), vec![UNKNOWN]),
        (format!("{why}\n{ANSWER}trace: a\n"), vec!["config/unused-ignore", "structure/unknown-field"]),
        (format!("{ANSWER}trace: a\n{why}\n"), vec!["structure/unknown-field", "config/unused-ignore"]),
        (format!("{ANSWER}trace: '{why}'\n"), vec!["structure/unknown-field"]),
    ] {
        assert_eq!(said(&report_of(&text, Config::default())), expected, "{text}");
    }
}

#[test]
fn a_comment_hides_nothing_of_what_follows() {
    let draft = "trace: | # tollproof: ignore[structure] agreed\n  a\nhost: c\n";
    let report = report_of(&format!("{ANSWER}{draft}"), Config::default());
    assert_eq!(said(&report), ["comment: structure/unknown-field", "structure/unknown-field"]);
}

#[test]
fn what_a_document_lacks_is_ignored_by_name_alone() {
    let lacking = |name: &str| {
        let text = format!("# tollproof: kind=error-response\ncode: a # tollproof: ignore[{name}] agreed\n");
        said(&report_of(&text, Config::default()))
    };
    assert_eq!(lacking("structure"), ["structure/missing-field", "config/unused-ignore"]);
    assert_eq!(lacking("structure/missing-field"), ["comment: structure/missing-field"]);
}

#[test]
fn nobody_ignores_what_cannot_be_read() {
    let text = "code: a\nmessage: b\n# tollproof: ignore[input] so be it\ntrace: \"c\n";
    let rules = said(&report_of(text, Config::default()));
    assert!(rules.contains(&"input/syntax".to_owned()), "{rules:?}");
    assert!(rules.contains(&"config/unused-ignore".to_owned()), "{rules:?}");
    let all =
        |rule: &str| Ignore { rule: rule.to_owned(), pointer: None, reason: "x".to_owned(), until: None };
    let config = Config { ignores: vec![all("input"), all("structure")], ..Config::default() };
    assert!(said(&report_of(text, config)).contains(&"input/syntax".to_owned()));
}

#[test]
fn one_comment_names_several_and_each_is_judged() {
    let text = format!("{ANSWER}trace: a # tollproof: ignore[structure, message/shouting,nope] why\n");
    let report = report_of(&text, Config::default());
    assert_eq!(
        said(&report),
        ["comment: structure/unknown-field", "config/unused-ignore", "config/unknown-ignore"]
    );
    assert_eq!(report.findings[0].suppressed.as_ref().and_then(|it| it.reason.as_deref()), Some("why"));
    let fixed = |finding: &Finding| {
        let edit = &finding.fix.as_ref().expect("each has a fix").edits[0];
        let mut text = text.clone();
        text.replace_range(edit.span.range(), &edit.text);
        text.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(fixed(&report.findings[1]), "trace: a # tollproof: ignore[structure,nope] why");
    assert_eq!(fixed(&report.findings[2]), "trace: a # tollproof: ignore[structure, message/shouting] why");
}

#[test]
fn the_last_name_takes_its_comment_along() {
    for (text, left) in [
        ("code: a # tollproof: ignore[message] x\nmessage: b\n", ANSWER),
        ("# tollproof: ignore[message] x\ncode: a\nmessage: b\n", ANSWER),
        ("code: a\nmessage: b\n  # tollproof: ignore[message] x", "code: a\nmessage: b\n"),
    ] {
        let report = report_of(text, Config::default());
        let edit = &report.findings[0].fix.as_ref().expect("it can go").edits[0];
        let mut fixed = text.to_owned();
        fixed.replace_range(edit.span.range(), &edit.text);
        assert_eq!(fixed, left, "{text}");
    }
}

#[test]
fn what_is_not_run_or_not_known_is_not_called_unused() {
    let text = "code: a # tollproof: ignore[contact/free-mail, history/duplicate-submission] x\nmessage: b\n";
    assert_eq!(said(&report_of(text, Config::default())), ["config/unused-ignore"]);
    let config = Config { ignore: vec!["contact/free-mail".to_owned()], ..Config::default() };
    assert!(said(&report_of(text, config)).is_empty());
    let config = Config { no_ignores: true, ..Config::default() };
    assert!(said(&report_of(text, config)).is_empty());
}

#[test]
fn settings_ignore_values_and_what_is_in_them() {
    let ignore = |rule: &str, pointer: Option<&str>| Ignore {
        rule: rule.to_owned(),
        pointer: pointer.map(str::to_owned),
        reason: "agreed".to_owned(),
        until: None,
    };
    let text = format!("{ANSWER}trace: a\n");
    for (entry, by, unused) in [
        (ignore("structure", None), Some(SuppressedBy::Config), false),
        (ignore("structure/unknown-field", Some("/trace")), Some(SuppressedBy::Config), false),
        (ignore("structure/unknown-field", Some("/tra")), None, true),
        (ignore("contact", None), None, true),
    ] {
        let config = Config { ignores: vec![entry.clone()], ..Config::default() };
        let report = report_of(&text, config);
        assert_eq!(report.findings[0].suppressed.as_ref().map(|it| it.by), by, "{entry:?}");
        assert_eq!(report.unused_ignores == [0], unused, "{entry:?}");
        assert_eq!(report.used_ignores == [0], !unused, "{entry:?}");
    }
    let locked = vec!["structure".to_owned()];
    let config = Config { ignores: vec![ignore("structure", None)], locked, ..Config::default() };
    assert_eq!(said(&report_of(&text, config)), ["structure/unknown-field"]);
}

#[test]
fn levels_of_rules_count_more_than_those_of_groups() {
    let level = |levels: &[(&str, Level)]| {
        let levels = levels.iter().map(|(name, level)| ((*name).to_owned(), *level)).collect();
        let report = report_of(&format!("{ANSWER}trace: a\n"), Config { levels, ..Config::default() });
        report.findings.first().map(|it| it.severity)
    };
    assert_eq!(level(&[]), Some(Severity::Warning));
    assert_eq!(level(&[("structure", Level::Error)]), Some(Severity::Error));
    assert_eq!(level(&[("structure", Level::Off)]), None);
    let both = [("structure", Level::Off), ("structure/unknown-field", Level::Info)];
    assert_eq!(level(&both), Some(Severity::Info));
    assert_eq!(level(&[("structure/unknown-field", Level::Off), ("structure", Level::Error)]), None);
}

#[test]
fn what_the_context_lowers_stays_low() {
    // A byte order mark is a warning, whatever the rule about encodings weighs.
    let of = |level: Level| {
        let levels = vec![("input/encoding".to_owned(), level)];
        let report = report_of(&format!("\u{feff}{ANSWER}"), Config { levels, ..Config::default() });
        report.findings[0].severity
    };
    assert_eq!(of(Level::Error), Severity::Warning);
    assert_eq!(of(Level::Info), Severity::Info);
}

#[test]
fn parameters_of_rules_can_be_set() {
    let parameters = |rule: &str, with: serde_json::Value, add: serde_json::Value| {
        let object = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
        let parameters = Parameters { rule: rule.to_owned(), with: object(with), add: object(add) };
        Linter::builder().parameters([parameters]).build()
    };
    let reports = |linter: &Linter, rule: &str| {
        let mut draft = crate::examples::base::of(crate::Kind::of(crate::KindRole::Submit));
        draft["optInWorkflowDescription"] = json!("Guests tick a box on our website to get texts.");
        draft["useCaseSummary"] =
            json!("Kratom deliveries. Guests get a text when their parcel is on its way to them.");
        linter.check_value(&draft, &Facts::default()).findings.iter().any(|it| it.rule == rule)
    };
    let rule = "opt-in/vague-description";
    assert!(reports(&Linter::builtin(), rule));
    let linter = parameters(rule, json!({"min-chars": 20}), json!({})).expect("it has this parameter");
    assert!(!reports(&linter, rule));
    let misfit = |rule, with, add| match parameters(rule, with, add) {
        Ok(_) => panic!("it should not fit"),
        Err(LinterError::Parameters(errors)) => (errors[0].pointer.clone(), errors[0].message.clone()),
        Err(other) => panic!("{other}"),
    };
    let (pointer, message) = misfit(rule, json!({"min-char": 20}), json!({}));
    assert_eq!(pointer, "/with/min-char");
    assert!(message.contains("did you mean `min_chars`"), "{message}");
    let (_, message) = misfit(rule, json!({"min-chars": "many"}), json!({}));
    assert!(message.contains("must be"), "{message}");
    let (pointer, message) = misfit(rule, json!({}), json!({"min-chars": [1]}));
    assert_eq!((pointer.as_str(), message.contains("is not a list")), ("/add/min-chars", true));
    assert!(misfit("opt-in/vague-descripton", json!({}), json!({})).1.contains("did you mean"));
}
