//! Tests that one mistake gives only the most specific finding, and that fixing it reveals no other one at the same
//! value.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use tollproof_core::examples::Scene;
use tollproof_core::{
    Facts, Fixer, Format, Kind, KindHint, KindRole, Linter, Parsed, RuleFile, Safety, Severity, Source,
    builtin_rules, clean_document, decode,
};

use crate::support::{Folder, part};

/// A clean submit request with some fields changed, as one line of NDJSON.
pub(crate) fn draft(changes: &Value) -> String {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    let fields = draft.as_object_mut().expect("a draft is an object");
    fields.extend(changes.as_object().expect("changes are an object").clone());
    format!("{draft}\n")
}

/// The findings in drafts with these changes: rule, pointer, severity, message and help.
pub(crate) fn found(name: &str, drafts: &[Value], args: &[&str]) -> Vec<Vec<Value>> {
    let lines: String = drafts.iter().map(draft).collect();
    let folder = Folder::new(name).file("drafts.ndjson", lines);
    let always = ["check", "--ignore", "history", "--min-severity", "info", "--output-format", "json"];
    let ran = folder.run(&[&always, args, &["drafts.ndjson"]].concat());
    let report: Value = serde_json::from_str(&ran.out).expect("the report is JSON");
    let mut by_draft = vec![Vec::new(); drafts.len()];
    for finding in report["findings"].as_array().expect("findings are a list") {
        let document = usize::try_from(finding["document"].as_u64().expect("a number")).expect("it fits");
        by_draft[document].push(finding.clone());
    }
    by_draft
}

/// The rules with findings at a pointer or below it.
fn rules_at<'f>(findings: &'f [Value], pointer: &str) -> Vec<&'f str> {
    let at = |finding: &&Value| finding["pointer"].as_str().is_some_and(|text| text.starts_with(pointer));
    findings.iter().filter(at).map(|finding| finding["rule"].as_str().expect("a rule has a name")).collect()
}

#[test]
fn one_value_has_one_finding() {
    let number = "+18334726150";
    let cases = [
        ("/phoneNumbers", json!({"phoneNumbers": [number]}), "structure/malformed-uuid", "error"),
        ("/phoneNumbers", json!({"phoneNumbers": [18_334_726_150_u64]}), "structure/malformed-uuid", "error"),
        ("/phoneNumbers", json!({"phoneNumbers": ["(833) 472-6150"]}), "structure/malformed-uuid", "error"),
        ("/phoneNumbers", json!({"phoneNumbers": number}), "structure/wrong-type", "error"),
        (
            "/corporateWebsite",
            json!({"corporateWebsite": "www.facebook.com/x"}),
            "website/social-page",
            "error",
        ),
        (
            "/corporateWebsite",
            json!({"corporateWebsite": "https://www.facebook.com/x"}),
            "website/social-page",
            "warning",
        ),
        (
            "/corporateWebsite",
            json!({"corporateWebsite": "x.wixsite.com/tours"}),
            "website/malformed-url",
            "error",
        ),
        (
            "/optInWorkflowImageURLs",
            json!({"optInWorkflowImageURLs": ["drive.google.com/file/d/1/view"]}),
            "opt-in/image-on-file-share",
            "error",
        ),
        (
            "/optInWorkflowImageURLs",
            json!({"optInWorkflowImageURLs": ["www.quillbackkayak.com"]}),
            "opt-in/home-page",
            "error",
        ),
        (
            "/businessContactPhone",
            json!({"businessContactPhone": "(207) 555-0142"}),
            "contact/fictional-phone",
            "warning",
        ),
        (
            "/businessContactPhone",
            json!({"businessContactPhone": "1-800-472-6150"}),
            "contact/toll-free-phone",
            "warning",
        ),
        (
            "/productionMessageContent",
            json!({"productionMessageContent": "Hi [Name], Quillback Kayak Tours: your trip is on. Reply STOP to opt out."}),
            "content/template-variable",
            "warning",
        ),
        (
            "/businessName",
            json!({"businessName": "[Insert company name here]"}),
            "business/placeholder",
            "error",
        ),
        ("/useCase", json!({"useCase": ""}), "structure/empty-field", "error"),
        ("/useCase", json!({"useCase": "  "}), "structure/empty-field", "error"),
        ("/messageVolume", json!({"messageVolume": ""}), "structure/empty-field", "error"),
        ("/business", json!({"businessCountry": "NO"}), "address/country-mismatch", "error"),
        ("/business", json!({"businessCountry": "no"}), "address/country-mismatch", "error"),
        (
            "/business",
            json!({"businessCountry": "CA", "businessState": "CA", "businessZip": "94105"}),
            "address/country-mismatch",
            "error",
        ),
        (
            "/business",
            json!({"businessState": "Ontario", "businessZip": "M5V 2T6"}),
            "address/country-mismatch",
            "error",
        ),
        ("/businessZip", json!({"businessZip": "4101"}), "address/malformed-postal-code", "error"),
    ];
    let drafts: Vec<Value> = cases.iter().map(|(_, changes, ..)| changes.clone()).collect();
    let found = found("deepest", &drafts, &[]);
    for ((pointer, changes, rule, severity), found) in cases.iter().zip(&found) {
        assert_eq!(rules_at(found, pointer), [*rule], "{changes}");
        let finding = found.iter().find(|it| it["rule"] == *rule).expect("it was found");
        assert_eq!(finding["severity"], *severity, "{changes}");
    }
    let said = |at: usize, key: &str| found[at].iter().map(|it| it[key].to_string()).collect::<String>();
    for (at, findings) in found.iter().enumerate().take(4) {
        let words = said(at, "message") + &said(at, "help");
        assert!(words.contains("phone number") || words.contains("identifier of this number"), "{words}");
        assert!(findings.iter().all(|it| it["fix"].is_null()), "no quotes make an identifier of a number");
    }
    assert!(said(11, "message").contains("`[Name]`"), "the whole slot is quoted");
    assert!(said(16, "help").contains("Norway, not the word no"), "{}", said(16, "help"));
    assert!(said(20, "message").contains("leading zero"));
    assert!(said(20, "help").contains("04101"), "{}", said(20, "help"));
}

#[test]
fn items_of_a_list_that_is_too_long_are_judged_too() {
    let two = json!({"phoneNumbers": ["+18334726150", "9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"]});
    let found = found("deepest-two", &[two], &[]);
    assert_eq!(rules_at(&found[0], "/phoneNumbers"), ["number/not-one-number", "structure/malformed-uuid"]);
}

#[test]
fn unquoted_numbers_in_yaml_are_phone_numbers_too() {
    let folder = Folder::new("deepest-yaml")
        .file("draft.yaml", "businessName: Quillback LLC\nphoneNumbers: [+18334726150]\n");
    let ran = folder.run(&["check", "--output-format", "concise", "draft.yaml"]);
    assert!(ran.out.contains("structure/malformed-uuid"), "{}", ran.out);
    assert!(ran.out.contains("takes the UUID of the number"), "{}", ran.out);
    assert!(!ran.out.contains("structure/wrong-type"), "{}", ran.out);
}

/// The more general finding returns if the specific rule is off, lowered or ignored.
#[test]
fn a_missing_scheme_is_not_lost_with_the_deeper_finding() {
    let website = json!({"corporateWebsite": "www.facebook.com/x"});
    let found =
        found("deepest-ignored", std::slice::from_ref(&website), &["--ignore", "website/social-page"]);
    assert_eq!(rules_at(&found[0], "/corporateWebsite")[0], "website/malformed-url");
    let text = draft(&website);
    let ignored = "rules:\n  website/social-page: info\n";
    let folder = Folder::new("deepest-level").file("draft.json", &text).file("tollproof.yaml", ignored);
    let ran = folder.run(&["check", "--output-format", "concise", "draft.json"]);
    assert!(ran.out.contains("website/malformed-url") && ran.code == Some(1), "{} {}", ran.out, ran.err);
    let ignored = "ignore:\n  - { rule: website/social-page, reason: it has no site }\n";
    let folder = Folder::new("deepest-entry").file("draft.json", &text).file("tollproof.yaml", ignored);
    let ran = folder.run(&["check", "--output-format", "concise", "draft.json"]);
    assert!(ran.out.contains("website/malformed-url") && ran.code == Some(1), "{} {}", ran.out, ran.err);
}

#[test]
fn what_a_safe_fix_leaves_is_judged_in_the_same_run() {
    let folder = Folder::new("deepest-meant")
        .file("phone.yaml", "businessName: Quillback LLC\nbusinessContactPhone: 2075550142\n")
        .file("zip.yaml", "businessState: ME\nbusinessCountry: US\nbusinessZip: 94105\n");
    let ran = folder.run(&["check", "--output-format", "concise", "."]);
    for line in
        ["phone.yaml:2:23: error[structure/wrong-type]", "phone.yaml:2:23: warning[contact/fictional-phone]"]
    {
        assert!(ran.out.contains(line), "{}", ran.out);
    }
    for line in
        ["zip.yaml:3:14: error[structure/wrong-type]", "zip.yaml:3:14: error[address/postal-code-mismatch]"]
    {
        assert!(ran.out.contains(line), "{}", ran.out);
    }
    let late = json!({"messageVolume": "1000000", "useCase": "appointments"});
    let found = found("deepest-late", &[late], &[]);
    let rules = ["use-case/unknown-message-volume", "use-case/unlikely-volume"];
    assert_eq!(rules_at(&found[0], "/messageVolume"), rules);
}

/// A document with the example that it comes from.
struct Case {
    from: String,
    text: String,
    format: Format,
    kind: Option<Kind>,
}

/// The failing examples of all rules that are whole documents, with the fields that they change.
fn examples() -> Vec<(Case, Map<String, Value>)> {
    let mut cases = Vec::new();
    for (id, text) in builtin_rules() {
        let rule = decode::<RuleFile>(id, text).expect("the built-in rules are right");
        for example in &rule.examples.fail {
            let scene = Scene::of(&rule, example);
            if !scene.stands_alone() {
                continue;
            }
            let format = if scene.file_name() == "draft.yaml" { Format::Yaml } else { Format::Json };
            let changes = example.as_object().cloned().unwrap_or_default();
            let case = Case { from: format!("{id} {example}"), kind: scene.kind(), text: scene.text, format };
            cases.push((case, changes));
        }
    }
    cases
}

/// Applies the safe fixes of a text, and returns new findings at the fixed values.
fn uncovered(linter: &Linter, case: &Case) -> Option<Vec<String>> {
    let source = Source::new("draft", case.text.as_str());
    let kind = case.kind.map_or(KindHint::Explicit, |kind| KindHint::Forced(kind.into()));
    let parsed = Parsed::of(&source, Some(case.format));
    let mut check = |parsed: &Parsed<'_>| linter.check(parsed, kind, &Facts::default());
    let before = check(&parsed);
    let safe = |fix: &tollproof_core::Fix| fix.safety == Safety::Safe;
    let fixed: BTreeSet<&str> = before
        .findings
        .iter()
        .filter(|finding| finding.fix.as_ref().is_some_and(safe))
        .map(|it| it.pointer.as_str())
        .collect();
    if fixed.is_empty() {
        return None;
    }
    let known: BTreeSet<(&str, &str)> =
        before.findings.iter().map(|finding| (finding.rule.as_ref(), finding.pointer.as_str())).collect();
    let fixer = Fixer { reach: Safety::Safe, least: Severity::Info };
    let after = fixer.fix(&parsed, &before, &mut check)?.report;
    let new = after.findings.iter().filter(|finding| fixed.contains(finding.pointer.as_str()));
    let new = new.filter(|finding| !known.contains(&(finding.rule.as_ref(), finding.pointer.as_str())));
    Some(new.map(|it| format!("{} at {}: {}", it.rule, it.pointer, it.message)).collect())
}

#[test]
fn safe_fixes_bring_up_nothing_at_their_value() {
    let linter = Linter::builtin();
    let examples = examples();
    let mut fixable = Vec::new();
    let mut wrong = Vec::new();
    let mut judge = |case: &Case| {
        let found = uncovered(&linter, case);
        let has_fix = found.is_some();
        wrong.extend(found.into_iter().flatten().map(|it| format!("{}\n    {it}", case.from)));
        has_fix
    };
    for (case, changes) in &examples {
        if judge(case) && case.format == Format::Json {
            fixable.push((case, changes));
        }
    }
    assert!(fixable.len() > 15, "the examples show what can be fixed");
    // Combine each example with one of each rule that changes other fields of the same kind of document.
    let mut seen = BTreeSet::new();
    let partners: Vec<_> = examples
        .iter()
        .filter(|(case, changes)| !changes.is_empty() && seen.insert(case.from.split(' ').next()))
        .collect();
    let mut pairs = 0;
    for (case, changes) in part(4, fixable) {
        for (other, more) in partners.iter().filter(|(other, _)| other.kind == case.kind) {
            if more.keys().any(|key| changes.contains_key(key)) {
                continue;
            }
            let mut document: Value = serde_json::from_str(&case.text).expect("it is JSON");
            let fields = document.as_object_mut().expect("it is an object");
            for (name, value) in more.iter().filter(|(name, _)| !name.starts_with('$')) {
                match value.as_str() {
                    Some("$absent") => fields.remove(name),
                    _ => fields.insert(name.clone(), value.clone()),
                };
            }
            let from = format!("{} with {}", case.from, other.from);
            judge(&Case { from, text: document.to_string(), format: Format::Json, kind: case.kind });
            pairs += 1;
        }
    }
    assert!(pairs > 125, "{pairs} pairs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
