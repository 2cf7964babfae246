//! Violations of the kind's schema by a value of the wrong type, and what is written instead.

use tollproof_data::provider::schema::error::SchemaError;
use tollproof_data::provider::schema::shape::{Field, ObjectShape, Shape, TextFormat, TextShape};

use super::address::{self, Zip};
use super::{Violation, comment};
use crate::checks::context::Context;
use crate::finding::Safety;
use crate::provider::near_value::{Near, amount, amount_in, near};
use crate::provider::{role, schema};
use crate::syntax::document::{Node, Style, Value};
use crate::syntax::message::{Message, message};
use crate::syntax::message_parts::quoted;
use crate::syntax::source::Span;
use crate::syntax::string_map;
use crate::validators::format;

/// The value for messages, as it is written.
pub(super) fn found(node: &Node<'_>, text: &str) -> Message {
    match &node.value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) => {
            message!("the {} `{}`", Message::own(node.type_name()), with_tag(node, text))
        }
        Value::String(text) if text.is_empty() => "an empty string".into(),
        Value::String(text) if text.trim().is_empty() => "a string of spaces".into(),
        Value::String(text) => message!("the string `{}`", text.trim_end_matches('\n')),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::Computed => "a computed value".into(),
    }
}

/// The source text of a value, including its YAML tag.
fn with_tag<'t>(node: &Node<'_>, text: &'t str) -> &'t str {
    let span = node.written();
    let start = string_map::tag(text, node).map_or(span.start, |tag| tag.start);
    text.get(Span { start, ..span }.range()).unwrap_or_default()
}

/// The name of the document's provider.
pub(super) fn provider(context: &Context<'_>) -> Message {
    Message::own(context.kind.provider().title())
}

/// A value of the wrong type, with the expected type and the value as it is written. The fix adds quotes if only they
/// are missing.
pub(super) fn wrong_type(
    node: &Node<'_>,
    error: &SchemaError,
    violation: Violation,
    context: &Context<'_>,
) -> Violation {
    let expected = schema::shape(context.kind).at_pointer(&error.pointer);
    let found = match (expected, &node.value) {
        // A person who writes `1 000` means a number, and has written no quotes.
        (Some(Shape::Integer { .. }), Value::String(text)) if !is_digits(text) => {
            message!("`{}`", text.trim())
        }
        _ => found(node, context.text),
    };
    let violation = violation
        .fill("expected", Message::own(expected.map_or("a value of another type", Shape::noun)))
        .fill("found", found);
    match (expected, &node.value) {
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) if text.values.is_empty() => {
            unquoted(node, &error.pointer, violation, context)
        }
        (Some(Shape::Text(text)), Value::Number(_) | Value::Bool(_)) => {
            unlisted(text, node, violation, context)
        }
        (_, Value::Null) if comment::after(context.text, node).is_some() => {
            comment::in_place(node, expected, &error.pointer, violation, context)
        }
        (_, Value::Null) => {
            let what = Message::own(expected.map_or("a value", Shape::noun));
            let help = if is_optional(&error.pointer, context) {
                message!("Remove the field, or write {} instead of `null`.", what)
            } else {
                message!("Write {} instead of `null`, because this field is required.", what)
            };
            Violation { help: Some(help), ..violation }
        }
        (Some(Shape::Integer { .. }), Value::String(text)) => {
            match whole_number(text).or_else(|| amount_in(text)) {
                Some(number) => {
                    let digits = Message::name(number.to_string());
                    let help = if is_digits(text) {
                        message!("Write {}, without quotes.", digits)
                    } else {
                        message!("Write {}, only digits.", digits)
                    };
                    Violation { help: Some(help), ..violation.overwrite(context, node, &number.to_string()) }
                }
                None => violation,
            }
        }
        (Some(Shape::Object(object)), Value::String(text)) => match only_text(object) {
            Some(field) => {
                let help = Some(message!("Write it as an object with the field `{}`.", Message::name(field)));
                let value = string_map::in_quotes(node, text);
                let object = format!("{{\"{field}\": {value}}}");
                Violation { help, ..violation.overwrite(context, node, &object) }
            }
            None => violation,
        },
        (Some(Shape::Bool { .. }), Value::String(text)) => boolean(node, text, violation, context),
        (Some(Shape::List { item, .. }), Value::String(text)) => list(node, text, item, violation, context),
        (Some(Shape::List { item, .. }), Value::Number(number)) if is_id(item) => {
            list(node, number, item, violation, context)
        }
        _ => violation,
    }
}

/// Whether a text has nothing but digits, or nothing at all.
fn is_digits(text: &str) -> bool {
    text.trim().bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number in any notation: `+5` and `05` are not numbers in JSON.
fn whole_number(text: &str) -> Option<u64> {
    let written = text.trim().parse::<u32>().ok().map(u64::from);
    written.or_else(|| amount(text).filter(|_| !text.contains('+')))
}

/// The field of an object that has only one field with a text.
fn only_text(object: &ObjectShape) -> Option<&str> {
    match object.fields.as_slice() {
        [Field { name, shape: Shape::Text(_), .. }] => Some(name),
        _ => None,
    }
}

/// A number or boolean in place of a string.
fn unquoted(node: &Node<'_>, pointer: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let type_name = Message::own(node.type_name());
    if context.kind.role_at(pointer) == Some(role::BUSINESS_ZIP) && tag(node, context).is_none() {
        match address::zip_of_number(written, context) {
            Zip::Lost { zip, state } => {
                let help = Some(message!(
                    "Write \"{}\", in quotes: in {} ZIP codes begin with a zero, which a number loses.",
                    zip,
                    state
                ));
                return Violation { help, ..violation.rewrite(context, node, &zip, Safety::Unsafe) };
            }
            Zip::Wrong => {
                let help = "Write the whole code in quotes with its leading zeros, such as \"02134\".";
                return Violation { help: Some(help.into()), ..violation };
            }
            Zip::Right => {}
        }
    } else if let Some(violation) = comment::after_number(node, written, pointer, &violation, context) {
        return violation;
    }
    let Some(digits) = as_text(node, written) else {
        let help = Some("Write it as a string, in quotes.".into());
        return Violation { help, ..violation };
    };
    let help = match tag(node, context) {
        Some(tag) if written.starts_with(['"', '\'']) => {
            message!("Remove `{}`, which makes it a {}.", tag, type_name)
        }
        Some(tag) => message!(
            "Remove `{}`, which makes it a {}, and put the rest in quotes: \"{}\".",
            tag,
            type_name,
            written
        ),
        None if node.style.is_yaml() => {
            message!("Put it in quotes: \"{}\". Without quotes YAML reads it as a {}.", digits, type_name)
        }
        None => message!("Put it in quotes: \"{}\".", digits),
    };
    Violation { help: Some(help), ..violation.rewrite(context, node, digits, quoting(node)).meaning(digits) }
}

/// The string that a number or boolean probably replaces; `None` if a program may have reformatted the number.
///
/// In YAML it is what the writer typed. A program wrote `2.07e9` or `2134.0` in JSON, and its input is unknown.
fn as_text<'t>(node: &Node<'_>, written: &'t str) -> Option<&'t str> {
    let is_of_program = matches!(node.value, Value::Number(_)) && written.contains(['.', 'e', 'E']);
    (node.style.is_yaml() || !is_of_program).then_some(written)
}

/// The YAML tag before a value, as it is written.
pub(super) fn tag(node: &Node<'_>, context: &Context<'_>) -> Option<String> {
    context.text.get(string_map::tag(context.text, node)?.range()).map(quoted)
}

/// Quoting a plain YAML scalar is safe, because its writer may not know that it is a number. The type of a JSON number
/// was chosen.
pub(super) fn quoting(node: &Node<'_>) -> Safety {
    if node.style.is_yaml() { Safety::Safe } else { Safety::Unsafe }
}

/// A number or boolean in place of a string of a closed list. Quotes alone may not be enough, so the fix uses a listed
/// value.
fn unlisted(text: &TextShape, node: &Node<'_>, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.written().range()).unwrap_or_default();
    let near = near(text, written.trim_matches(['"', '\'']), None);
    let is_same = matches!(near, Near::Same(_));
    let (value, why, safety) = match near {
        Near::Same(value) => (value, "exactly like this, in quotes", quoting(node)),
        Near::Largest(value) => (value, "the largest value, in quotes", Safety::Unsafe),
        Near::Next(value) => (value, "the next larger value, in quotes", Safety::Unsafe),
        Near::Meant(_) | Near::Nothing => {
            let help = match listed(text) {
                Some(all) => message!("Write one of {}, in quotes.", all),
                None => message!(
                    "Write one of the values that {}'s API lists for this field, in quotes.",
                    provider(context)
                ),
            };
            return Violation { help: Some(help), ..violation };
        }
    };
    let help = Some(match tag(node, context) {
        Some(tag) => {
            message!("Write \"{}\", {}, and without `{}`.", Message::name(value), Message::own(why), tag)
        }
        None => message!("Write \"{}\", {}.", Message::name(value), Message::own(why)),
    });
    let violation = violation.rewrite(context, node, value, safety);
    let violation = if is_same { violation.meaning(value) } else { violation };
    Violation { help, ..violation }
}

/// Help for a phone number in place of its identifier.
pub(super) const ID_OF_NUMBER: &str =
    "Copy the identifier of this number (a UUID) from your provider's console or API.";

/// The values of a list for messages, if there are few.
fn listed(text: &TextShape) -> Option<String> {
    let values: Vec<String> = text.values.iter().map(|value| format!("`{value}`")).collect();
    (values.len() <= 12).then(|| values.join(", "))
}

/// Whether the field is optional in its object.
pub(super) fn is_optional(pointer: &str, context: &Context<'_>) -> bool {
    let (above, field) = pointer.rsplit_once('/').unwrap_or_default();
    let Some(Shape::Object(object)) = schema::shape(context.kind).at_pointer(above) else { return false };
    object.fields.iter().any(|candidate| candidate.name == field && !candidate.required)
}

/// A string in place of a boolean: `"true"`, `yes`, `no`.
fn boolean(node: &Node<'_>, text: &str, violation: Violation, context: &Context<'_>) -> Violation {
    let value = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "1" => "true",
        "false" | "no" | "off" | "n" | "0" => "false",
        _ => return violation,
    };
    let value_said = Message::name(value);
    let help = match (tag(node, context), node.style) {
        (Some(tag), _) => message!("Write {}, without `{}`.", value_said, tag),
        (None, Style::Plain) => message!("Write {}, because YAML reads `{}` as a string.", value_said, text),
        (None, Style::Literal | Style::Folded) => message!("Write {} on the line of its field.", value_said),
        (None, Style::Json | Style::Single | Style::Double) => {
            message!("Write {}, without quotes.", value_said)
        }
        (None, _) => message!("Write {}.", value_said),
    };
    Violation { help: Some(help), ..violation.overwrite(context, node, value) }
}

pub(super) fn is_id(shape: &Shape) -> bool {
    matches!(shape, Shape::Text(text) if text.format == Some(TextFormat::Uuid))
}

/// The lines of a text, or the addresses if it is a comma-separated list of URLs.
fn items_of(text: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let is_address =
        |part: &str| ["https://", "http://"].iter().any(|scheme| part.trim().starts_with(scheme));
    if text.contains(',') && text.split(',').all(is_address) {
        Box::new(text.split(','))
    } else {
        Box::new(text.lines())
    }
}

/// A string in place of a list of strings.
fn list(node: &Node<'_>, text: &str, item: &Shape, violation: Violation, context: &Context<'_>) -> Violation {
    let written = context.text.get(node.span.range()).unwrap_or_default();
    let items: Vec<&str> = items_of(text).map(str::trim).filter(|line| !line.is_empty()).collect();
    if is_id(item) && items.iter().any(|item| !format::is_uuid(item)) {
        let help = Some(message!("Write a list, even for one number. {}", Message::own(ID_OF_NUMBER)));
        return Violation { help, ..violation };
    }
    let is_kept =
        matches!(node.style, Style::Json | Style::Single | Style::Double) && !written.contains('\n');
    if items.is_empty() {
        return violation;
    }
    let help = Some("Put it in a list with square brackets, even if there is only one.".into());
    let violation = Violation { help, ..violation };
    match items.as_slice() {
        [item] if is_kept && *item == text => violation.overwrite(context, node, &format!("[{written}]")),
        items => {
            let items: Vec<String> = items.iter().map(|item| string_map::in_quotes(node, item)).collect();
            violation.overwrite(context, node, &format!("[{}]", items.join(", ")))
        }
    }
}
