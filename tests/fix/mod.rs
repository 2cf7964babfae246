//! Fixes: each one that is offered, what holds for all of them, and `--fix` and `--diff` on real files.

mod files;
mod invariants;
mod no_new_errors;
mod safe;
mod values;

use serde_json::{Value, json};
use tollproof_core::{Kind, clean_document};

/// A clean document in which one value is marked, so that a notation can be written in its place.
pub(crate) fn template(kind: Kind, pointer: &str) -> Value {
    let mut document = clean_document(kind);
    *document.pointer_mut(pointer).expect("the clean document has the field") = json!("@");
    document
}

/// A value in block YAML below a key or `- `, with `@` replaced by a notation that is indented below it.
pub(crate) fn yaml(value: &Value, indent: usize, notation: &str) -> String {
    let blanks = " ".repeat(indent);
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| match value {
                Value::Object(_) | Value::Array(_) => {
                    format!("{blanks}{key}:\n{}", yaml(value, indent + 2, notation))
                }
                _ => format!("{blanks}{key}: {}\n", yaml(value, indent + 2, notation)),
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .map(|item| format!("{blanks}- {}\n", yaml(item, indent + 2, notation).trim()))
            .collect(),
        Value::String(text) if text == "@" => notation.replace('\n', &format!("\n{blanks}")),
        _ => value.to_string(),
    }
}
