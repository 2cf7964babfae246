//! ZIP codes that lost their zeros, and other numbers of which a fix must not write a wrong text.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, clean_document};

use super::fix::yaml;
use super::support::Folder;

/// The states whose ZIP codes begin with a zero, each with a code that lost it.
const STATES: [(&str, &str, &str); 10] = [
    ("MA", "2134", "02134"),
    ("Rhode Island", "2903", "02903"),
    ("NH", "3301", "03301"),
    ("Maine", "4101", "04101"),
    ("VT", "5401", "05401"),
    ("CT", "6103", "06103"),
    ("N.J.", "7030", "07030"),
    ("PR", "901", "00901"),
    ("VI", "802", "00802"),
    ("NY", "501", "00501"),
];

/// A draft with a state and, as it is written, a postal code.
fn drafts(state: &str, country: &str, zip: &str) -> [(&'static str, String); 3] {
    let mut draft = clean_document(Kind::of(KindRole::Submit));
    draft["businessState"] = json!(state);
    draft["businessCountry"] = json!(country);
    draft["businessZip"] = json!("@");
    let json = draft.to_string().replace("\"@\"", zip);
    let pretty = serde_json::to_string_pretty(&draft).expect("a value is JSON").replace("\"@\"", zip);
    [("d.json", pretty), ("d.ndjson", json), ("d.yaml", yaml(&draft, 0, zip))]
}

/// The postal code after `--fix` with more options, and the report before it.
fn zip_after(test: &str, name: &str, text: &str, options: &[&str]) -> (Value, String) {
    let folder = Folder::new(test).file(name, text);
    let report = folder.run(&["check", "--no-config", "--output-format", "concise", name]).out;
    folder.run(&[&["check", "--no-config", "--fix", name], options].concat());
    let text = std::fs::read_to_string(folder.0.join(name)).expect("it is still there");
    let value: Value = serde_yaml::from_str(&text).expect("JSON and YAML are YAML");
    (value["businessZip"].clone(), report)
}

#[test]
fn a_zip_code_gets_its_lost_zero_back() {
    for (state, zip, right) in STATES {
        for written in [zip.to_owned(), format!("\"{zip}\"")] {
            for (name, text) in drafts(state, "US", &written) {
                let (after, report) = zip_after("a_zip_code_gets_its_lost", name, &text, &["--unsafe-fixes"]);
                assert_eq!(after, json!(right), "{state} {written} in {name}: {report}");
            }
        }
    }
    for (name, text) in drafts("MA", "US", "2134") {
        let (after, _) = zip_after("a_zip_code_gets_its_lost", name, &text, &[]);
        assert_eq!(after, json!(2134), "a lost zero is a guess: no safe fix in {name}");
        let folder = Folder::new("lost_zero_help").file(name, &text);
        let help = folder.run(&["check", "--no-config", "--output-format", "json", name]).out;
        assert!(help.contains("in Massachusetts ZIP codes begin with a zero"), "{help}");
    }
    let (after, report) = zip_after(
        "a_zip_code_gets_its_lost",
        "d.json",
        &drafts("MA", "US", "\"2134-1234\"")[0].1,
        &["--unsafe-fixes"],
    );
    assert_eq!(after, json!("02134-1234"), "{report}");
    assert!(report.contains("`2134-1234` has lost its leading zero"), "{report}");
}

#[test]
fn a_number_that_is_no_zip_code_is_never_put_in_quotes() {
    for (state, country, zip) in [
        ("CA", "US", "2134"),
        ("TX", "US", "787"),
        ("MA", "US", "12"),
        ("MA", "US", "213456"),
        ("MA", "US", "2.134e3"),
        ("MA", "US", "0.2134"),
    ] {
        for (name, text) in drafts(state, country, zip) {
            let folder = Folder::new("no_zip_code").file(name, &text);
            folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", name]);
            let after = std::fs::read_to_string(folder.0.join(name)).expect("it is still there");
            assert_eq!(after, text, "{name}");
        }
    }
}

#[test]
fn a_postal_code_that_is_whole_only_gets_its_quotes() {
    for (state, country, zip, right) in [
        ("TX", "US", "78704", "78704"),
        ("Vienna", "AT", "1010", "1010"),
        ("Berlin", "Germany", "10115", "10115"),
        ("MA", "US", "2134.0", "02134"),
    ] {
        for (name, text) in drafts(state, country, zip) {
            let (after, report) = zip_after("a_postal_code_that_is_wh", name, &text, &["--unsafe-fixes"]);
            assert_eq!(after, json!(right), "{zip} in {name}: {report}");
        }
    }
    let [_, _, (name, text)] = drafts("MA", "US", "02134");
    assert_eq!(
        zip_after("a_postal_code_that_is_wh", name, &text, &[]).0,
        json!("02134"),
        "in YAML the zero is still there"
    );
}

#[test]
fn numbers_that_a_program_wrote_are_not_put_in_quotes() {
    for (field, number) in
        [("businessContactPhone", "2.0777248e9"), ("businessAddr2", "210.0"), ("businessAddr2", "1e3")]
    {
        let mut draft = clean_document(Kind::of(KindRole::Submit));
        draft[field] = json!("@");
        let text = draft.to_string().replace("\"@\"", number);
        let folder = Folder::new("numbers_of_programs").file("d.json", &text);
        let ran = folder.run(&["check", "--no-config", "--fix", "--unsafe-fixes", "d.json"]);
        assert!(ran.out.contains("structure/wrong-type"), "{ran:?}");
        let after = std::fs::read_to_string(folder.0.join("d.json")).expect("it is still there");
        assert_eq!(after, text);
    }
}

#[test]
fn a_whole_number_is_written_as_json_has_it() {
    for (written, right) in [("+5", 5), ("05", 5), (" 7 ", 7)] {
        let text = format!("{{\"limit\": \"{written}\", \"country\": \"US\", \"type\": \"tollfree\"}}");
        let folder = Folder::new("a_whole_number").file("d.json", text);
        folder.run(&["check", "--no-config", "--kind", "number-search", "--fix", "--unsafe-fixes", "d.json"]);
        let after = std::fs::read_to_string(folder.0.join("d.json")).expect("it is still there");
        let after: Value = serde_json::from_str(&after).expect("it is still JSON");
        assert_eq!(after["limit"], json!(right), "{written}");
    }
}
