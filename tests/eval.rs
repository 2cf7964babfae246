//! `tollproof rules eval`: what counts as found, what counts as false, and what is printed of a data file.

use serde_json::{Value, json};

use crate::support::Folder;

/// The draft on the first line of the story about rules.
fn draft() -> Value {
    let text = include_str!("cases/rules.in/verdicts.ndjson");
    let line: Value = serde_json::from_str(text.lines().next().expect("it has lines")).expect("JSON");
    line["draft"].clone()
}

fn changed(changes: &[(&str, &str)]) -> Value {
    let mut draft = draft();
    changes.iter().for_each(|(field, value)| draft[field] = (*value).into());
    draft
}

/// The report on a file in the folder, as JSON.
fn report(folder: &Folder, args: &[&str]) -> Value {
    let args = [&["rules", "eval", "--output-format", "json"], args].concat();
    let ran = folder.run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("a report is JSON")
}

fn lines(all: &[Value]) -> String {
    all.iter().map(|line| format!("{line}\r\n")).collect()
}

#[test]
fn only_findings_on_the_field_count_and_no_text_is_printed() {
    // The finding is located at the e-mail address; the website only explains it.
    let elsewhere = changed(&[
        ("businessContactEmail", "leah.whitcomb@quillbackkayak.com"),
        ("businessAddr2", "Suite 1"),
    ]);
    let line = |id: Value, label: &str, field: &str| {
        let expected = ["email-domain-mismatch"];
        json!({ "id": id, "label": label, "field": field, "expect_any_of": expected, "draft": elsewhere, "by": "Ana" })
    };
    let all = [
        line("a".into(), "bad", "corporateWebsite"),
        line(2.into(), "bad", "businessContactEmail"),
        line("c".into(), "bad", "businessName"),
        line("d".into(), "good", "all"),
        line("e".into(), "bad", "all"),
    ];
    let folder = Folder::new("eval").file("labelled.ndjson", format!("\u{feff}{}\n", lines(&all)));
    let report = report(&folder, &["labelled.ndjson"]);
    let bad = &report["labels"]["bad"];
    assert_eq!(bad["detected"], json!({"count": 2, "of": 4, "percent": 50}), "{bad}");
    assert_eq!(bad["undetected"], json!(["a", "c"]));
    assert_eq!(bad["rightReason"], bad["detected"]);
    assert_eq!(bad["rightReasonAnywhere"], json!({"count": 4, "of": 4, "percent": 100}));
    let good = &report["labels"]["good"];
    assert_eq!(good["withErrors"]["count"], 0, "{good}");
    assert_eq!(good["withWarnings"], json!({"count": 1, "of": 1, "percent": 100}));
    assert_eq!(bad["concepts"]["email-domain-mismatch"]["rightReason"], bad["detected"]);
    let rules = report["rules"].as_array().expect("a list");
    let rule = rules.iter().find(|it| it["rule"] == "contact/email-domain-mismatch").expect("it is built in");
    assert_eq!((&rule["good"], &rule["bad"]), (&1.into(), &4.into()));
    assert_eq!(rule["precision"]["percent"], 80);
    assert_eq!(rule["concepts"], json!(["email-domain-mismatch"]));
    let text = report.to_string();
    for value in draft().as_object().expect("an object").values().filter_map(Value::as_str) {
        assert!(value.len() < 5 || !text.contains(value), "{value}");
    }
}

#[test]
fn another_concept_on_the_field_is_another_reason() {
    let bad = |id: &str, expected: Value| {
        let draft = changed(&[("productionMessageContent", "Harbor Lantern Dental: see you at 9.")]);
        json!({ "id": id, "label": "bad", "field": "productionMessageContent", "expect_any_of": expected, "draft": draft })
    };
    let all = [
        bad("a", json!(["age-gate", "opt-out-missing"])),
        bad("b", json!(["age-gate"])),
        // Without an expected concept, there is no right reason.
        bad("c", json!([])),
    ];
    let folder = Folder::new("eval-reason").file("labelled.ndjson", lines(&all));
    let report = report(&folder, &["labelled.ndjson"]);
    let bad = &report["labels"]["bad"];
    assert_eq!(bad["detected"]["count"], 3);
    assert_eq!(bad["rightReason"], json!({"count": 1, "of": 2, "percent": 50}));
    assert_eq!(bad["otherReason"], json!(["b"]));
    let both = json!({
        "detected": {"count": 2, "of": 2, "percent": 100},
        "rightReason": {"count": 1, "of": 2, "percent": 50},
    });
    assert_eq!(bad["concepts"], json!({ "age-gate": both }));
}

#[test]
fn false_errors_are_grouped_by_the_words_that_cause_them() {
    let good = |id: &str, email: &str| json!({ "id": id, "label": "good", "draft": changed(&[("businessContactEmail", email)]) });
    let all = [
        good("a", "leah@gmail.com"),
        good("b", "leah.whitcomb@yahoo.com"),
        good("c", "leah.whitcomb@Gmail.com"),
        good("d", "leah.whitcomb@harborlanterndental.com"),
    ];
    let folder = Folder::new("eval-causes").file("labelled.ndjson", lines(&all));
    let of = |args: &[&str]| report(&folder, args)["labels"]["good"].clone();
    let cause = |words: &str, ids: Value| json!({ "rule": "contact/free-mail", "field": "businessContactEmail", "words": words, "drafts": ids });
    let good = of(&["labelled.ndjson", "--verbose"]);
    assert_eq!(good["withErrors"], json!({"count": 3, "of": 4, "percent": 75}));
    // A draft with a false error is not counted a second time for its warnings.
    assert_eq!(good["withWarnings"]["count"], 0);
    assert_eq!(
        good["errorCauses"],
        json!([cause("gmail.com", json!(["a", "c"])), cause("yahoo.com", json!(["b"]))])
    );
    let short = of(&["labelled.ndjson"]);
    assert_eq!(short["errorCauses"].as_array().map(Vec::len), Some(2));
    assert!(!short.to_string().contains("gmail"), "{short}");
}

#[test]
fn sentences_are_counted_by_what_they_cause() {
    let sentence = |id: &str, scope: &str, text: &str, concepts: Value| {
        json!({
            "id": id, "mechanism": "stop", "lang": "en", "field": "productionMessageContent", "scope": scope,
            "text": text, "concepts": concepts, "roles": {"brand": ["Alder Street Books"], "act": ["stop"]},
        })
    };
    let nothing = || json!([]);
    let mut tolerated = sentence("f", "field", "Alder Street Books: your order is here.", nothing());
    tolerated["tolerate"] = json!(["opt-out-missing"]);
    let all = [
        sentence("a", "field", "Alder Street Books: your order is here.", json!(["opt-out-missing"])),
        // The clean text before the clause says how to stop.
        sentence("b", "clause", "Your order is here.", json!(["opt-out-missing"])),
        sentence("c", "field", "Alder Street Books: your order is here.", nothing()),
        // The text before the clause names another business, and a clause does not have to name it.
        sentence("d", "clause", "Your order is here.", nothing()),
        sentence("e", "field", "Alder Street Books: your order is here. Reply STOP to opt out.", nothing()),
        tolerated,
    ];
    let folder = Folder::new("eval-sentences").file("sentences.ndjson", lines(&all));
    let short = report(&folder, &["--sentences", "sentences.ndjson"]);
    let counts = json!({
        "rightReason": {"count": 1, "of": 2, "percent": 50},
        "falseErrors": {"count": 1, "of": 4, "percent": 25},
        "falseWarnings": {"count": 0, "of": 4, "percent": 0},
    });
    assert_eq!(short["total"], counts, "{short}");
    assert_eq!((&short["mechanisms"]["stop"], &short["languages"]["en"]), (&counts, &counts));
    assert_eq!(short["missed"][0]["id"], "b");
    let wrong = json!({
        "id": "c", "expected": [], "severity": "error", "rules": ["message/missing-opt-out"],
    });
    assert_eq!(short["falseReports"], json!([wrong]));
    assert!(!short.to_string().contains("order"), "{short}");
    let long = report(&folder, &["--sentences", "sentences.ndjson", "-v"]);
    assert_eq!(long["falseReports"][0]["text"], "Alder Street Books: your order is here.");
    assert_eq!(long["missed"][0]["text"], "Your order is here.");
}

#[test]
fn lines_that_are_not_sentences_are_refused() {
    let good = json!({
        "mechanism": "stop", "lang": "en", "field": "productionMessageContent", "text": "Hi.", "concepts": [],
    });
    let with = |key: &str, value: Value| {
        let mut line = good.clone();
        line[key] = value;
        line.to_string()
    };
    for (line, why) in [
        ("{".to_owned(), "EOF while parsing an object"),
        ("{}".to_owned(), "the key `mechanism` is missing"),
        (with("scope", "line".into()), "`line` is not a scope; use `clause` or `field`"),
        (
            with("field", "useCaseSumary".into()),
            "`useCaseSumary` is not a field of a submit request; did you mean",
        ),
        (with("context", json!({"color": "red"})), "`color` is not a field of a submit request"),
        (with("concepts", "age-gate".into()), "expected a sequence"),
    ] {
        let folder = Folder::new("eval-refused").file("a.ndjson", format!("{good}\n\n{line}\n"));
        let ran = folder.run(&["rules", "eval", "--sentences", "a.ndjson"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{line}");
        let start = "error: cannot use line 3 of `a.ndjson`: ";
        assert!(ran.err.starts_with(start) && ran.err.contains(why), "{}", ran.err);
    }
    let folder = Folder::new("eval-empty").file("a.ndjson", "\n").file("b.ndjson", format!("{good}\n"));
    for (file, why) in [("a.ndjson", "labelled sentence"), ("b.ndjson", "sentence with a `split`")] {
        let ran = folder.run(&["rules", "eval", "--sentences", file, "--split", "check"]);
        assert_eq!((ran.code, ran.err), (Some(2), format!("error: `{file}` contains no {why}\n")));
    }
    let ran = folder.run(&["rules", "eval", "b.ndjson", "--split", "check"]);
    assert!(ran.code == Some(2) && ran.err.contains("--sentences"), "{}", ran.err);
}
