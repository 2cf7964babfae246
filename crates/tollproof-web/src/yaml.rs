//! Drafts as YAML, with the few forms that drafts need: blocks, plain words, and strings as JSON has them.

use tollproof_core::document::{Node, Value};

/// Words that are not strings in YAML, in lower case.
const RESERVED: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// A value as a YAML document.
pub(crate) fn document(root: &Node<'_>) -> String {
    let mut text = String::new();
    block(root, 0, &mut text);
    text
}

/// Writes a value from the place of its first line on. Its other lines have the indent.
fn block(node: &Node<'_>, indent: usize, text: &mut String) {
    let begin = |at: usize, text: &mut String| {
        if at > 0 {
            text.extend(std::iter::repeat_n(' ', indent));
        }
    };
    match &node.value {
        Value::Object(members) if !members.is_empty() => {
            for (at, member) in members.iter().enumerate() {
                begin(at, text);
                text.extend([&string(&member.key), ":"]);
                below(&member.value, indent + 2, text);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                begin(at, text);
                text.push_str("- ");
                block(item, indent + 2, text);
            }
        }
        Value::String(said) => text.extend([&string(said), "\n"]),
        _ => text.extend([&serde_json::to_string(node).expect("its keys are strings"), "\n"]),
    }
}

/// Writes a value after its key: lists and objects below it.
fn below(node: &Node<'_>, indent: usize, text: &mut String) {
    let is_block = match &node.value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    text.push(if is_block { '\n' } else { ' ' });
    text.extend(std::iter::repeat_n(' ', if is_block { indent } else { 0 }));
    block(node, indent, text);
}

/// A string, in quotes if it could be taken for anything else.
fn string(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || " .,_-/+@&'()".contains(letter);
    let is_reserved = RESERVED.contains(&text.to_lowercase().as_str());
    if text.starts_with(char::is_alphabetic)
        && text.chars().all(is_plain)
        && !text.ends_with(' ')
        && !is_reserved
    {
        return text.to_owned();
    }
    let mut quoted = String::new();
    for letter in serde_json::Value::from(text).to_string().chars() {
        match letter {
            // Readers of YAML take these as the end of a line, or for nothing.
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}'..='\u{ffff}' => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            _ => quoted.push(letter),
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tollproof_core::{Format, Parsed, Source};

    use super::document;

    fn written(value: &Value) -> String {
        let source = Source::new("draft", value.to_string());
        let parsed = Parsed::of(&source, Some(Format::Json));
        document(parsed.only().expect("there is one").root.as_ref().expect("it has a value"))
    }

    #[test]
    fn drafts_are_blocks_of_plain_words_and_quoted_strings() {
        let draft = json!({
            "name": "Fern Café, Inc.", "site": "https://fern.example", "country": "NO", "zip": "00745", "said": "one\n\"two\"",
            "numbers": [{ "number": "+18334821107", "is": true }, { "number": "8334821107" }],
            "urls": ["a", []], "address": { "city": "Erie", "more": {} }, "volume": 100, "none": null
        });
        let text = written(&draft);
        assert!(text.contains("name: Fern Café, Inc.\n") && text.contains("country: \"NO\"\n"), "{text}");
        assert!(text.contains("numbers:\n  - number: \"+18334821107\"\n    is: true\n  - number:"), "{text}");
        assert_eq!(serde_yaml::from_str::<Value>(&text).expect("it is YAML"), draft, "{text}");
    }

    #[test]
    fn every_string_is_read_again() {
        let odd = [
            "",
            " ",
            "a ",
            " a",
            "a: b",
            "a #b",
            "- a",
            "a:",
            "~",
            "Null",
            "on",
            "2026-11-30",
            "1e3",
            "0x1F",
            ".inf",
            "!a",
            "&a",
            "*a",
            "%a",
            "`a",
            "|",
            "a\tb",
            "a\r\nb",
            "\u{85}a",
            "'",
            "it's",
            "[a",
            "{a",
            "a, b",
            "#",
            "=",
            "<<",
            "---",
            "...",
            "?",
            "😀",
        ];
        let letters =
            (0..0x3000).chain(0xfe00..=0xffff).filter_map(char::from_u32).map(|letter| format!("a{letter}b"));
        let all: Vec<String> = odd.iter().map(|&text| text.to_owned()).chain(letters).collect();
        let keys: serde_json::Map<String, Value> =
            all.iter().map(|text| (text.clone(), json!(text))).collect();
        for value in [json!({ "all": all }), Value::Object(keys)] {
            let text = written(&value);
            assert!(serde_yaml::from_str::<Value>(&text).expect("it is YAML") == value);
            let source = Source::new("a.yaml", text);
            let parsed = Parsed::of(&source, Some(Format::Yaml));
            let only = parsed.only().expect("there is one");
            assert!(only.syntax_errors.is_empty(), "{:?}", only.syntax_errors);
            let read = serde_json::to_value(only.root.as_ref().expect("it has a value"));
            assert!(read.expect("its keys are strings") == value);
        }
    }
}
