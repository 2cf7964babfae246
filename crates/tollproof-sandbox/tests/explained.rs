//! A rejection leads back to the draft: `explain` names the rule that the reviewer went by.

use serde_json::Value;
use tollproof_core::{Answer, Facts, KindChoice, KindHint, KindRole, Linter, Parsed, Provider, Source};

use crate::client::ApiClient;

/// Asserts that the answer to a draft is explained by the rules that the sandbox reports for its newest submission.
pub(crate) fn leads_back(client: &ApiClient, provider: &str, draft: &Value, answer: &str) {
    let submissions = client.get("/_sandbox/submissions").json();
    let reasons = submissions["submissions"][0]["reasons"].as_array().expect("it is a list").clone();
    let mut expected: Vec<&str> = reasons.iter().filter_map(|it| it["rule"].as_str()).collect();
    expected.sort_unstable();
    assert!(!expected.is_empty(), "it was rejected by rules: {submissions}");
    let draft = Source::new("draft.json", draft.to_string());
    let answer = Source::new("answer.json", answer.to_owned());
    let (draft, answer) = (Parsed::of(&draft, None), Parsed::of(&answer, None));
    let answer = Answer::of(&answer, &[]).expect("it is an answer");
    let whole = draft.whole();
    let document = whole.documents().next().expect("there is one");
    let provider = Some(provider.parse::<Provider>().expect("it is built in"));
    let kind = KindHint::Forced(KindChoice { provider, role: Some(KindRole::Submit) });
    let report = Linter::builtin().explain(document, kind, &answer, &Facts::default());
    let mut found: Vec<&str> = report.findings.iter().map(|it| &*it.rule).collect();
    found.retain(|rule| !rule.starts_with("answer/"));
    found.sort_unstable();
    assert_eq!(found, expected, "{answer:?}");
}
