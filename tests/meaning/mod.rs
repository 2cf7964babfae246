//! Counts of faults that the content rules find in sentences and drafts of authors who had not seen the rules, and of
//! false reports. The numbers may rise; a change that lets one fall must say why.
//!
//! Six points fewer are found than once was asked, because patterns that found little and were often wrong are gone: of
//! the sentences without a fault, 5 % have a warning, and 16 % had one before. In English another part of the loss is
//! chosen: a consent text that lacks one or two of the usual parts is an info, and so are weak words of obligation where the
//! description says that people are free, since most drafts of that kind are accepted.
//!
//! One more point fell when rules that compare topics became infos: of 39 drafts that they reported, 36 had other faults or
//! none.
//!
//! Two more points fell, four of the French, when `opt-in/possibly-required` became an info. Of 30 texts of other authors that
//! it reported, 9 had no fault and 3 another one.

//!
//! `opt-in/keyword-unnamed` and `opt-in/proof-not-public` became infos, because in texts of other authors they were right 9 times
//! of 16 and 8 of 13. What they find of the sentences still counts here, so that no finding is lost with the severity.

use std::collections::BTreeMap;

use serde_json::Value;
use tollproof_core::{Facts, Kind, KindRole, Linter, clean_document};

use crate::support::Folder;

/// The report of a measurement; each test has a folder of its own, because tests run at the same time.
fn measured(folder: &str, args: &[&str]) -> Value {
    let folder = Folder::new(folder)
        .file("sentences.ndjson", include_str!("sentences.ndjson"))
        .file("drafts.ndjson", include_str!("drafts.ndjson"));
    let ran = folder.run(&[&["rules", "eval", "--output-format", "json"], args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("a report is JSON")
}

/// Rules that are infos by decision.
const INFOS: [&str; 2] = ["opt-in/keyword-unnamed", "opt-in/proof-not-public"];

/// The sentences with a fault that these rules find, by language, and the near misses that they blame.
fn found_as_infos() -> (BTreeMap<String, u64>, usize) {
    let linter = Linter::builtin();
    let (mut found, mut blamed) = (BTreeMap::new(), 0);
    for line in include_str!("sentences.ndjson").lines() {
        let sentence: Value = serde_json::from_str(line).expect("it is JSON");
        let text = |key: &str| sentence[key].as_str().expect("it is a text");
        if !["keyword", "unreachable-proof"].contains(&text("mechanism")) {
            continue;
        }
        let mut draft = clean_document(Kind::of(KindRole::Submit));
        let field = &mut draft[text("field")];
        *field = format!("{} {}", field.as_str().unwrap_or_default(), text("text")).into();
        let findings = linter.check_value(&draft, &Facts::default()).findings;
        let is_found = findings.iter().any(|finding| INFOS.contains(&finding.rule.as_ref()));
        if sentence["concepts"].as_array().is_some_and(Vec::is_empty) {
            blamed += usize::from(is_found);
        } else {
            *found.entry(text("lang").to_owned()).or_default() += u64::from(is_found);
        }
    }
    (found, blamed)
}

#[test]
fn faults_are_found_in_sentences_of_all_languages() {
    let report = measured("meaning-sentences", &["--sentences", "sentences.ndjson"]);
    let percent = |at: &str| report.pointer(at).and_then(Value::as_u64).expect(at);
    let (infos, blamed) = found_as_infos();
    assert!(blamed <= 3, "{blamed} near misses");
    let share = |part: &str, infos: u64| {
        let number = |name: &str| percent(&format!("{part}/rightReason/{name}"));
        (number("count") + infos) * 100 / number("of")
    };
    for (language, least) in [("en", 75), ("fr", 79), ("es", 82)] {
        let found = share(&format!("/languages/{language}"), infos[language]);
        assert!(found >= least, "{language}: {found} %");
    }
    let found = share("/total", infos.values().sum());
    assert!(found >= 78, "{found} %");
    assert!(percent("/total/falseErrors/count") <= 1);
    assert!(percent("/total/falseWarnings/percent") <= 6);
}

#[test]
fn no_good_draft_has_an_error() {
    let report = measured("meaning-drafts", &["drafts.ndjson"]);
    let bad = &report["labels"]["bad"]["rightReason"]["count"];
    assert!(bad.as_u64().is_some_and(|found| found >= 15), "{bad}");
    let good = &report["labels"]["good"];
    assert_eq!(good["withErrors"]["count"], 0, "{:#}", good["errorCauses"]);
}
