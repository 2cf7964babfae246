//! No fix makes a new error, whatever is wrong with a draft.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tollproof_core::{Finding, Kind, KindHint, KindRole, Report, Safety, Severity, clean_document};

use super::invariants::{Notation, assert_fixed, fix, wanted};
use crate::support::Folder;

/// Something that goes wrong with one field of a draft.
#[derive(Clone, Debug)]
enum Mutation {
    Drop,
    Rename(&'static str),
    /// Another spelling of the field beside it, with a value of its own.
    Beside(&'static str, Value),
    Value(Value),
}

/// Ways to misspell a name: each makes another name of it.
const SPELLINGS: [&str; 7] = ["upper", "first", "snake", "typo", "lower", "short", "kebab"];

fn spelled(name: &str, spelling: &str) -> String {
    let apart = |mark: &str| {
        name.chars().fold(String::new(), |text, it| {
            if it.is_uppercase() {
                text + mark + &it.to_lowercase().to_string()
            } else {
                text + &it.to_string()
            }
        })
    };
    match spelling {
        "upper" => name.to_uppercase(),
        "lower" => name.to_lowercase(),
        "first" => name[..1].to_uppercase() + &name[1..],
        "snake" => apart("_"),
        "kebab" => apart("-"),
        "typo" => name.replacen('s', "ss", 1).replacen('m', "n", 1) + "e",
        _ => name[..name.len() - 1].to_owned(),
    }
}

/// Values that people leave in fields, and that a fix knows to correct.
fn values() -> Vec<Value> {
    let texts = [
        "",
        " ",
        "N/A",
        "2fa",
        "2FA",
        " 2FA ",
        "Appointments",
        "appointments",
        "Appointment",
        "general marketing",
        "Mixd",
        "1000",
        "1,000 ",
        "10000000",
        "2134",
        "4101",
        "02134",
        "M5V 2T6",
        "MA",
        "me",
        " ME",
        "ON",
        "Maine",
        "CA",
        "ca",
        "Canada",
        "USA",
        "us ",
        "United States",
        "Germany",
        "(207) 772-4831",
        "2077724831",
        "+1 207 772 4831 ext 5",
        "www.quillbackkayak.com",
        "quillbackkayak.com",
        "https://facebook.com/quillback",
        "https://drive.google.com/a.png",
        "bit.ly/x\nwww.x",
        "https://a.quillbackkayak.com/a.png\nhttps://bit.ly/b",
        "irene@gmail.com",
        " irene@quillbackkayak.com",
        "yes",
        "no",
        "true",
        "+5",
        "05",
        "5",
        "Payday loans!",
        "Hi [Name]",
        "Suite #4",
        "#4",
        "a: b # c",
        "tollfree ",
        "Toll-Free",
        "not an id",
        " 0f5f6a3e-2f6b-4f3e-9a53-0f8c9f1f2a3b ",
    ];
    let others = [
        json!(2134),
        json!(94105),
        json!(2_077_724_831_u64),
        json!(1000),
        json!(4101.0),
        json!(1e30),
        json!(true),
        json!(false),
        json!(null),
        json!(0),
        json!([]),
        json!([["a"]]),
        json!(["", "www.quillbackkayak.com"]),
        json!({"a": 1}),
        json!(-3),
    ];
    texts.iter().map(|it| json!(it)).chain(others).collect()
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let value = || proptest::sample::select(values());
    let spelling = || proptest::sample::select(SPELLINGS.to_vec());
    prop_oneof![
        1 => Just(Mutation::Drop),
        3 => spelling().prop_map(Mutation::Rename),
        2 => (spelling(), value()).prop_map(|(spelling, value)| Mutation::Beside(spelling, value)),
        6 => value().prop_map(Mutation::Value),
    ]
}

/// A draft with a few fields that went wrong.
fn mutated() -> impl Strategy<Value = Value> {
    let kinds = [
        Kind::of(KindRole::Submit),
        Kind::of(KindRole::Submit),
        Kind::of(KindRole::Update),
        Kind::of(KindRole::Purchase),
        Kind::of(KindRole::Search),
    ];
    let mutations = proptest::collection::vec((any::<prop::sample::Index>(), mutation()), 0..6);
    (proptest::sample::select(kinds.to_vec()), mutations).prop_map(|(kind, mutations)| {
        let mut draft = clean_document(kind);
        for (at, mutation) in mutations {
            let fields = match draft.get_mut("numbers") {
                Some(numbers) if numbers[0].is_object() => &mut numbers[0],
                _ => &mut draft,
            };
            let fields = fields.as_object_mut().expect("a draft is an object");
            if !fields.is_empty() {
                mutate(fields, at, mutation);
            }
        }
        draft
    })
}

fn mutate(fields: &mut Map<String, Value>, at: prop::sample::Index, mutation: Mutation) {
    let name = fields.keys().nth(at.index(fields.len())).expect("it is within").clone();
    match mutation {
        Mutation::Drop => drop(fields.remove(&name)),
        Mutation::Rename(spelling) => {
            let value = fields.remove(&name).expect("it is there");
            fields.insert(spelled(&name, spelling), value);
        }
        Mutation::Beside(spelling, value) => drop(fields.insert(spelled(&name, spelling), value)),
        Mutation::Value(value) => drop(fields.insert(name, value)),
    }
}

/// Counts errors by place and rule.
fn errors(report: &Report) -> BTreeMap<(usize, String, String), usize> {
    let mut errors = BTreeMap::new();
    for it in report
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error && finding.suppressed.is_none())
    {
        *errors.entry((it.document, it.pointer.to_string(), it.rule.to_string())).or_insert(0) += 1;
    }
    errors
}

/// The places that the fixes of a finding change: its value, and that under its new name.
fn corrected(finding: &Finding) -> Vec<(usize, String)> {
    let above = finding.pointer.rsplit_once('/').map_or("", |(above, _)| above);
    let names = finding.fix.iter().flat_map(|fix| &fix.edits);
    let names = names.map(|edit| format!("{above}/{}", edit.text.trim_matches('"')));
    names.chain([finding.pointer.to_string()]).map(|pointer| (finding.document, pointer)).collect()
}

/// Holds a fixed text against what it was.
///
/// The number of errors never rises. Where a fix changed nothing, no error is new. Where it renamed a field or
/// corrected a value, the value may be judged for the first time, but only in place of an error that was there:
/// the missing field, the wrong type, the malformed value.
fn assert_no_new_error(notation: Notation, text: &str, reach: Safety) {
    let (fixed_text, passes) = fix(text, notation.format(), KindHint::Explicit, reach);
    let Some(fixed_text) = fixed_text else { return };
    let corrected: BTreeSet<(usize, String)> = passes
        .iter()
        .flat_map(|(_, report)| wanted(report, reach))
        .flat_map(|(it, _)| corrected(it))
        .collect();
    let is_within = |pointer: &str, place: &str| {
        pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let (before, after) = (errors(&passes[0].1), errors(&fixed_text.report));
    for ((document, pointer, rule), count) in &after {
        let known = before.get(&(*document, pointer.clone(), rule.clone())).copied().unwrap_or_default();
        if *count <= known {
            continue;
        }
        let place = corrected.iter().find(|(of, place)| of == document && is_within(pointer, place));
        let (_, place) = place.unwrap_or_else(|| {
            panic!("new: {rule} at {pointer}: {text}\nbecame\n{}", fixed_text.source.text())
        });
        let all = |errors: &BTreeMap<(usize, String, String), usize>| -> usize {
            let here = errors.iter().filter(|((of, it, _), _)| of == document && is_within(it, place));
            here.map(|(_, count)| count).sum()
        };
        assert!(all(&after) <= all(&before), "more at {place}: {text}\nbecame\n{}", fixed_text.source.text());
    }
    let all = |errors: BTreeMap<_, usize>| errors.into_values().sum::<usize>();
    assert!(all(after) <= all(before), "more errors: {text}\nbecame\n{}", fixed_text.source.text());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(400), ..ProptestConfig::default() })]

    #[test]
    fn no_fix_makes_a_new_error(
        drafts in proptest::collection::vec(mutated(), 1..3),
        notation in proptest::sample::select(Notation::ALL.to_vec()),
    ) {
        let text = notation.write(&drafts);
        for reach in [Safety::Safe, Safety::Unsafe] {
            assert_no_new_error(notation, &text, reach);
            assert_fixed(notation, &text, reach);
        }
    }

    /// Fixes of lines are tried without reading the other lines again.
    #[test]
    fn lines_have_the_fixes_of_a_list(drafts in proptest::collection::vec(mutated(), 1..5)) {
        let [lines, list] = [Notation::Lines, Notation::OneLine].map(|notation| {
            let text = notation.write(&drafts);
            let (_, passes) = fix(&text, notation.format(), KindHint::Explicit, Safety::Safe);
            let found = passes[0].1.findings.iter();
            found.map(|finding| (finding.document, finding.rule.to_string(), finding.pointer.to_string(), finding.fix.is_some())).collect::<Vec<_>>()
        });
        prop_assert_eq!(lines, list);
    }
}

/// Result of `--fix --unsafe-fixes` on a draft whose fields are misspelt, and the report before it.
fn renamed(test: &str, from: &str, fields: &[(&str, Value)]) -> (Value, String) {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    let all = draft.as_object_mut().expect("a draft is an object");
    all.remove(from);
    all.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    let folder = Folder::new(test).file("d.json", draft.to_string());
    let report = folder.run(&["check", "--no-config", "--output-format", "json", "d.json"]).out;
    folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", "d.json"]);
    let after = std::fs::read_to_string(folder.0.join("d.json")).expect("it is still there");
    (serde_json::from_str(&after).expect("it is still JSON"), report)
}

#[test]
fn a_field_is_never_renamed_to_one_that_is_there() {
    let fields = [("businessState", json!("ME")), ("BusinessState", json!("MA"))];
    let (after, report) = renamed("a_field_is_never_renamed_to_on", "businessName", &fields);
    assert_eq!((&after["businessState"], &after["BusinessState"]), (&json!("ME"), &json!("MA")), "{report}");
    assert_eq!(after.get("businessName"), None, "the next field that is near is not meant");
    assert!(report.contains("`businessState` is already in the draft."), "{report}");
}

#[test]
fn two_fields_are_never_renamed_to_one() {
    let fields = [("use_case", json!("2FA")), ("UseCase", json!("Booking Confirmations"))];
    let (after, report) = renamed("two_fields_are_never_renamed_t", "useCase", &fields);
    assert_eq!((after.get("useCase"), &after["use_case"]), (None, &json!("2FA")), "{report}");
    assert!(report.contains("Did you mean `useCase`? Another unknown field could mean it too"), "{report}");
}

#[test]
fn a_field_is_not_renamed_where_that_makes_a_new_error() {
    // An optional field: nothing was wrong, and a text of the wrong type would be.
    let (after, report) =
        renamed("a_field_is_not_renamed_where_t", "testMode", &[("test_mode", json!("perhaps"))]);
    assert_eq!(after["test_mode"], json!("perhaps"), "{report}");
    assert!(report.contains("Did you mean `testMode`?"), "{report}");
    assert_eq!(
        renamed("a_field_is_not_renamed_where_t", "testMode", &[("test_mode", json!(true))]).0["testMode"],
        json!(true)
    );
    // Two fields that contradict each other once both have their names.
    let fields = [("businesState", json!("TX")), ("businessCountry", json!("US"))];
    assert_eq!(
        renamed("a_field_is_not_renamed_where_t", "businessState", &fields).0["businesState"],
        json!("TX")
    );
    let (after, _) =
        renamed("a_field_is_not_renamed_where_t", "businessState", &[("businesState", json!("ME"))]);
    assert_eq!(after["businessState"], json!("ME"));
}

#[test]
fn a_condition_holds_before_its_value_has_the_right_form_too() {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft["useCase"] = json!("2fa");
    let folder = Folder::new("a_condition_holds").file("d.json", draft.to_string());
    let args = ["check", "--no-config", "--output-format", "concise", "d.json"];
    let before = folder.run(&args).out;
    folder.run(&["check", "--no-config", "--fix", "d.json"]);
    let after = folder.run(&args).out;
    assert!(
        before.contains("message/no-code-in-2fa") && after.contains("message/no-code-in-2fa"),
        "{before}{after}"
    );
    assert!(
        before.contains("use-case/unknown-use-case") && !after.contains("unknown-use-case"),
        "{before}{after}"
    );
}
