//! Tests of `tollproof new`: the check reports the empty fields, and a draft that is filled in is clean.

use std::fs;

use serde_json::Value;
use tollproof_core::{Kind, KindRole, Parsed, Provider, Source, json_of, schema};

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
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["findings"].as_array().expect("a report lists findings").iter();
    all.map(|finding| (text(&finding["pointer"]), text(&finding["message"]))).collect()
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

#[test]
fn a_draft_of_any_provider_lacks_what_the_provider_requires() {
    for provider in Provider::all() {
        let folder = Folder::new(&format!("new-of-{}", provider.name()));
        for kind in provider.kinds().filter(|kind| kind.is_request()) {
            let name = format!("{}.yaml", kind.name());
            let ran = folder.run(&["new", "--provider", provider.name(), "--kind", kind.name(), &name]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let text = fs::read_to_string(folder.0.join(&name)).expect("it was written");
            let ran = folder.run(&["check", "--output-format", "json", &name]);
            let report: Value = serde_json::from_str(&ran.out).expect("a report is JSON");
            let found = report["findings"].as_array().expect("a report lists findings");
            // Without a required field, all of it is a comment.
            let is_empty = text.lines().all(|line| line.is_empty() || line.starts_with('#'));
            if is_empty {
                continue;
            }
            let is_own =
                |sample: &Value| sample["provider"] == provider.name() && sample["kind"] == kind.name();
            assert!(found.iter().all(is_own), "{text}");
            // No field that is unknown, and none that is missing though it is required.
            let rules: Vec<_> = found.iter().filter_map(|it| it["rule"].as_str()).collect();
            for rule in ["structure/unknown-field", "structure/missing-field", "input/syntax"] {
                assert!(!rules.contains(&rule), "{rule}: {}\n{text}", ran.out);
            }
            // No field that is missed is called optional.
            let missed = found.iter().filter(|finding| finding["rule"].to_string().contains("/missing"));
            for field in missed.filter_map(|finding| finding["pointer"].as_str()?.split('/').nth(1)) {
                let is_comment = |line: &str| line.starts_with(&format!("#{field}:"));
                assert!(!text.lines().any(is_comment), "{field} of {provider}: {text}");
            }
            // A field that is a comment can be used: all of them together are a draft too.
            let names = schema::field_names(kind);
            let all: String = text.lines().map(|line| format!("{}\n", uncommented(line))).collect();
            let all: Value = serde_yaml::from_str(&all).unwrap_or_else(|error| panic!("{error}\n{all}"));
            for name in names {
                assert!(all.get(name).is_some(), "{name} of {provider}: {text}");
            }
        }
    }
}

/// A line of a field that is a comment, as a field.
fn uncommented(line: &str) -> &str {
    match line.strip_prefix('#') {
        Some(rest) if !rest.trim_start_matches(' ').starts_with('#') && is_field(rest) => rest,
        Some(_) if line.starts_with("#  ") => "",
        _ => line,
    }
}

fn is_field(line: &str) -> bool {
    let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
    let is_entry = indent.len() % 2 == 0 && (rest == "-" || rest.starts_with("- "));
    let key = rest.trim_start_matches("- ").split(':').next().unwrap_or_default();
    let is_key = rest.contains(':') && !key.contains(' ') && !key.is_empty();
    (indent.len() != 1) && (is_entry || is_key)
}

#[test]
fn a_new_draft_of_a_record_is_clean_and_has_nothing_of_the_record() {
    for (provider, record_only) in [
        ("bird", &["id", "status", "createdAt", "verificationRequestId"][..]),
        ("twilio", &["Sid", "AccountSid", "Status", "DateCreated"]),
        ("telnyx", &["id", "verificationStatus", "createdAt"]),
        ("bandwidth", &["submission", "status", "createdDateTime"]),
        ("plivo", &["status", "created"]),
        ("infobip", &["status", "createdAt"]),
    ] {
        let record =
            format!("{}/schemas/{provider}/samples/verification-record.json", env!("CARGO_MANIFEST_DIR"));
        for name in ["again.yaml", "again.json"] {
            let folder = Folder::new(&format!("new-again-{provider}"));
            let ran = folder.run(&["new", "--from", &record, name]);
            let next = format!("Next: look through `{name}`, and run: tollproof check {name}\n");
            assert_eq!((ran.code, ran.err), (Some(0), next), "{provider}");
            let text = fs::read_to_string(folder.0.join(name)).expect("it was written");
            let draft: Value = serde_yaml::from_str(&text).expect("JSON is YAML too");
            for key in record_only {
                assert!(draft.get(key).is_none(), "{provider}: {text}");
            }
            let ran = folder.run(&["check", "--provider", provider, "--min-severity", "info", name]);
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    }
}

#[test]
fn a_row_of_a_sheet_and_a_draft_of_another_provider_are_beginnings_too() {
    let sheet = include_str!("drafts/bulk-csv/clients.csv");
    let folder = Folder::new("new-row")
        .file("clients.csv", sheet)
        .file("odd:2", sheet)
        .file("search.json", "{\"limit\": 1, \"country\": \"US\", \"type\": \"tollfree\"}")
        .file("broken.json", "{\"businessName\": ")
        .file("aws.json", include_str!("../schemas/aws/samples/verification-record.json"))
        .file("sheet.xlsx", "PK");
    let names = |ran: &Ran, name: &str| {
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let text = fs::read_to_string(folder.0.join(name)).expect("it was written");
        serde_yaml::from_str::<Value>(&text).expect("it is YAML")
    };
    let row = names(&folder.run(&["new", "--from", "clients.csv:2", "second.yaml"]), "second.yaml");
    let mut rows = csv::Reader::from_reader(sheet.as_bytes());
    let at = rows.headers().expect("it has a header").iter().position(|it| it == "Business_Name");
    let second = rows.records().nth(1).expect("it has rows").expect("it is CSV");
    assert_eq!(row["Business_Name"], second[at.expect("it has the column")]);
    let ran = folder.run(&["new", "--from", "clients.csv:2", "--provider", "bandwidth", "second.json"]);
    assert_eq!(names(&ran, "second.json")["businessAddress"]["name"], row["Business_Name"]);
    let ran = folder.run(&["new", "--from", "clients.csv:2", "again.csv"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = folder.run(&["check", "again.csv", "--min-severity", "info"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for (from, said) in [
        ("clients.csv:0", "cannot open `clients.csv:0`"),
        ("clients.csv:99", "has only"),
        ("odd:2", "documents; name one of them"),
        ("search.json", "has no submission for a new draft"),
        ("broken.json", "cannot be read"),
        ("aws.json", "has no field of a submission"),
        ("sheet.xlsx", "is a workbook"),
        (".", "is a directory"),
    ] {
        let ran = folder.run(&["new", "--from", from, "x.yaml"]);
        assert_eq!(ran.code, Some(2), "{from}: {ran:?}");
        assert!(ran.err.contains(said), "{from}: {ran:?}");
    }
    assert!(!folder.0.join("x.yaml").exists());
}
