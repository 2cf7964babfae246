//! A draft as YAML that people go on writing: a line for each field, sentences in folded blocks.

use std::fmt::Write as _;

use serde_json::Value;

use crate::terminal::{printable, width};

/// The columns of a folded block.
const WIDTH: usize = 100;

/// The text of a draft. `comments` gives the lines before a field or an item, by its path of keys and indexes.
pub(super) fn yaml(draft: &Value, comments: &dyn Fn(&[String]) -> String) -> String {
    let mut writer = YamlWriter { comments, path: Vec::new(), text: String::new() };
    match draft {
        // Answers that were all deleted again leave a draft, which an empty file is not.
        Value::Object(members) if members.is_empty() => writer.text.push_str("{}\n"),
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| writer.member(name, value, 0, true))
        }
        other => writer.value(other, 0),
    }
    writer.text
}

struct YamlWriter<'c> {
    comments: &'c dyn Fn(&[String]) -> String,
    path: Vec<String>,
    text: String,
}

impl YamlWriter<'_> {
    /// Appends a key with its value; on a line of its own, or after the `-` of its item.
    fn member(&mut self, name: &str, value: &Value, indent: usize, is_line: bool) {
        self.path.push(name.to_owned());
        if is_line {
            self.text += &(self.comments)(&self.path);
            let _ = write!(self.text, "{:indent$}", "");
        }
        let _ = write!(self.text, "{}:", key(name));
        self.value(value, indent);
        self.path.pop();
    }

    /// Appends a value after its key or after the `-` of its item, and ends the line. `indent` is that of the key.
    fn value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Array(items) if !items.is_empty() => {
                self.text.push('\n');
                items.iter().enumerate().for_each(|(at, it)| self.item(at, it, indent + 2));
            }
            Value::Object(members) if !members.is_empty() => {
                self.text.push('\n');
                members.iter().for_each(|(name, value)| self.member(name, value, indent + 2, true));
            }
            other => scalar(other, indent, &mut self.text),
        }
    }

    /// Appends an item of a list.
    fn item(&mut self, at: usize, value: &Value, indent: usize) {
        self.path.push(at.to_string());
        match value {
            Value::Object(members) if !members.is_empty() => {
                for (at, (name, value)) in members.iter().enumerate() {
                    if at == 0 {
                        self.path.push(name.clone());
                        self.text += &(self.comments)(&self.path);
                        self.path.pop();
                        let _ = write!(self.text, "{:indent$}- ", "");
                    }
                    self.member(name, value, indent + 2, at > 0);
                }
            }
            other => {
                self.text += &(self.comments)(&self.path);
                let _ = write!(self.text, "{:indent$}-", "");
                self.value(other, indent);
            }
        }
        self.path.pop();
    }
}

fn scalar(value: &Value, indent: usize, text: &mut String) {
    match value {
        Value::String(words) if is_foldable(words) => {
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
        Value::String(words) => {
            text.push(' ');
            text.push_str(&quoted(words));
        }
        Value::Null => {}
        other => {
            let _ = write!(text, " {other}");
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
    let json = Value::from(text).to_string();
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
