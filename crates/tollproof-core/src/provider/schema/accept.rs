//! Decides whether a value is valid, without listing the errors; `validate.rs` lists them.

use super::shape::{ObjectShape, Shape, TextFormat, TextShape};
use crate::syntax::document::{Node, Value};
use crate::validators::format;

impl Shape {
    /// Whether the value is valid.
    pub(crate) fn accepts(&self, node: &Node<'_>) -> bool {
        match (self, &node.value) {
            (Self::Object(object), Value::Object(_)) => object.accepts(node),
            (Self::List { item, min, max, .. }, Value::Array(items)) => {
                items.len() >= *min
                    && max.is_none_or(|max| items.len() <= max)
                    && items.iter().all(|it| item.accepts(it))
            }
            (Self::List { item, or_one: true, .. }, Value::String(text)) => {
                is_one(text) && item.accepts(node)
            }
            (Self::Text(text), Value::String(value)) => text.accepts(value),
            (Self::Text(TextShape { or_list: true, .. }), Value::Array(items)) => {
                !items.is_empty() && items.iter().all(|it| it.as_str().is_some() && self.accepts(it))
            }
            (Self::Bool { .. }, Value::Bool(_)) => true,
            (Self::Bool { or_text: true }, Value::String(text)) => is_boolean(text),
            (Self::Integer { min, max }, Value::Number(number)) => {
                number.parse::<i64>().is_ok_and(|number| {
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
                })
            }
            (Self::Any, _) => true,
            _ => false,
        }
    }

    /// Whether the value, or each item of a list, has the right type. Its content is not checked.
    pub(crate) fn takes(&self, node: &Node<'_>) -> bool {
        match (self, &node.value) {
            (Self::Object(_), Value::Object(_))
            | (Self::Text(_), Value::String(_))
            | (Self::Bool { .. }, Value::Bool(_))
            | (Self::Integer { .. }, Value::Number(_)) => true,
            (Self::List { item, .. }, Value::Array(items)) => items.iter().all(|it| item.takes(it)),
            (Self::Any, _) => true,
            _ => false,
        }
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

impl ObjectShape {
    /// Fields are usually in the order of the schema, so the search for each field starts after the previous one.
    fn accepts(&self, node: &Node<'_>) -> bool {
        let mut seen = 0_u64;
        let mut next = 0;
        for member in node.members() {
            let found =
                (next..self.fields.len()).chain(0..next).find(|&at| self.fields[at].name == member.key);
            if found.is_some_and(|at| self.fields[at].nullable) && matches!(member.value.value, Value::Null) {
                seen |= 1 << found.unwrap_or_default();
                continue;
            }
            let shape = match (found, &self.other) {
                (Some(at), _) if seen & (1 << at) != 0 => return false,
                (Some(at), _) => {
                    seen |= 1 << at;
                    next = at + 1;
                    &self.fields[at].shape
                }
                (None, Some(other)) => other,
                (None, None) => return false,
            };
            if !shape.accepts(&member.value) {
                return false;
            }
        }
        self.fields.iter().enumerate().all(|(at, field)| !field.required || seen & (1 << at) != 0)
    }
}

impl TextShape {
    pub(crate) fn accepts(&self, value: &str) -> bool {
        // Most values begin with a letter or digit.
        let begins = value.as_bytes().first().is_some_and(u8::is_ascii_graphic);
        if self.filled && !begins && value.trim().is_empty() {
            return false;
        }
        self.lists(value)
            && self.fits(value)
            && self.max.is_none_or(|max| value.len() <= max || value.chars().count() <= max)
    }

    /// Whether the value has the format.
    pub(super) fn fits(&self, value: &str) -> bool {
        match self.format {
            None => true,
            Some(TextFormat::Uuid) => format::is_uuid(value),
            Some(TextFormat::Timestamp) => format::is_timestamp(value),
            Some(TextFormat::Sid(letters)) => format::is_sid(value, letters),
            Some(TextFormat::TollFree) => format::is_toll_free(value),
            Some(TextFormat::TwoLetters) => {
                value.len() == 2 && value.bytes().all(|it| it.is_ascii_alphabetic())
            }
            Some(TextFormat::NoCapitals) => !value.bytes().any(|it| it.is_ascii_uppercase()),
            Some(TextFormat::PostalCode) => {
                value.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b' ' | b'-'))
            }
            Some(TextFormat::Label) => {
                value.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b' ' | b'_'))
            }
        }
    }

    /// Whether the value is one of the listed values, or the schema lists none.
    pub(super) fn lists(&self, value: &str) -> bool {
        self.values.is_empty()
            || self.values.iter().any(|it| it == value)
            || self.or_ends_with.as_ref().is_some_and(|end| format::ends_with(value, end))
    }
}
