//! Tests every rule with its examples.

use tollproof_core::examples::{Wrong, run_examples};
use tollproof_core::{Facts, Linter, RuleFile, builtin_rules, clean_document, decode};

/// Groups that check facts of the provider's API. The others check content and need more examples.
const INTERFACE: [&str; 7] =
    ["answer/", "input/", "structure/", "number/", "record/", "history/", "use-case/"];

fn rule_files() -> impl Iterator<Item = (&'static str, RuleFile)> {
    builtin_rules().map(|(id, text)| {
        let rule = decode::<RuleFile>(id, text)
            .unwrap_or_else(|error| panic!("{id}: {} {:?}", error.message, error.help));
        (id, rule)
    })
}

fn linter() -> Linter {
    Linter::builtin()
}

#[test]
fn failing_examples_fail_and_passing_ones_pass() {
    let rules: Vec<_> = rule_files().collect();
    let runs = run_examples(linter(), rules.iter().map(|(id, rule)| (*id, rule))).expect("the rules exist");
    let mut wrong = Vec::new();
    for run in &runs {
        for Wrong { example, expected, found } in &run.wrong {
            let found: Vec<_> = found.iter().map(|it| format!("{}: {}", it.rule, it.message)).collect();
            wrong.push(format!("{} should {expected:?} {example}\n    found: {found:?}", run.rule));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_examples_docs_and_a_source() {
    for (id, rule) in rule_files() {
        let interface = INTERFACE.iter().any(|group| id.starts_with(group));
        let (pass, fail) = if interface { (1, 1) } else { (3, 2) };
        assert!(
            rule.examples.pass.len() >= pass && rule.examples.fail.len() >= fail,
            "{id} needs {fail} failing and {pass} passing examples"
        );
        assert!(
            rule.docs.trim().len() > 80,
            "{id}: `docs` has 80 characters or less; say why reviewers refuse it"
        );
        assert!(
            !rule.title.ends_with('.') && !rule.message.ends_with('.'),
            "{id}: no full stop behind title and message"
        );
        assert!(!rule.source.is_empty(), "{id} names no source");
    }
}

#[test]
fn clean_documents_are_clean() {
    for kind in tollproof_core::Provider::all().iter().flat_map(|it| it.kinds()) {
        let report = linter().check_value(&clean_document(kind), &Facts::default());
        let found: Vec<_> = report.findings.iter().map(|it| format!("{}: {}", it.rule, it.message)).collect();
        // Without a number, an update request is detected as a submit request, which requires one.
        if kind.role() != tollproof_core::KindRole::Update {
            assert!(found.is_empty(), "{kind}: {found:?}");
        }
    }
}
