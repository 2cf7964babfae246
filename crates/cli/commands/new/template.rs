//! A draft to fill in: every field explained, and none with a value.

use std::fmt::Write as _;

use serde_json::Value;
use tollproof_core::Kind;

use super::yaml::quoted;
use crate::terminal::wrap;
use tollproof_core::schema::{FieldType, FormField, Need, schema_of, show};

/// The width of comments in columns, including `# `.
const WIDTH: usize = 78;

/// The first line of a draft: whose it is, and what it is.
pub(super) fn declaration(kind: Kind) -> String {
    let provider = kind.provider();
    if kind.full_name() == kind.name() {
        format!("# tollproof: kind={}\n", kind.name())
    } else {
        format!("# tollproof: provider={} kind={}\n", provider.name(), kind.name())
    }
}

/// A draft of a kind in which every optional field is a comment and every other one is empty.
pub(super) fn template(kind: Kind) -> String {
    let schema = schema_of(kind);
    let mut text = declaration(kind) + "#\n";
    let about = schema["description"].as_str().unwrap_or_default();
    let provider =
        if kind.full_name() == kind.name() { String::new() } else { format!(" for {}", kind.provider()) };
    comment(&mut text, "", &format!("A draft of {}{provider}. {about}", kind.noun()));
    text += "#\n";
    comment(
        &mut text,
        "",
        "Write each value between the quotes after its field. If the field ends in >-, write on the lines below it, \
         each indented by two spaces. `tollproof check` names every field that is still empty. A field after # is \
         optional: to use it, delete the #.",
    );
    if kind.is_update() {
        text += "#\n";
        comment(
            &mut text,
            "",
            "An update request does not contain the submission that it changes. To compare them, write record= and the \
             id of its record at the end of the first line, and name your records with --history.",
        );
    }
    for field in kind.form_fields(&schema) {
        text.push('\n');
        text += &entry(&field, "");
    }
    text
}

/// The fields that a draft needs and does not have, as comments with their explanation.
pub(super) fn missing(kind: Kind, draft: &Value) -> String {
    let schema = schema_of(kind);
    let mut text = String::new();
    for field in kind.form_fields(&schema) {
        if draft.get(field.key).is_none() && field.need != Need::Optional {
            text.push('\n');
            for line in entry(&field, "").lines() {
                let mark = if line.starts_with('#') { "" } else { "#" };
                writeln!(text, "{mark}{line}").expect("strings take everything");
            }
        }
    }
    text
}

/// A field with its explanation, and the fields below it. An optional field is a comment, after its explanation.
fn entry(field: &FormField<'_>, indent: &str) -> String {
    let mut text = String::new();
    explain(&mut text, indent, field);
    let lines = blank(field, indent);
    for line in lines.lines() {
        match field.need {
            Need::Optional => writeln!(text, "#{line}"),
            Need::Required | Need::UnlessSoleProprietor | Need::ByReviewers => writeln!(text, "{line}"),
        }
        .expect("strings take everything");
    }
    text
}

/// Adds the explanation of a field as comments.
fn explain(text: &mut String, indent: &str, form_field: &FormField<'_>) {
    let field = &form_field.info;
    comment(text, indent, &format!("{} ({})", field.title(), form_field.need.words()));
    comment(text, indent, &format!("{} {}", field.description(), field.entries()));
    if !form_field.below.is_empty() {
        return;
    }
    let choice = field.choice();
    if !choice.values.is_empty() {
        one_of(text, indent, &choice.values);
        choice.others.iter().for_each(|other| comment(text, indent, &format!("Or: {other}")));
        return;
    }
    let written = |value: &Value| match value {
        Value::String(sentences) if field.takes_sentences() => sentences.clone(),
        Value::String(word) => quoted(word),
        value => show(value),
    };
    let examples = field.examples().iter().flat_map(|example| match example {
        Value::Array(entries) => entries.iter().map(written).collect(),
        value => vec![written(value)],
    });
    let examples: Vec<_> = examples.collect();
    match examples.as_slice() {
        [] => {}
        [one] => comment(text, indent, &format!("Example: {one}")),
        several => comment(text, indent, &format!("Examples: {}", several.join(", "))),
    }
}

/// Adds the allowed values of a field, without a line break inside a value.
fn one_of(text: &mut String, indent: &str, values: &[String]) {
    let mut line = format!("{indent}# One of:");
    for (at, value) in values.iter().enumerate() {
        let comma = if at + 1 < values.len() { "," } else { "" };
        let value = quoted(value) + comma;
        if line.len() + 1 + value.len() > WIDTH + 2 {
            text.push_str(&line);
            text.push('\n');
            line = format!("{indent}#");
        }
        line.push(' ');
        line.push_str(&value);
    }
    text.push_str(&line);
    text.push('\n');
}

/// The field without a value, with the fields below it.
fn blank(field: &FormField<'_>, indent: &str) -> String {
    let key = field.key;
    match field.type_of() {
        FieldType::Texts => format!("{indent}{key}:\n{indent}  - \"\"\n"),
        FieldType::TextsUnder(inner) => format!("{indent}{key}:\n{indent}  - {inner}: \"\"\n"),
        FieldType::Object => {
            let below: Vec<String> =
                field.below.iter().map(|child| entry(child, &format!("{indent}  "))).collect();
            format!("{indent}{key}:\n{}", below.join(""))
        }
        FieldType::Objects => {
            // The first field that is not a comment has the dash.
            let below = field
                .below
                .iter()
                .map(|child| entry(child, &format!("{indent}    ")))
                .collect::<Vec<_>>()
                .join("");
            format!("{indent}{key}:\n{indent}  -\n{below}")
        }
        // A boolean has no empty value.
        FieldType::Boolean => {
            let example = field.info.examples().first().map_or_else(|| "false".into(), show);
            format!("{indent}{key}: {example}\n")
        }
        FieldType::Text if field.info.takes_sentences() && field.need != Need::Optional => {
            format!("{indent}{key}: >-\n\n")
        }
        FieldType::Text | FieldType::Integer => format!("{indent}{key}: \"\"\n"),
    }
}

fn comment(text: &mut String, indent: &str, said: &str) {
    for line in wrap(said, WIDTH - indent.len()).lines() {
        writeln!(text, "{indent}# {line}").expect("strings take everything");
    }
}
