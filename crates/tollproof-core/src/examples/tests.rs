//! Tests of rules with the fields that only some providers have.

use serde_json::json;

use super::{base, run_examples};
use crate::facts::Facts;
use crate::lint::Linter;
use crate::provider::kind::{Kind, KindRole};
use crate::rule::{RuleFile, builtin};

#[test]
fn built_in_rules_have_the_results_of_their_examples() {
    let rules: Vec<(&str, RuleFile)> = builtin::files()
        .map(|(id, text)| (id, RuleFile::parse(id, text).unwrap_or_else(|error| panic!("{id}: {error}"))))
        .collect();
    let runs = run_examples(Linter::builtin(), rules.iter().map(|(id, rule)| (*id, rule)));
    let mut wrong = Vec::new();
    for run in runs.expect("the rules exist") {
        for it in run.wrong {
            let found: Vec<_> = it.found.iter().map(|it| format!("{} {}: {}", it.rule, it.pointer, it.message)).collect();
            wrong.push(format!("{} should {:?} {}\n    found: {found:#?}", run.rule, it.expected, it.example));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_role_that_the_default_provider_does_not_have_is_an_unknown_field_there() {
    let mut draft = base::of(Kind::of(KindRole::Submit));
    draft["registrationNumber"] = json!("07-4472910");
    draft["registrationType"] = json!("EIN");
    draft["privacyPolicyUrl"] = json!("see website");
    let report = Linter::builtin().check_value(&draft, &Facts::default());
    let rules: Vec<_> = report.findings.iter().map(|it| it.rule.as_ref()).collect();
    assert_eq!(rules, ["structure/unknown-field"; 3]);
}
