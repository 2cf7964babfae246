//! Tests of the user's schemas: messages, and schemas that must be rejected.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tollproof_core::{Format, HouseSchema, Parsed, Source};

use super::{HouseSchemas, MAX_SCHEMA_FILE};
use crate::files::{Disk, Overlay};

/// The compiled schema, or the message and help if it is rejected.
fn prepared(text: &str) -> Result<Arc<dyn HouseSchema>, String> {
    let files = Overlay::new(Arc::new(Disk));
    files.open(Path::new("house.schema.json"), text);
    HouseSchemas::default()
        .of(&files, Path::new("house.schema.json"))
        .map_err(|error| format!("{error} {}", error.help().unwrap_or_default()).trim_end().to_owned())
}

/// The errors of a JSON document, as `pointer: problem`.
fn refused(schema: &Value, document: &str) -> Vec<String> {
    let schema = prepared(&schema.to_string()).expect("the schema can be used");
    let source = Source::new("draft", document);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("it is one document");
    let root = document.document().root.as_ref().expect("it can be read");
    let shown = |it: tollproof_core::HouseSchemaError| format!("{}: {}", it.pointer, it.problem);
    schema.errors(root).into_iter().map(shown).collect()
}

#[test]
fn refusals_are_said_in_plain_words() {
    let a = |schema: Value| json!({ "properties": { "a": schema } });
    for (schema, document, expected) in [
        (json!({ "required": ["a/b"] }), "{}", "/a~1b: is missing"),
        (json!({ "dependentRequired": { "a": ["b"] } }), r#"{"a": 1}"#, "/b: is missing"),
        (
            json!({ "properties": { "b": {} }, "additionalProperties": false }),
            r#"{"a~b": 1}"#,
            "/a~0b: is not an allowed field",
        ),
        (json!({ "additionalProperties": false }), r#"{"a": 1}"#, ": must have no fields"),
        (json!({ "unevaluatedProperties": false }), r#"{"a": 1}"#, "/a: is not an allowed field"),
        (
            json!({ "propertyNames": { "maxLength": 2 } }),
            r#"{"abc": 1}"#,
            "/abc: as the name of a field must have at most 2 characters",
        ),
        (json!({ "minProperties": 2 }), "{}", ": must have at least 2 fields"),
        (a(json!({ "type": "string" })), r#"{"a": 1}"#, "/a: must be a string"),
        (a(json!({ "type": "integer" })), r#"{"a": 1.5}"#, "/a: must be an integer"),
        (a(json!({ "enum": ["x", 1] })), r#"{"a": 2}"#, "/a: must be one of `x`, `1`"),
        (
            a(json!({ "enum": [1, 2, 3, 4, 5, 6, 7] })),
            r#"{"a": 0}"#,
            "/a: must be one of `1`, `2`, `3`, `4`, `5` and 2 more",
        ),
        (a(json!({ "const": { "b": [1] } })), r#"{"a": {"b": [2]}}"#, r#"/a: must be `{"b":[1]}`"#),
        (a(json!({ "pattern": "^ACC-\\d+$" })), r#"{"a": "x"}"#, r"/a: must match the pattern `^ACC-\d+$`"),
        (a(json!({ "format": "date" })), r#"{"a": "x"}"#, "/a: must have the format `date`"),
        (a(json!({ "minLength": 1 })), r#"{"a": ""}"#, "/a: must not be empty"),
        (a(json!({ "maxItems": 1 })), r#"{"a": [1, 2]}"#, "/a: must have at most 1 item"),
        (a(json!({ "minimum": 3 })), r#"{"a": 2}"#, "/a: must be at least 3"),
        (
            a(json!({ "uniqueItems": true })),
            r#"{"a": [{"b": 1}, {"b": 1.0}]}"#,
            "/a: must not have an item twice",
        ),
        (a(json!(false)), r#"{"a": 1}"#, "/a: is not allowed"),
        (a(json!({ "not": { "const": 1 } })), r#"{"a": 1}"#, "/a: must not be what `not` describes"),
        (
            a(json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] })),
            r#"{"a": 3}"#,
            "/a: must match an alternative of `anyOf`",
        ),
    ] {
        assert_eq!(refused(&schema, document), [expected], "{schema}");
    }
}

#[test]
fn what_satisfies_the_schema_is_accepted() {
    for (schema, document) in [
        (json!(true), "{}"),
        (json!({ "properties": { "a": { "type": "integer" } } }), r#"{"a": 1.0}"#),
        (json!({ "properties": { "a": { "type": "integer" } } }), r#"{"a": 18446744073709551615}"#),
        (json!({ "properties": { "a": { "enum": [{ "b": [1] }] } } }), r#"{"a": {"b": [1]}}"#),
        (json!({ "properties": { "a": { "uniqueItems": true } } }), r#"{"a": [{"b": 1}, {"b": 2}]}"#),
        (json!({ "$schema": "https://json-schema.org/draft/2020-12/schema#" }), "{}"),
        // A schema may refer to itself if the reference applies to a nested value.
        (json!({ "properties": { "a": { "$ref": "#" } } }), r#"{"a": {"a": {"a": {}}}}"#),
        (
            json!({ "$id": "https://example.com/house", "$ref": "#x", "$defs": { "b": { "$anchor": "x" } } }),
            "{}",
        ),
    ] {
        assert_eq!(refused(&schema, document), [""; 0], "{schema}");
    }
    assert!(prepared("\u{feff}{}").is_ok(), "a byte order mark is not an error");
}

#[test]
fn a_thing_is_refused_once() {
    let schema = json!({ "allOf": [{ "required": ["a"] }, { "required": ["a"] }] });
    assert_eq!(refused(&schema, "{}"), ["/a: is missing"]);
}

#[test]
fn hostile_schemas_are_refused_with_the_reason() {
    let chain = |length: usize| {
        let link = |at: usize| (format!("d{at}"), json!({ "$ref": format!("#/$defs/d{}", at + 1) }));
        let mut links: serde_json::Map<_, _> = (0..length).map(link).collect();
        links.insert(format!("d{length}"), json!({}));
        json!({ "$ref": "#/$defs/d0", "$defs": links })
    };
    let doubling = |levels: usize| {
        let level = |at: usize| {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            (format!("d{at}"), json!({ "allOf": [next, next] }))
        };
        let mut all: serde_json::Map<_, _> = (0..levels).map(level).collect();
        all.insert(format!("d{levels}"), json!({ "type": "string" }));
        json!({ "$ref": "#/$defs/d0", "$defs": all })
    };
    let long_pattern = json!({ "pattern": "(((a{100}){100}){100}){100}" });
    for (text, expected) in [
        ("".to_owned(), "is not JSON: EOF"),
        ("{\"type\": }".to_owned(), "is not JSON: expected value at line 1 column 10"),
        ("[".repeat(100_000), "is not JSON: recursion limit exceeded"),
        ("[]".to_owned(), "it is not a valid JSON Schema: must be"),
        (" ".repeat(MAX_SCHEMA_FILE + 1), "is larger than 256 KiB Split it"),
        (json!({ "type": "text" }).to_string(), "it is not a valid JSON Schema at `/type`"),
        (
            json!({ "properties": { "a": { "minLength": -1 } } }).to_string(),
            "at `/properties/a/minLength`: must be",
        ),
        (
            json!({ "$schema": "http://json-schema.org/draft-07/schema#" }).to_string(),
            "it is written for `http://json-schema.org/draft-07/schema#` Write it for",
        ),
        (
            json!({ "$ref": "https://example.com/a.json" }).to_string(),
            "it refers to `https://example.com/a.json`, which is outside the file tollproof fetches no schemas.",
        ),
        (
            json!({ "$ref": "file:///etc/passwd" }).to_string(),
            "it refers to `file:///etc/passwd`, which is outside",
        ),
        (json!({ "$ref": "other.json#/a" }).to_string(), "it refers to `other.json#/a`, which is outside"),
        (json!({ "$ref": "#/$defs/nothing" }).to_string(), "a reference cannot be resolved"),
        (json!({ "$ref": "#" }).to_string(), "it refers to itself without end"),
        (
            json!({ "allOf": [{ "anyOf": [{ "$ref": "#/allOf/0" }] }] }).to_string(),
            "it refers to itself without end",
        ),
        (json!({ "allOf": [{ "$ref": "#/%61llOf/0" }] }).to_string(), "it refers to itself without end"),
        (chain(40).to_string(), "its subschemas are nested too deep"),
        (chain(3_000).to_string(), "its subschemas are nested too deep"),
        (doubling(14).to_string(), "too many subschemas apply to one value"),
        (long_pattern.to_string(), "invalid pattern"),
        (json!({ "pattern": "(?=a)" }).to_string(), "invalid pattern"),
        (json!({ "pattern": "(" }).to_string(), "invalid pattern"),
    ] {
        let shown: String = text.chars().take(60).collect();
        let error = prepared(&text).expect_err(&shown);
        assert!(error.contains(expected), "{shown}: {error}");
        assert!(error.contains("house.schema.json") && error.len() < 1_000, "{error}");
    }
}

#[test]
fn no_document_makes_a_schema_run_without_end() {
    let nested = "[".repeat(60) + &"]".repeat(60);
    let twice = json!({ "$ref": "#/$defs/any" });
    let schema = json!({
        "items": { "$ref": "#/$defs/any" },
        "$defs": { "any": { "type": "array", "allOf": [{ "items": twice }, { "items": twice }], "minItems": 1 } },
    });
    assert_eq!(refused(&schema, &nested), [": takes too many steps to check"]);
    let deep = "{\"a\":".repeat(60) + "1" + &"}".repeat(60);
    let links = (0..25).map(|at| (format!("d{at}"), json!({ "$ref": format!("#/$defs/d{}", at + 1) })));
    let mut links: serde_json::Map<_, _> = links.collect();
    links.insert(
        "d25".to_owned(),
        json!({ "properties": { "a": { "$ref": "#/$defs/d0" } }, "type": "object" }),
    );
    let schema = json!({ "$ref": "#/$defs/d0", "$defs": links });
    assert_eq!(refused(&schema, &deep), ["/a".repeat(60) + ": must be an object"]);
}

#[test]
fn the_schema_describes_what_it_wants() {
    let schema =
        json!({ "properties": { "a": { "pattern": "^A", "description": "Our account, like A1." } } });
    let schema = prepared(&schema.to_string()).expect("the schema can be used");
    let source = Source::new("draft", r#"{"a": "b"}"#);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("it is one document");
    let errors = schema.errors(document.document().root.as_ref().expect("it can be read"));
    assert_eq!(errors[0].help.as_ref().expect("there is help"), "The schema says: Our account, like A1.");
}
