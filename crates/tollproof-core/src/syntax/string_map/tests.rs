//! Tests that ranges of strings map to the right source bytes, and that replacements decode to the new string.

use proptest::prelude::*;

use super::{inner_span, replacement};
use crate::syntax::document::{Node, Style, Value};
use crate::syntax::source::{Source, Span};
use crate::syntax::{Format, Parsed};

/// Calls a function with the node at `/a` of a YAML text.
fn with_node<T>(text: &str, look: impl FnOnce(&Node<'_>) -> T) -> Option<T> {
    let source = Source::new("t.yaml", text);
    let parsed = Parsed::of(&source, Some(Format::Yaml));
    let document = parsed.only()?;
    if !document.syntax_errors.is_empty() {
        return None;
    }
    document.root.as_ref().and_then(|root| root.get("a")).map(look)
}

/// The source of the part of `/a` that decodes to `part`.
fn found<'t>(text: &'t str, part: &str) -> &'t str {
    let span = with_node(text, |node| {
        let decoded = node.as_str().expect("`/a` is a string");
        let start = decoded.find(part).expect("the string holds the part");
        inner_span(text, node, start..start + part.len())
    });
    &text[span.expect("the text is YAML").range()]
}

/// The text after `/a` is replaced by `new_text`, and the new string at `/a`, if the text is still valid YAML.
fn replaced(text: &str, new_text: &str) -> Option<(String, Option<String>)> {
    let edit = with_node(text, |node| replacement(text, node, new_text))??;
    let mut edited = text.to_owned();
    edited.replace_range(edit.span.range(), &edit.text);
    let value = with_node(&edited, |node| node.as_str().map(str::to_owned)).flatten();
    Some((edited, value))
}

#[test]
fn parts_are_found_in_every_notation() {
    let cases = [
        ("a: one two", "two", "two"),
        ("a: 'one two'", "two", "two"),
        ("a: 'it''s on'", "'", "''"),
        ("a: 'it''s on'", "on", "on"),
        ("a: \"\\u00e9 x\\ty\"", "é", "\\u00e9"),
        ("a: \"\\u00e9 x\\ty\"", "x\ty", "x\\ty"),
        ("a: \"\\ud83d\\ude00!\"", "😀", "\\ud83d\\ude00"),
        ("a: \"\\U0001F600 é!\"", "é!", "é!"),
        ("a: \"one\\\n  two\n\n  three\"", "two", "two"),
        ("a: \"one\\\n  two\n\n  three\"", "\nthree", "\n\n  three"),
        ("a: one\n  two  \n\n  three\nb: 1", "three", "three"),
        ("a: one\n  two  \n\n  three\nb: 1", "one two", "one\n  two"),
        ("a: |\n\n  one\n    two\n\n  three\nb: 1", "  two", "  two"),
        ("a: |\n\n  one\n    two\n\n  three\nb: 1", "three\n", "three\n"),
        ("a: |\r\n  one\r\n  two\r\n", "two", "two"),
        ("a: |2\n    one\n  two\n", "  one\ntwo", "  one\n  two"),
        ("a: >-\n  one\n  two\n    more\n  back\n\n\n  end\n", "more", "more"),
        ("a: >-\n  one\n  two\n    more\n  back\n\n\n  end\n", "back\n\nend", "back\n\n\n  end"),
        ("a: >\n  one\n  two", "one two", "one\n  two"),
        ("a: >\n  one\n  two", "two\n", "two"),
    ];
    for (text, part, written) in cases {
        assert_eq!(found(text, part), written, "{part:?} in {text:?}");
    }
}

#[test]
fn parts_are_found_in_json() {
    let source = "[\"a\\\"b\\u00e9\\ud83d\\ude00\\/c\"]";
    let span = Span::new(1, source.len() - 1);
    let value = Value::String("a\"bé😀/c".into());
    let node = Node { span, style: Style::Json, value };
    let at = |range| &source[inner_span(source, &node, range).range()];
    assert_eq!(at(0..1), "a");
    assert_eq!(at(1..2), "\\\"");
    assert_eq!(at(3..5), "\\u00e9");
    assert_eq!(at(6..7), "\\ud83d\\ude00", "half a character is the whole of it");
    assert_eq!(at(9..11), "\\/c");
    assert_eq!(inner_span(source, &node, 11..11), Span::new(source.len() - 2, source.len() - 2));
    let edit = replacement(source, &node, "x\"\n").expect("JSON can be replaced");
    assert_eq!((edit.span, edit.text.as_str()), (node.span, "\"x\\\"\\n\""));
}

#[test]
fn what_cannot_be_followed_is_the_whole_node() {
    let span = Span::new(2, 9);
    for style in [Style::Json, Style::Plain, Style::Single, Style::Double, Style::Literal, Style::Folded] {
        let node = Node { span, style, value: Value::String("other".into()) };
        assert_eq!(inner_span("é wholly else", &node, 3..4), span);
        assert_eq!(inner_span("", &node, 3..400), span);
        let node = Node { span, style, value: Value::Null };
        assert_eq!(inner_span("é wholly else", &node, 0..1), span);
    }
}

#[test]
fn replacements_keep_the_notation_where_they_can() {
    let cases = [
        ("a: one # c", "two", "a: two # c"),
        ("a: one # c", "two # c", "a: \"two # c\" # c"),
        ("a: one", "true", "a: \"true\""),
        ("a: one", "+14155552671", "a: \"+14155552671\""),
        ("a: {b: c, d: x}\n", "y", "a: \"y\"\n"),
        ("a: one", "Acme, Inc.", "a: \"Acme, Inc.\""),
        ("a: Acme,Inc", "Acme, Inc.", "a: Acme, Inc."),
        ("a: 'one'", "it's", "a: 'it''s'"),
        ("a: 'one'", "x\ny", "a: \"x\\ny\""),
        ("a: \"one\"", "x\\y\"\u{7}", "a: \"x\\\\y\\\"\\u0007\""),
        ("a: 02134\nb: 1", "02134", "a: \"02134\"\nb: 1"),
        ("a: true", "true", "a: \"true\""),
        ("a:\nb: 1", "x", "a: \"x\"\nb: 1"),
        ("a: \nb: 1", "x", "a: \"x\" \nb: 1"),
        ("{b: 1, a}", "x", "{b: 1, a: \"x\"}"),
        ("{b: 1, a: }", "x", "{b: 1, a: \"x\" }"),
        ("b:\n  - 1\na: |\n    one\n    two\n\n# c\nc: 1", "x", "b:\n  - 1\na: x\n\n# c\nc: 1"),
        ("a: |\n  one\n", "x\ny\n", "a: \"x\\ny\\n\"\n"),
        ("a: >-  # c | \n  one\n  two  \n", "x", "a: x  # c |\n"),
        ("a: |+2\r\n\r\n    one\r\n\r\nb: 1", "x", "a: x\r\n\r\nb: 1"),
        ("b: |\n  >\na:\n  |\n  one\u{a0}", "true", "b: |\n  >\na:\n  \"true\""),
        ("a: |\n\nb: 1", "x", "a: x\n\nb: 1"),
        ("a: |", "x", "a: x"),
        ("a: >- # c\n", "x", "a: x # c\n"),
        ("b: 'hi!'\na: one", "two", "b: 'hi!'\na: two"),
        ("a: &b one\nb: *b", "two", "a: &b two\nb: *b"),
    ];
    for (text, new_text, expected) in cases {
        let (edited, value) = replaced(text, new_text).expect("the text is YAML");
        assert_eq!(edited, expected, "{text:?}");
        assert_eq!(value.as_deref(), Some(new_text), "{text:?}");
    }
}

#[test]
fn tags_and_aliases_are_not_overwritten() {
    for text in [
        "a: !!int 04101",
        "a: !!int '04101'",
        "a: !!int\n  04101",
        "a: &x !!int 04101",
        "a: !!int &x 04101",
        "{a: !!str x}",
        "{\"a\":!!str x}",
        "a: !<tag:yaml.org,2002:str> x",
        "a: !!str |\n  x\n",
        "b: &b x\na: *b",
        "b: &b {c: x}\na: *b",
    ] {
        let edit = with_node(text, |node| replacement(text, node, "y")).expect("the text is YAML");
        assert_eq!(edit, None, "{text:?}");
    }
}

/// Strings with characters that need special treatment in some notation.
fn any_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[a-z]{1,5}",
        2 => Just(" ".to_owned()),
        1 => prop::sample::select(vec![
            "  ", "\n", "\n\n", "\t", "'", "\"", "\\", ":", ": ", " #", "#", "-", "- ", ",", "[", "}", "é", "😀", "&",
            "*", "!", "|", ">", "%", "@", "?", "1", "true", "\u{7}", "\u{85}", "\u{2028}", "\u{feff}", "\r", ".",
        ]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// Lines for block scalars and folded scalars: no whitespace at either end of a line.
fn any_lines() -> impl Strategy<Value = String> {
    proptest::collection::vec("([a-zé😀\"'\\\\]{1,6}( {1,2}[a-z:]{1,4}){0,2})?", 1..6)
        .prop_map(|lines| lines.join("\n").trim_matches('\n').to_owned())
        .prop_filter("a text without any character has no place", |text| !text.is_empty())
}

/// One string in all notations of YAML, some with folded lines.
fn notations(lines: &str) -> Vec<String> {
    let block: String = lines.lines().map(|line| format!("  {line}\n")).collect();
    let single = lines.replace('\'', "''").replace('\n', "\n  ");
    let double = lines.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " \n\n  \t");
    let escaped = serde_json::to_string(lines).expect("a string is written").replace(' ', "\\\n  \\x20");
    let plain = lines.replace([':', '\'', '"', '\\'], "x").replace('\n', "\n\n  ");
    vec![
        format!("a: |\n{block}b: 1\n"),
        format!("a: |+\n\n{block}\n\nb: 1\n"),
        format!("a: >-\n{block}"),
        format!("a: '{single}'\n"),
        format!("a: \"{double}\"\n").replace('\n', "\r\n"),
        format!("a: {escaped}\nb: 1\n"),
        format!("a: x {plain}\nb: 1\n"),
    ]
}

fn without_white(text: &str) -> String {
    text.split_whitespace().collect()
}

proptest! {
    #[test]
    fn a_part_of_json_is_where_its_characters_are(
        parts in proptest::collection::vec(("[a-zé😀/ ]{1,3}|\"|\\\\|\n|\u{7}", any::<bool>()), 1..12),
        from in 0_usize..40,
        length in 0_usize..12,
    ) {
        // Characters in escapes and as they are.
        let escaped = |part: &str| part.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        let plain = |part: &str| serde_json::to_string(part).expect("a string is written").trim_matches('"').to_owned();
        let written = |(part, is_escaped): &(String, bool)| {
            if *is_escaped { escaped(part) } else { plain(part) }
        };
        let parts = parts.into_iter().filter(|(part, _)| part != "\"");
        let parts: Vec<(String, bool)> = parts.chain([("\"".to_owned(), true)]).collect();
        let (mut text, mut ends) = (String::new(), vec![0]);
        for part in &parts {
            text.push_str(&written(part));
            ends.push(text.len());
        }
        let decoded: String = parts.iter().map(|(part, _)| part.as_str()).collect();
        let json = format!("{{\"a\": \"{text}\"}}");
        let source = Source::new("t.json", &json);
        let parsed = Parsed::of(&source, Some(Format::Json));
        let document = parsed.only().expect("it is one document");
        let node = document.root.as_ref().and_then(|root| root.get("a")).expect("it has the key");
        prop_assert_eq!(node.as_str(), Some(&*decoded));
        let start = from % parts.len();
        let end = (start + length).min(parts.len());
        let before = |count: usize| parts[..count].iter().map(|(part, _)| part.len()).sum::<usize>();
        let span = inner_span(&json, node, before(start)..before(end));
        prop_assert_eq!(span.range(), 7 + ends[start]..7 + ends[end]);
    }

    #[test]
    fn a_part_read_again_says_the_same(lines in any_lines(), from in 0_usize..40, length in 1_usize..12) {
        for text in notations(&lines) {
            let same = with_node(&text, |node| {
                let decoded = node.as_str().expect("`/a` is a string");
                let all: Vec<usize> = decoded.char_indices().map(|(at, _)| at).chain([decoded.len()]).collect();
                let start = all[from % (all.len() - 1)];
                let end = *all.iter().filter(|&&at| at > start).nth(length - 1).unwrap_or(&decoded.len());
                let span = inner_span(&text, node, start..end);
                let written = &text[span.range()];
                let again = match node.style {
                    Style::Double => {
                        let text = format!("a: \"{written}\"");
                        with_node(&text, |node| node.as_str().map(without_white)).flatten()
                    }
                    Style::Single => Some(without_white(&written.replace("''", "'"))),
                    _ => Some(without_white(written)),
                };
                (decoded[start..end].to_owned(), again, span != node.span || end - start == decoded.len() || length > 2)
            });
            let (part, again, inside) = same.expect("the notation is YAML");
            prop_assert_eq!(Some(without_white(&part)), again, "{:?}", text);
            prop_assert!(inside || part.trim().is_empty() || lines.chars().count() < 4, "{:?} {:?}", part, text);
        }
    }

    #[test]
    fn a_replacement_changes_nothing_else(lines in any_lines(), new_text in any_text()) {
        for text in notations(&lines) {
            let (edited, value) = replaced(&text, &new_text).expect("the notation is YAML");
            prop_assert_eq!(value.as_deref(), Some(new_text.as_str()), "{:?} became {:?}", text, edited);
            prop_assert!(edited.ends_with("b: 1\n") == text.ends_with("b: 1\n"));
        }
    }

    #[test]
    fn no_span_leaves_its_node(
        source in ".{0,30}",
        decoded in any_text(),
        (start, end) in (0_usize..40, 0_usize..40),
        (from, to) in (0_usize..40, 0_usize..40),
        style in prop::sample::select(vec![
            Style::Json, Style::Plain, Style::Single, Style::Double, Style::Literal, Style::Folded,
        ]),
    ) {
        let places: Vec<usize> = source.char_indices().map(|(at, _)| at).chain([source.len()]).collect();
        let (start, end) = (places[start % places.len()], places[end % places.len()]);
        let span = Span::new(start.min(end), start.max(end));
        for text in [decoded.clone(), source[span.range()].to_owned()] {
            let node = Node { span, style, value: Value::String(text.into()) };
            #[expect(clippy::reversed_empty_ranges, reason = "callers may hand in anything")]
            for range in [from..to, to..from, 3..1] {
                let inner = inner_span(&source, &node, range);
                prop_assert!(source.get(inner.range()).is_some());
                prop_assert!(span.start <= inner.start && inner.end <= span.end);
            }
            replacement(&source, &node, &decoded);
        }
    }
}
