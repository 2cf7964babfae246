//! Tests of the errors for broken, malicious and large YAML files.
// The test of running time needs a clock; its limit is far above the time that reading takes.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

use std::fmt::Write;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::{assert_sound, json_of, one, read};
use crate::syntax::document::{Node, SyntaxError, SyntaxErrorKind};
use crate::syntax::message::Message;
use crate::syntax::source::Span;
use crate::syntax::yaml::MAX_SYNTAX_ERRORS;

#[test]
fn a_text_without_a_document_is_one_fault() {
    for text in ["", " \n\t\n", "# c\n", "---\n", "--- # c\n...\n", "\u{feff}", "\u{feff}# c"] {
        let document = one(text);
        assert!(document.root.is_none(), "{text:?}");
        let messages: Vec<&str> = document.syntax_errors.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages, ["this file contains no document"], "{text:?}");
        assert!(document.syntax_errors[0].help.is_some());
    }
}

#[test]
fn drafts_before_a_broken_one_are_kept() {
    let text = "- a: 1\n- b: 1\n- c: x: y\n- d: 1\n---\ne: 1";
    let documents = read(text);
    let roots: Vec<Option<Json>> =
        documents.iter().map(|document| document.root.as_ref().map(json_of)).collect();
    assert_eq!(roots, [Some(json!({"a": 1})), Some(json!({"b": 1})), None, Some(json!({"e": 1}))]);
    assert_eq!(&text[documents[2].syntax_errors[0].span.range()], ":");
}

#[test]
fn a_key_without_text_that_is_written_again_is_shown_beside_its_mark() {
    let text = "? \r? \n";
    let documents = read(text);
    let [syntax_error] = &documents[0].syntax_errors[..] else { panic!("{documents:?}") };
    assert_eq!(
        (syntax_error.problem, &text[syntax_error.span.range()]),
        (SyntaxErrorKind::DuplicateKey, "?")
    );
}

#[test]
fn keys_written_again_are_faults() {
    let text = "- a: 1\n- b: {x: [{k: 1, \"k\": 2}]}\n  1: a\n  '1': b\n  1: c\n  <<: {a: 1}\n";
    let documents = read(text);
    assert!(documents[0].syntax_errors.is_empty());
    let syntax_errors = &documents[1].syntax_errors;
    let pointers: Vec<&str> = syntax_errors.iter().map(|it| it.pointer.as_str()).collect();
    assert_eq!(pointers, ["/b/x/0/k", "/1"]);
    assert!(
        syntax_errors
            .iter()
            .all(|error| error.problem == SyntaxErrorKind::DuplicateKey && error.help.is_some())
    );
    assert_eq!(syntax_errors[0].message, "`k` is written twice in this object");
    assert_eq!(&text[syntax_errors[0].span.range()], "\"k\"");
    let related = |syntax_error: &SyntaxError| -> Vec<_> {
        let place = |(span, words): &(Span, Message)| (text[span.range()].to_owned(), words.to_string());
        syntax_error.related.iter().map(place).collect()
    };
    let said = |place: &str, words: &str| (place.to_owned(), words.to_owned());
    assert_eq!(related(&syntax_errors[0]), [said("k", "first written here")]);
    assert_eq!(syntax_errors[1].message, "`1` is written 3 times in this object");
    assert_eq!(related(&syntax_errors[1]), [said("1", "first written here"), said("'1'", "and again here")]);
    let root = documents[1].root.as_ref().expect("it is read");
    assert_eq!(root.get("1").and_then(Node::as_str), Some("c"));
    assert!(root.get("<<").is_some() && root.get("a").is_none());
}

#[test]
fn lists_and_objects_are_no_keys() {
    let text = "? [a, &x b]\n: 1\n? {c: d}\n: {e: 1}\n? f\n: 2\n*x : 3\n";
    let document = one(text);
    assert_eq!(document.root.as_ref().map(json_of), Some(json!({"f": 2, "*x": 3})));
    assert_eq!(document.syntax_errors.len(), 3);
    assert!(document.syntax_errors.iter().all(|it| it.problem == SyntaxErrorKind::Syntax));
}

#[test]
fn aliases_to_nothing_are_faults() {
    let text = "a: *gone\nb: &x [*x]\nc: \"*fine\"\n";
    let document = one(text);
    let places: Vec<(&str, &str)> = document
        .syntax_errors
        .iter()
        .map(|error| (&text[error.span.range()], error.pointer.as_str()))
        .collect();
    assert_eq!(places, [("*gone", "/a"), ("*x", "/b/0")]);
    assert_eq!(document.root.as_ref().map(json_of), Some(json!({"a": null, "b": [null], "c": "*fine"})));
}

#[test]
fn alias_bombs_meet_a_limit() {
    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..10 {
        let alias = format!("*a{}", level - 1);
        writeln!(laughs, "a{level}: &a{level} [{}]", [alias.as_str(); 10].join(", "))
            .expect("text takes text");
    }
    let mut long = format!("a: &x \"\\u0041{}\"\n", "x".repeat(1_000_000));
    for at in 0..100_000 {
        writeln!(long, "b{at}: *x").expect("text takes text");
    }
    let mut deep = "a0: &a0 [1]\n".to_owned();
    for level in 1..200 {
        writeln!(deep, "a{level}: &a{level} [*a{}]", level - 1).expect("text takes text");
    }
    for bomb in [laughs, long, deep] {
        let document = one(&bomb);
        assert_sound(&bomb, std::slice::from_ref(&document));
        assert_eq!(document.syntax_errors.first().map(|it| it.problem), Some(SyntaxErrorKind::Limit));
    }
}

#[test]
fn depth_is_a_fault_and_never_a_crash() {
    let nested = |levels: usize| format!("a: {}1{}\nb: 2\n", "[".repeat(levels), "]".repeat(levels));
    let fine = nested(60);
    assert!(one(&fine).syntax_errors.is_empty());
    let deep = nested(100);
    let document = one(&deep);
    assert_eq!(document.syntax_errors.len(), 1);
    assert_eq!(document.syntax_errors[0].problem, SyntaxErrorKind::Limit);
    assert_eq!(document.root.and_then(|root| root.get("b").map(json_of)), Some(json!(2)));

    let block = (0..3_000).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n");
    let flow = "[".repeat(200_000);
    let dashes = "- ".repeat(200_000);
    let questions = "? ".repeat(200_000);
    let braces = "{a: ".repeat(200_000);
    for text in [flow, block, dashes, questions, braces] {
        let started = Instant::now();
        let documents = read(&text);
        assert_sound(&text, &documents);
        let syntax_errors: Vec<SyntaxErrorKind> =
            documents.iter().flat_map(|it| &it.syntax_errors).map(|it| it.problem).collect();
        assert!(
            syntax_errors.contains(&SyntaxErrorKind::Limit)
                || syntax_errors.contains(&SyntaxErrorKind::Syntax),
            "{:.20}",
            text
        );
        assert!(syntax_errors.len() <= 3, "{:.20} {syntax_errors:?}", text);
        assert!(started.elapsed() < Duration::from_secs(2), "{:.20} took {:?}", text, started.elapsed());
    }
}

#[test]
fn large_texts_take_no_time_to_speak_of() {
    let comments = format!("a: 1\n{}b: 2\n", "# c\n".repeat(250_000));
    let between = format!("a: [\n---\n{}b: 2\n", "# c\n".repeat(250_000));
    let broken = "a: [\n---\n".repeat(100_000);
    let empty = "---\n".repeat(200_000);
    let twice = "a: 1\n".repeat(100_000);
    let quotes = "a: \"\\q\"\n---\n".repeat(50_000);
    for text in [comments, between, broken, empty, twice, quotes] {
        let started = Instant::now();
        let documents = read(&text);
        assert_sound(&text, &documents);
        let syntax_errors: usize = documents.iter().map(|it| it.syntax_errors.len()).sum();
        assert!(syntax_errors <= MAX_SYNTAX_ERRORS + 2, "{:.20} {syntax_errors}", text);
        assert!(started.elapsed() < Duration::from_secs(5), "{:.20} took {:?}", text, started.elapsed());
    }
}

#[test]
fn syntax_errors_name_their_place_in_plain_words() {
    let cases = [
        ("a:\n\tb: 1", "\t", "YAML allows only spaces"),
        ("a: \"x", "\"", "this quote is not closed"),
        ("a: \"x\nb: 1\n", "b", "a quoted text is still open"),
        ("a: [1, 2", "[", "this `[` is not closed"),
        ("a: [1}", "[", "this `[` is closed by a `}`"),
        ("a: b]\nc: }", "}", "this bracket closes nothing"),
        ("a: [1,\nb: 2", "b", "this line needs more indentation"),
        ("a:\n  b: 1\n c: 2", "c", "this line does not align"),
        ("a: 1\n b: 2", ":", "a `:` is not allowed here"),
        ("a: b: c", ":", "a `:` is not allowed here"),
        ("a: 1\nfoo bar \nb: 1", "foo bar", "this is not `field: value`"),
        ("a: - b", "-", "a list cannot begin here"),
        ("a: @b", "@", "a `@` is not allowed here"),
        ("a: x\0y", "\0", "the control character U+0000"),
        ("a: \"b \\n \\q\"", "\\q", "`\\q` is not an escape"),
        ("a: \"\\ud83d\\ude00 \\ud83d\"", "\\ud83d", "`\\ud83d` is not an escape"),
        ("a: \"\\x4g\"", "\\x4", "`\\x4` is not an escape"),
        ("a: 'x' y", "y", "there is text after"),
        ("a: [b,, c]", ",", "a `,` is not allowed here"),
        ("a: *", "*", "`*` and `&` need a name"),
        ("a: !x!y z", "!", "this is an unknown tag"),
        ("a: x # c\n  y", "#", "there is a comment inside"),
        ("%YAML 3.0\n---\na: 1", "%", "unsupported YAML major version"),
    ];
    for (text, place, message) in cases {
        let document = one(text);
        assert!(document.root.is_none(), "{text:?}");
        let syntax_error = &document.syntax_errors[0];
        assert_eq!(syntax_error.problem, SyntaxErrorKind::Syntax);
        assert!(syntax_error.message.starts_with(message), "{text:?}: {syntax_error:?}");
        assert_eq!(&text[syntax_error.span.range()], place, "{text:?}: {syntax_error:?}");
    }
}
