//! A draft as YAML that people go on writing: a line for each field, sentences in folded blocks.

use std::fmt::Write as _;

use super::tree::DraftValue;
use crate::terminal::{printable, width};

/// The columns of a folded block.
const WIDTH: usize = 100;

/// The text of a draft. `comments` gives the lines before a field of the draft itself.
pub(super) fn yaml(draft: &DraftValue, comments: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    match draft {
        DraftValue::Object(members) => {
            for (name, value) in members {
                text += &comments(name);
                member(name, value, 0, &mut text);
            }
        }
        other => value(other, 0, &mut text),
    }
    text
}

/// Appends a key with its value, on lines of their own.
fn member(name: &str, content: &DraftValue, indent: usize, text: &mut String) {
    let _ = write!(text, "{:indent$}{}:", "", key(name));
    value(content, indent, text);
}

/// Appends a value after its key or after the `-` of its item, and ends the line. `indent` is that of the key.
fn value(value: &DraftValue, indent: usize, text: &mut String) {
    match value {
        DraftValue::List(items) if !items.is_empty() => {
            text.push('\n');
            items.iter().for_each(|it| item(it, indent + 2, text));
        }
        DraftValue::Object(members) if !members.is_empty() => {
            text.push('\n');
            members.iter().for_each(|(name, value)| member(name, value, indent + 2, text));
        }
        other => scalar(other, indent, text),
    }
}

/// Appends an item of a list.
fn item(content: &DraftValue, indent: usize, text: &mut String) {
    let _ = write!(text, "{:indent$}-", "");
    match content {
        DraftValue::Object(members) if !members.is_empty() => {
            for (at, (name, content)) in members.iter().enumerate() {
                if at == 0 {
                    let _ = write!(text, " {}:", key(name));
                    value(content, indent + 2, text);
                } else {
                    member(name, content, indent + 2, text);
                }
            }
        }
        other => value(other, indent, text),
    }
}

fn scalar(value: &DraftValue, indent: usize, text: &mut String) {
    match value {
        DraftValue::Text(words) if is_foldable(words) => {
            text.push_str(" >-\n");
            let mut line = 0;
            for word in words.split(' ') {
                if line > 0 && line + 1 + width(word) > WIDTH {
                    text.push('\n');
                    line = 0;
                }
                let gap = if line == 0 { indent + 2 } else { 1 };
                let _ = write!(text, "{:gap$}{word}", "");
                line += gap + width(word);
            }
        }
        DraftValue::Text(words) => {
            text.push(' ');
            text.push_str(&quoted(words));
        }
        other => {
            let json = serde_json::to_string(other).unwrap_or_default();
            let _ = write!(text, " {json}");
        }
    }
    text.push('\n');
}

/// Whether a text is the same after its lines are folded and unfolded: one paragraph with single spaces.
fn is_foldable(text: &str) -> bool {
    text.len() > WIDTH
        && text.split(' ').all(|word| !word.is_empty())
        && text.chars().all(|c| c == ' ' || !c.is_whitespace() && printable(c) == c && c != '\u{feff}')
        && !text.starts_with('#')
}

fn key(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
    let is_word = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        .contains(&name.to_ascii_lowercase().as_str());
    if is_plain && !is_word { name.to_owned() } else { quoted(name) }
}

/// A text in double quotes, with an escape for each character that YAML does not allow in a file or that is invisible.
pub(super) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut quoted = String::with_capacity(json.len());
    for c in json.chars() {
        if printable(c) == c && c != '\u{feff}' && c != '\t' {
            quoted.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(quoted, "\\u{unit:04x}");
            }
        }
    }
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tollproof_core::{Format, Parsed, Source};

    use super::*;

    fn values() -> impl Strategy<Value = DraftValue> {
        let text = prop_oneof![
            "[a-zA-Z0-9 :#'\"\\-+%@&*!|>{}\\[\\],?.]{0,30}",
            "([a-z\"#:'é漢]{1,12} ){8,30}end",
            "\\PC{0,20}|[\\x00-\\x1f\\x7f-\\x9f\u{2028}\u{feff}\u{fffe} a]{0,12}",
        ];
        let leaf = prop_oneof![
            text.prop_map(DraftValue::Text),
            any::<bool>().prop_map(DraftValue::Bool),
            any::<i64>().prop_map(|it| DraftValue::Number(it.into())),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 1..4).prop_map(DraftValue::List),
                proptest::collection::btree_map("[a-zA-Z.]{1,9}|\\PC{1,4}", inner, 1..4)
                    .prop_map(|it| DraftValue::Object(it.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(first in values(), second in values()) {
            let draft = DraftValue::Object(vec![("a".to_owned(), first), ("b.c".to_owned(), second)]);
            let text = yaml(&draft, &|_| String::new());
            let source = Source::new("draft.yaml", text.as_str());
            let parsed = Parsed::of(&source, Some(Format::Yaml));
            let document = parsed.only().expect("it is one document");
            prop_assert!(document.syntax_errors.is_empty(), "{:?}\n{text}", document.syntax_errors);
            let read = DraftValue::of(document.root.as_ref().expect("it was read"));
            prop_assert_eq!(&read, &draft, "{}", text);
        }
    }
}
