//! Schemas of the user's own, through the program: where they apply, what hides their findings, and what they protect.

use serde_json::{Value, json};
use tollproof_core::{Kind, KindRole, clean_document};

use crate::support::{Folder, Ran, formats};

const NOW: &str = "--now=2026-11-21T08:00:00Z";
const SETTINGS: &str = "schemas: [{ files: '*.json', schema: house.schema.json }]\n";

/// A clean draft, a schema that refuses its ZIP code, and settings.
fn folder(name: &str, settings: &str) -> Folder {
    let schema = json!({ "properties": { "businessZip": { "pattern": "^9" } } });
    Folder::new(name)
        .file("a.json", draft().to_string())
        .file("house.schema.json", schema.to_string())
        .file("tollproof.yaml", settings)
}

fn draft() -> Value {
    clean_document(Kind::of(KindRole::Submit))
}

fn check(folder: &Folder, more: &[&str]) -> Ran {
    folder.run(&[&["check", "a.json", NOW, "--output-format=concise"], more].concat())
}

const REFUSED: &str = "error[structure/house-schema] `businessZip` must match the pattern `^9`";

#[test]
fn its_findings_are_found_hidden_and_locked_as_all_others() {
    for (name, more, settings, is_found) in [
        ("plain", &[][..], "", true),
        ("off", &[], "rules: { structure/house-schema: off }\n", false),
        ("ignored", &["--ignore=structure/house-schema"], "", false),
        ("entry", &[], "ignore: [{ rule: structure/house-schema, reason: agreed }]\n", false),
        (
            "locked",
            &[],
            "locked-rules: [structure/house-schema]\nignore: [{ rule: structure/house-schema, reason: agreed }]\n",
            true,
        ),
    ] {
        let folder = folder(&format!("house-{name}"), &format!("{SETTINGS}{settings}"));
        let ran = check(&folder, more);
        assert_eq!(ran.out.contains(REFUSED), is_found, "{name}: {ran:?}");
        assert_eq!(ran.code, Some(i32::from(is_found)), "{name}: {ran:?}");
    }
}

#[test]
fn the_baseline_knows_its_findings() {
    let folder = folder("house-baseline", SETTINGS);
    assert_eq!(folder.run(&["baseline", "write", "a.json", NOW]).code, Some(0));
    let ran = check(&folder, &["--baseline=tollproof-baseline.json"]);
    assert_eq!((ran.code, ran.out.contains(REFUSED)), (Some(0), false), "{ran:?}");
}

#[test]
fn the_gate_asks_the_schema_too() {
    let folder = folder("house-gate", SETTINGS);
    let ran = folder.run(&["gate", "a.json", NOW, "--history=sqlite:past.db", "--output-format=concise"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.err.contains(REFUSED), "{ran:?}");
}

#[test]
fn every_format_reports_it() {
    let folder = folder("house-formats", SETTINGS);
    for format in formats() {
        let ran = folder.run(&["check", "a.json", NOW, "--output-format", format]);
        assert!(ran.out.contains("house"), "{format}: {ran:?}");
        assert_eq!(ran.code, Some(1), "{format}");
    }
}

#[test]
fn personal_values_that_the_schema_repeats_are_masked() {
    let mail = draft()["businessContactEmail"].as_str().expect("it has one").to_owned();
    let schema = json!({ "properties": { "businessContactEmail": { "not": { "const": mail } }, "useCaseSummary": { "const": mail } } });
    let folder = folder("house-redact", SETTINGS).file("house.schema.json", schema.to_string());
    let (open, masked) = (check(&folder, &[]), check(&folder, &["--redact"]));
    assert!(open.out.contains(&mail), "{open:?}");
    assert!(!masked.out.contains(&mail) && masked.out.contains("structure/house-schema"), "{masked:?}");
}

#[test]
fn a_fix_is_not_offered_where_the_schema_refuses_its_result() {
    let mut spaced = draft();
    spaced["businessCity"] = json!(" Portland");
    let schema = json!({ "properties": { "businessCity": { "pattern": "^ " } } });
    let folder = folder("house-fix", SETTINGS)
        .file("a.json", spaced.to_string())
        .file("house.schema.json", schema.to_string());
    folder.run(&["check", "a.json", NOW, "--fix"]);
    let text = std::fs::read_to_string(folder.0.join("a.json")).expect("it is there");
    assert!(text.contains("\" Portland\""), "{text}");
}

#[test]
fn the_schema_is_neither_checked_nor_replaced() {
    let folder = folder("house-input", SETTINGS);
    let ran = folder.run(&["check", ".", NOW, "--verbose", "--output-format=concise"]);
    assert!(ran.err.contains("skipped house.schema.json: a schema that tollproof.yaml names"), "{ran:?}");
    let before = std::fs::read(folder.0.join("house.schema.json")).expect("it is there");
    let ran = folder.run(&["check", "a.json", NOW, "--output-format=json=house.schema.json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("it is a schema of this run"), "{ran:?}");
    assert_eq!(std::fs::read(folder.0.join("house.schema.json")).expect("it is there"), before);
}

#[test]
fn an_entry_says_files_and_schema_and_nothing_else() {
    for (settings, message) in [
        ("schemas: [{ files: '**' }]\n", "the key `schema` is missing"),
        ("schemas: [{ schema: a.json }]\n", "the key `files` is missing"),
        ("schemas: [{ files: '**', schema: a.json, level: info }]\n", "`level`"),
        ("schemas: [{ files: '/x', schema: a.json }]\n", "globs are relative to the folder of this file"),
        ("schemas: { '**': a.json }\n", "must be"),
        ("schemas: [{ files: '**', schema: . }]\n", "is not a file"),
    ] {
        let ran = check(&folder("house-entries", settings), &[]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{settings}: {ran:?}");
        assert!(ran.err.contains(message) && ran.err.contains("tollproof.yaml"), "{settings}: {ran:?}");
    }
}
