//! Tests that answers of providers are linked to the rules that prevent them.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tollproof_core::{
    Answer, Facts, Format, Kind, KindHint, KindRole, Linter, Parsed, RuleFile, Source, builtin_rules,
    clean_document,
};

/// The rules and pointers in the explanation of an answer to the clean submit request, without next steps.
fn explained(answer: &Value) -> Vec<(String, String)> {
    let draft = Source::new("draft", clean_document(Kind::of(KindRole::Submit)).to_string());
    let answer = Source::new("answer", answer.to_string());
    let answer = Parsed::of(&answer, Some(Format::Json));
    let answer = Answer::read(answer.only().expect("there is an answer")).expect("it is one");
    let draft = Parsed::of(&draft, Some(Format::Json));
    let document = draft.only().expect("there is a draft");
    let linter = Linter::builtin();
    let report = linter.explain(document, KindHint::Explicit, &answer, &Facts::default());
    let last = report.findings.last().expect("there is a next step");
    assert_eq!(last.rule, "answer/next-step");
    let told = report.findings.iter().take(report.findings.len() - 1);
    told.map(|finding| (finding.rule.to_string(), finding.pointer.to_string())).collect()
}

fn rejected(code: &str, reason: &str) -> Value {
    let message = json!({
        "StatusCode": code, "DeclineReasonDescription": reason, "ResubmitAllowed": "true", "Message": ""
    });
    json!({ "id": "a7", "phoneNumbers": ["b8"], "status": "Rejected", "statusMessage": message })
}

#[test]
fn codes_lead_to_rules_that_prevent_them() {
    let files = builtin_rules().map(|(id, text)| (id, RuleFile::parse(id, text).expect("it is a rule")));
    let mut rules_of: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (id, rule) in files {
        for prevents in &rule.prevents {
            rules_of.entry(prevents.code.to_string()).or_default().push(id);
        }
    }
    for (code, rules) in rules_of {
        let told = explained(&rejected(&code, ""));
        let [(found, _)] = told.as_slice() else { panic!("{code}: {told:?}") };
        // A rule that finds only a part of a reason is not named for it.
        let is_rule = rules.contains(&found.as_str());
        assert!(is_rule || found == "answer/unforeseen", "{code} is told as {found}");
    }
}

#[test]
fn reasons_in_words_lead_to_rules() {
    for (reason, rule, pointer) in [
        ("The number has already been submitted", "history/duplicate-submission", "/phoneNumbers"),
        (
            "Screenshot of the opt-in page cannot be opened",
            "opt-in/image-not-public",
            "/optInWorkflowImageURLs",
        ),
        ("We could not verify the business", "answer/unforeseen", "/businessName"),
        ("Sample message must identify the brand", "message/missing-brand", "/productionMessageContent"),
        ("Contact e-mail must be on the company's domain", "contact/free-mail", "/businessContactEmail"),
        ("High risk of fraud", "answer/unforeseen", "/businessName"),
        ("Saturn stands in the seventh house", "answer/unforeseen", ""),
    ] {
        assert_eq!(explained(&rejected("", reason)), [(rule.to_owned(), pointer.to_owned())], "{reason}");
    }
}

#[test]
fn names_in_details_are_found_in_any_spelling_and_none_is_dropped() {
    for (name, pointer) in [
        ("businessZip", "/businessZip"),
        ("business_zip", "/businessZip"),
        ("/businessZip", "/businessZip"),
        ("body.businessZip", "/businessZip"),
        ("BusinessZip", "/businessZip"),
        ("optInWorkflowImageURLs[0]", "/optInWorkflowImageURLs/0"),
        ("$.optInWorkflowImageURLs.0", "/optInWorkflowImageURLs/0"),
        ("optInWorkflowImageURLs/7", "/optInWorkflowImageURLs"),
    ] {
        let details = json!({ name: ["is the wrong one"] });
        let told = explained(&json!({ "code": "x", "message": "no", "details": details }));
        assert_eq!(told.iter().map(|(_, pointer)| pointer.as_str()).collect::<Vec<_>>(), [pointer], "{name}");
    }
    let list = json!([{ "field": "businessZip", "issue": "is invalid" }]);
    let told = explained(&json!({ "code": "x", "message": "no", "details": list }));
    assert_eq!(told, [("address/malformed-postal-code".to_owned(), "/businessZip".to_owned())]);
    let odd =
        json!({ "quota": "used up", "": [], "a/b": [["deep"], 4, null], "testMode": { "why": ["so"] } });
    let told = explained(&json!({ "code": "x", "message": "no", "details": odd }));
    let unknown = told.iter().filter(|(rule, _)| rule == "answer/unknown-name").count();
    assert_eq!((told.len(), unknown), (6, 5), "{told:?}");
}
