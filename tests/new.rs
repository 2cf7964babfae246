//! Tests of `tollproof new`: the check reports the empty fields, and a draft that is filled in is clean.

use std::fs;

use serde_json::Value;
use tollproof_core::{Kind, KindRole, Parsed, Source, json_of, schema};

use crate::support::{Folder, Ran};

/// A clean draft with every field.
const FULL: &str = include_str!("drafts/harbor-dental.json");

fn fresh(folder: &Folder, kind: Kind) -> String {
    let ran = folder.run(&["new", "draft.yaml", "--kind", kind.name()]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    fs::read_to_string(folder.0.join("draft.yaml")).expect("it was written")
}

fn findings(ran: &Ran) -> Vec<(String, String)> {
    let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let all = report["findings"].as_array().expect("a report lists findings").iter();
    all.map(|it| (text(&it["pointer"]), text(&it["message"]))).collect()
}

#[test]
fn a_fresh_draft_lacks_its_required_fields_and_nothing_else() {
    for kind in Kind::requests() {
        let folder = Folder::new(&format!("new-{kind}"));
        fresh(&folder, kind);
        let ran = folder.run(&["check", "--min-severity", "info", "--output-format", "json", "draft.yaml"]);
        let schema: Value = serde_json::from_str(schema::text(kind)).expect("schemas are JSON");
        let required: Vec<_> = schema["required"].as_array().expect("it lists fields").iter().collect();
        let found = findings(&ran);
        let named: Vec<_> =
            found.iter().filter_map(|(pointer, _)| pointer.split('/').nth(1)).map(Value::from).collect();
        assert_eq!(named.iter().collect::<Vec<_>>(), required, "{kind}");
        assert!(found.iter().all(|(_, message)| message.contains("is empty")), "{found:?}");
    }
}

#[test]
fn a_draft_that_is_filled_in_is_clean_and_says_what_was_written() {
    let full: Value = serde_json::from_str(FULL).expect("the draft is JSON");
    for kind in Kind::requests() {
        let folder = Folder::new(&format!("new-full-{kind}"));
        let mut draft = fresh(&folder, kind);
        let mut wanted = serde_json::Map::new();
        for name in schema::field_names(kind) {
            let Some(value) = full.get(name) else { continue };
            let blanks = match value {
                Value::String(text) => vec![
                    (format!("\n{name}: >-\n"), format!("\n{name}: >-\n  {text}\n")),
                    (format!("\n{name}: \"\"\n"), format!("\n{name}: {value}\n")),
                    (format!("\n#{name}: \"\"\n"), format!("\n{name}: {value}\n")),
                ],
                Value::Array(entries) => {
                    let entries: String = entries.iter().map(|it| format!("  - {it}\n")).collect();
                    vec![(format!("\n{name}:\n  - \"\"\n"), format!("\n{name}:\n{entries}"))]
                }
                value => vec![(format!("\n#{name}: false\n"), format!("\n{name}: {value}\n"))],
            };
            let blank = blanks.iter().find(|(blank, _)| draft.matches(blank.as_str()).count() == 1);
            let (blank, filled) = blank.unwrap_or_else(|| panic!("{name} has no blank in\n{draft}"));
            draft = draft.replace(blank.as_str(), filled);
            wanted.insert(name.to_owned(), value.clone());
        }
        let folder = folder.file("draft.yaml", &draft);
        let ran = folder.run(&["check", "--min-severity", "info", "--output-format", "json", "draft.yaml"]);
        assert_eq!((ran.code, findings(&ran)), (Some(0), Vec::new()), "{draft}");
        let source = Source::new("draft.yaml", draft.as_str());
        let parsed = Parsed::of(&source, None);
        let document = parsed.only().expect("it holds a document");
        let written = json_of(document.root.as_ref().expect("it was read"));
        let written: Value = serde_json::from_str(&written.to_string()).expect("it is JSON");
        assert_eq!(written, Value::Object(wanted));
    }
}

#[test]
fn a_field_is_optional_where_it_is_a_comment_and_its_blank_can_stand() {
    let folder = Folder::new("new-optional");
    let draft = fresh(&folder, Kind::of(KindRole::Submit));
    let names: Vec<_> = schema::field_names(Kind::of(KindRole::Submit)).collect();
    let is_blank = |line: &&str| names.iter().any(|name| line.starts_with(&format!("#{name}: ")));
    let optional: String = draft.lines().filter(is_blank).map(|line| format!("{}\n", &line[1..])).collect();
    assert_eq!(optional.lines().count(), 6, "{optional}");
    let folder = folder.file("optional.yaml", optional);
    let ran = folder.run(&["check", "--output-format", "json", "optional.yaml"]);
    let found = findings(&ran);
    let spoken: Vec<_> = found.iter().filter(|(_, message)| !message.contains("is missing")).collect();
    // An identifier contains no space.
    let pointers: Vec<_> = spoken.iter().map(|(pointer, _)| pointer.as_str()).collect();
    assert_eq!(pointers, ["/phoneNumbers", "/organizationId", "/workspaceId"], "{spoken:?}");
}

#[test]
fn standard_output_takes_the_same_draft() {
    let folder = Folder::new("new-stdout");
    let draft = fresh(&folder, Kind::of(KindRole::Submit));
    let ran = folder.run(&["new", "-"]);
    assert_eq!((ran.code, ran.out), (Some(0), draft));
}

#[test]
fn the_next_command_can_be_typed_as_it_stands() {
    let folder = Folder::new("new-names");
    for (name, typed) in
        [("it's new.yaml", r"'it'\''s new.yaml'"), ("a/b.yaml", "a/b.yaml"), ("-x.yaml", "./-x.yaml")]
    {
        fs::create_dir_all(folder.0.join("a")).expect("writable");
        let ran = folder.run(&["new", "--", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.err.ends_with(&format!("run: tollproof check {typed}\n")), "{}", ran.err);
    }
}

#[test]
fn a_folder_that_is_not_there_yet_is_made() {
    let folder = Folder::new("new-folder");
    assert_eq!(folder.run(&["new", "drafts/may/acme.yaml"]).code, Some(0));
    assert!(folder.0.join("drafts/may/acme.yaml").exists());
}

#[test]
fn nothing_is_overwritten_and_nothing_half_written_is_left() {
    let folder = Folder::new("new-there").file("a.yaml", "mine: true\n");
    for name in ["a.yaml", "a.yaml/b.yaml", "a.ndjson", ""] {
        let ran = folder.run(&["new", name]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{name}: {}", ran.err);
    }
    assert_eq!(fs::read_to_string(folder.0.join("a.yaml")).expect("it stays"), "mine: true\n");
    assert_eq!(fs::read_dir(&folder.0).expect("readable").count(), 1);
}
