//! Tests of rules with the fields that only some providers have.

use serde_json::{Value, json};

use super::{base, run_examples};
use crate::facts::Facts;
use crate::lint::Linter;
use crate::provider::detect::KindHint;
use crate::provider::kind::{Kind, KindRole, Provider};
use crate::rule::errors::decode;
use crate::rule::{RuleFile, builtin};
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};

/// The rules that report a document of a kind on a day after all requirements began, each with what it says.
fn reported(kind: Kind, draft: &Value) -> Vec<String> {
    let text = draft.to_string();
    let source = Source::new("draft", &text);
    let facts = Facts { now: "2026-11-22T12:00:00Z".parse().ok(), ..Facts::default() };
    let parsed = Parsed::of(&source, Some(Format::Json));
    let report = Linter::builtin().check(&parsed, KindHint::Forced(kind.into()), &facts);
    report.findings.iter().map(|it| format!("{} {}: {}", it.rule, it.pointer, it.message)).collect()
}

#[test]
fn samples_are_clean_when_all_requirements_have_begun() {
    for kind in Provider::all().iter().flat_map(|it| it.kinds()).filter(|it| it.is_request()) {
        assert_eq!(reported(kind, &base::of(kind)), Vec::<String>::new(), "{kind:?}");
    }
}

#[test]
fn examples_of_rules_about_providers() {
    let rules: Vec<(&str, RuleFile)> = builtin::files()
        .map(|(id, text)| (id, decode::<RuleFile>(id, text).unwrap_or_else(|error| panic!("{id}: {error}"))))
        .filter(|(id, _)| !id.starts_with("structure/") && !id.starts_with("config/"))
        .collect();
    let runs = run_examples(Linter::builtin(), rules.iter().map(|(id, rule)| (*id, rule)));
    let mut wrong = Vec::new();
    for run in runs.expect("the rules exist") {
        for it in run.wrong {
            let found: Vec<_> =
                it.found.iter().map(|it| format!("{} {}: {}", it.rule, it.pointer, it.message)).collect();
            wrong
                .push(format!("{} should {:?} {}\n    found: {found:#?}", run.rule, it.expected, it.example));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_role_that_the_default_provider_does_not_have_is_an_unknown_field_there() {
    let kind = Kind::of(KindRole::Submit);
    let mut draft = base::of(kind);
    draft["registrationNumber"] = json!("07-4472910");
    draft["registrationType"] = json!("EIN");
    draft["privacyPolicyUrl"] = json!("see website");
    let reported = reported(kind, &draft);
    assert_eq!(
        reported.iter().filter(|it| it.starts_with("structure/unknown-field")).count(),
        3,
        "{reported:?}"
    );
    assert_eq!(reported.len(), 3, "{reported:?}");
}
