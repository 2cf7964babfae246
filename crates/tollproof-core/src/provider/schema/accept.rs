//! Limits of texts and other values without members; `validate.rs` lists the errors of whole documents.

use tollproof_data::provider::schema::shape::{Shape, TextFormat, TextShape};

use crate::syntax::document::{Node, Value};
use crate::validators::format;

/// Whether a value, or each item of a list, has the right type. Its content is not checked.
pub(crate) fn takes(shape: &Shape, node: &Node<'_>) -> bool {
    match (shape, &node.value) {
        (Shape::Object(_), Value::Object(_))
        | (Shape::Text(_), Value::String(_))
        | (Shape::Bool { .. }, Value::Bool(_))
        | (Shape::Integer { .. }, Value::Number(_)) => true,
        (Shape::List { item, .. }, Value::Array(items)) => items.iter().all(|it| takes(item, it)),
        (Shape::Any, _) | (_, Value::Computed) => true,
        _ => false,
    }
}

/// Whether a string in place of a list is one value, and not several with commas or line breaks between them.
pub(super) fn is_one(text: &str) -> bool {
    !text.contains(", ") && !text.contains(",http") && !text.contains('\n')
}

/// Whether a string is a boolean as forms write it.
pub(super) fn is_boolean(text: &str) -> bool {
    matches!(text, "true" | "false")
}

/// Whether a string is valid.
pub(crate) fn accepts_text(shape: &TextShape, value: &str) -> bool {
    // Most values begin with a letter or digit.
    let begins = value.as_bytes().first().is_some_and(u8::is_ascii_graphic);
    if shape.filled && !begins && value.trim().is_empty() {
        return false;
    }
    lists(shape, value)
        && fits(shape, value)
        && shape.max.is_none_or(|max| value.len() <= max || value.chars().count() <= max)
}

/// Whether a string has the format.
pub(super) fn fits(shape: &TextShape, value: &str) -> bool {
    match shape.format {
        None => true,
        Some(TextFormat::Uuid) => format::is_uuid(value),
        Some(TextFormat::Timestamp) => format::is_timestamp(value),
        Some(TextFormat::Sid(letters)) => format::is_sid(value, letters),
        Some(TextFormat::TollFree) => format::is_toll_free(value),
        Some(TextFormat::TwoLetters) => value.len() == 2 && value.bytes().all(|it| it.is_ascii_alphabetic()),
        Some(TextFormat::NoCapitals) => !value.bytes().any(|it| it.is_ascii_uppercase()),
        Some(TextFormat::PostalCode) => {
            value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-'))
        }
        Some(TextFormat::Label) => {
            value.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_'))
        }
    }
}

/// Whether a string is one of the listed values, or the schema lists none.
pub(super) fn lists(shape: &TextShape, value: &str) -> bool {
    shape.values.is_empty()
        || shape.values.iter().any(|it| it == value)
        || shape.or_ends_with.as_ref().is_some_and(|end| format::ends_with(value, end))
}
