//! Tests of types, spans and documents of valid YAML.

use serde_json::{Value as Json, json};

use super::{assert_sound, json_of, one, read, root, slice, tree};
use crate::syntax::document::{Node, Value};

#[test]
fn scalars_have_the_types_of_the_core_schema() {
    for null in ["", "~", "null", "Null", "NULL", "!!null", "!!null ''"] {
        assert_eq!(tree(&format!("a: {null}")), json!({ "a": null }), "{null}");
    }
    for number in [
        "02134",
        "+14155552671",
        "10",
        "-1",
        "0o14",
        "0x1F",
        "1e3",
        ".5",
        "1.",
        "-.inf",
        ".NaN",
        "1.5E-3",
        "!!int '7'",
    ] {
        let text = format!("a: {number}");
        let root = root(&one(&text));
        let value = root.get("a").map(|it| it.value.clone());
        assert!(matches!(value, Some(Value::Number(it)) if number.contains(it)), "{number}");
    }
    for string in [
        "10,000",
        "no",
        "NO",
        "yes",
        "2026-11-20",
        "12:30:45",
        "0x",
        "0o8",
        "1e",
        "+",
        ".",
        "e3",
        "nULL",
        "10,000,000+",
        "+.nan",
        "1_000",
        "- 1",
        "0X1F",
        "https://a.example/x#y",
        "<<",
    ] {
        let text = format!("a: \"{string}\"\nb: {}", if string == "- 1" { "-1x" } else { string });
        let root = root(&one(&text));
        assert!(root.members().iter().all(|member| member.value.as_str().is_some()), "{string}");
    }
    assert_eq!(tree("a: [true, True, FALSE, tRue]"), json!({"a": [true, true, false, "tRue"]}));
}

#[test]
fn tags_of_the_core_schema_count_and_others_do_not() {
    assert_eq!(
        tree("a: !!str 02134\nb: ! true\nc: !mine 1\nd: !!bool x\ne: !!str\nf: !!float 1.5"),
        json!({"a": "02134", "b": "true", "c": 1, "d": "x", "e": "", "f": 1.5})
    );
}

#[test]
fn every_value_knows_its_place() {
    let text = "# c\nname: Acme  # who\nquoted: 'it''s'\nfull: \"a\\tb\"\nlist:\n- x\n-  y: 1\n   z:\n\
                flow: {a: [1, 2 ] , b }\nlong: |\n  two\n  lines\n\nmany: one\n  two\nlast:\n  - [ ]\n  -\n# end\n";
    let root = root(&one(text));
    let at = |pointer: &str| slice(text, root.at(pointer).expect("the pointer names a value"));
    assert_eq!(at("/name"), "Acme");
    assert_eq!(at("/quoted"), "'it''s'");
    assert_eq!(at("/full"), "\"a\\tb\"");
    assert_eq!(at("/list"), "- x\n-  y: 1\n   z:");
    assert_eq!(at("/list/1"), "y: 1\n   z:");
    assert_eq!(at("/list/1/z"), "");
    let nothing = root.at("/list/1/z").expect("the pointer names a value").span.start as usize;
    assert!(text[..nothing].ends_with("z:"));
    assert_eq!(at("/flow"), "{a: [1, 2 ] , b }");
    assert_eq!(at("/flow/a"), "[1, 2 ]");
    assert_eq!(at("/long"), "two\n  lines\n\n");
    assert_eq!(at("/many"), "one\n  two");
    assert_eq!(at("/last"), "- [ ]\n  -");
    assert!(slice(text, &root).starts_with("name: ") && slice(text, &root).ends_with("  -"));
    let keys: Vec<&str> = root.members().iter().map(|it| &text[it.key_span.range()]).collect();
    assert_eq!(keys, ["name", "quoted", "full", "list", "flow", "long", "many", "last"]);
}

#[test]
fn strings_are_borrowed_where_the_source_spells_them_out() {
    let text = "a: x y\nb: 'x y'\nc: \"x y\"\nd: |-\n  x y\ne: 'it''s'\nf: \"\\u0041\"\n";
    let root = root(&one(text));
    let borrowed = |key| match &root.get(key).expect("the key is there").value {
        Value::String(text) => matches!(text, std::borrow::Cow::Borrowed(_)),
        _ => false,
    };
    assert!(["a", "b", "c", "d"].into_iter().all(borrowed));
    assert!(!borrowed("e") && !borrowed("f"));
}

#[test]
fn documents_are_counted_over_the_whole_file() {
    let text = "# first\n---\na: 1\n---\n- b: 1\n- 2\n---\n# nothing\n---\nc: [\n---\nd: 1\n---\n# end\n";
    let documents = read(text);
    assert_sound(text, &documents);
    let roots: Vec<Option<Json>> =
        documents.iter().map(|document| document.root.as_ref().map(json_of)).collect();
    assert_eq!(
        roots,
        [
            Some(json!({"a": 1})),
            Some(json!({"b": 1})),
            Some(json!(2)),
            Some(Json::Null),
            None,
            Some(json!({"d": 1}))
        ]
    );
    assert_eq!(documents[4].syntax_errors.len(), 1);
}

#[test]
fn a_comment_declares_the_kind() {
    let kinds = |text| -> Vec<Option<String>> {
        read(text).iter().map(|document| document.declared().kind.map(|(kind, _)| kind.to_owned())).collect()
    };
    let kind = |text: &str| Some(text.to_owned());
    assert_eq!(kinds("#tollproof:kind=submit-request\na: 1"), [kind("submit-request")]);
    assert_eq!(kinds("a: 1 #  tollproof :  kind = x  y\n"), [kind("x")]);
    assert_eq!(kinds("# tollproof: kind=x\n- a\n- b\n---\nc: 1"), [kind("x"), kind("x"), None]);
    assert_eq!(kinds("a: 1\n--- # tollproof: kind=\u{e9}\r\nb: [\n---\nc: 1"), [None, kind("é"), None]);
    assert_eq!(kinds("a: '# tollproof: kind=x'"), [None]);
    let text = "# tollproof: kind=x\na: 1";
    let (kind, span) = one(text).declared().kind.expect("the comment is read");
    assert_eq!((kind, &text[span.range()]), ("x", "x"));
}

#[test]
fn a_comment_names_the_record() {
    let text = "# tollproof: record=5f2a7c90 kind=update-request\na: 1 # tollproof: record=late\n";
    let declared = one(text).declared();
    let (record, span) = declared.record.expect("the comment is read");
    assert_eq!((record, &text[span.range()]), ("5f2a7c90", "5f2a7c90"));
    assert_eq!(declared.kind.map(|(kind, _)| kind), Some("update-request"));
}

#[test]
fn aliases_are_copies_at_their_own_place() {
    let text = "a: &x {b: &y [1, c]}\nd: *x\ne: *y\n&k name: 1\nf: *k\n*k : 2\n";
    let document = one(text);
    assert_eq!(document.syntax_errors.len(), 1, "the alias as a key writes `name` again");
    let root = document.root.expect("it is read");
    let copy = root.at("/d").expect("d");
    assert_eq!((slice(text, copy), &text[copy.written().range()]), ("*x", "{b: &y [1, c]}"));
    let inner = root.at("/d/b/1").expect("d is copied whole");
    assert_eq!((slice(text, inner), &text[inner.written().range()]), ("*x", "c"));
    assert_eq!(&text[copy.members()[0].key_span.range()], "*x");
    assert_eq!(json_of(root.at("/e").expect("e")), json!([1, "c"]));
    assert_eq!(root.get("f").and_then(Node::as_str), Some("name"));
    assert_eq!(slice(text, &root), text.trim_end());
}

#[test]
fn a_block_scalar_without_content_has_a_place_without_its_header() {
    for text in ["a: |", "a: |+\n\n", "a: >-  # c\n", "a: |\n\nb: 1", "a: |+\n\nb: 1"] {
        let document = one(text);
        let root = root(&document);
        let node = root.get("a").expect("the key is there");
        assert!(node.span.is_empty() && node.span.start > 3, "{text:?}: {node:?}");
    }
}
