//! A schema reduced to what decides it fast: made from `schemas/` when tollproof is built.
//!
//! It accepts; it never explains. What it does not accept goes to the judge.

use serde::{Deserialize, Serialize};

use super::format;
use crate::document::{Node, Value};

/// What a value must look like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// An object.
    Object(Object),
    /// A list of so many items.
    List { item: Box<Shape>, min: usize, max: Option<usize> },
    /// A text.
    Text(Text),
    /// `true` or `false`.
    Bool,
    /// A whole number, at least so much.
    Integer { min: Option<i64> },
}

/// An object and its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Object {
    pub(crate) fields: Vec<Field>,
    /// What any other field must look like; none where there may be no other.
    pub(crate) other: Option<Box<Shape>>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) shape: Shape,
}

/// What a text must be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Text {
    /// Something else than blanks.
    pub(crate) filled: bool,
    /// One of these, if there are any.
    pub(crate) values: Vec<String>,
    /// Or, beside those values, any text with this end and something before it.
    pub(crate) or_ends_with: Option<String>,
    /// An identifier or a time.
    pub(crate) format: Option<Format>,
}

/// A notation of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Format {
    Uuid,
    Timestamp,
}

impl Shape {
    /// Whether the value is surely as the schema wants it. False means: ask the judge.
    pub(crate) fn accepts(&self, node: &Node<'_>) -> bool {
        match (self, &node.value) {
            (Self::Object(object), Value::Object(_)) => object.accepts(node),
            (Self::List { item, min, max }, Value::Array(items)) => {
                items.len() >= *min
                    && max.is_none_or(|max| items.len() <= max)
                    && items.iter().all(|it| item.accepts(it))
            }
            (Self::Text(text), Value::String(value)) => text.accepts(value),
            (Self::Bool, Value::Bool(_)) => true,
            (Self::Integer { min }, Value::Number(number)) => {
                number.parse::<i64>().is_ok_and(|number| min.is_none_or(|min| number >= min))
            }
            _ => false,
        }
    }

    /// Whether the value is of the type that the schema wants, its items too, whatever it says.
    pub(crate) fn takes(&self, node: &Node<'_>) -> bool {
        match (self, &node.value) {
            (Self::Object(_), Value::Object(_))
            | (Self::Text(_), Value::String(_))
            | (Self::Bool, Value::Bool(_))
            | (Self::Integer { .. }, Value::Number(_)) => true,
            (Self::List { item, .. }, Value::Array(items)) => items.iter().all(|it| item.takes(it)),
            _ => false,
        }
    }

    /// The shape at a path of keys, `None` being any item of a list.
    pub(crate) fn at<'k>(&self, path: impl IntoIterator<Item = Option<&'k str>>) -> Option<&Self> {
        let mut shape = self;
        for step in path {
            shape = match (shape, step) {
                (Self::Object(object), Some(key)) => object.field(key)?,
                (Self::List { item, .. }, None) => item,
                _ => return None,
            };
        }
        Some(shape)
    }

    /// The shape of the value at an RFC 6901 pointer.
    pub(crate) fn at_pointer(&self, pointer: &str) -> Option<&Self> {
        let mut shape = self;
        for token in pointer.split('/').skip(1) {
            shape = match shape {
                Self::Object(object) => object.field(&token.replace("~1", "/").replace("~0", "~"))?,
                Self::List { item, .. } => item,
                _ => return None,
            };
        }
        Some(shape)
    }

    /// What it is called inside a sentence.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::List { .. } => "a list",
            Self::Text(_) => "a text",
            Self::Bool => "true or false",
            Self::Integer { .. } => "a whole number",
        }
    }
}

impl Object {
    /// The shape of a field, of one that has no name in the schema too.
    fn field(&self, key: &str) -> Option<&Shape> {
        let named = self.fields.iter().find(|field| field.name == key).map(|field| &field.shape);
        named.or(self.other.as_deref())
    }

    /// Fields mostly come in the schema's order, so each is looked for behind the one before.
    fn accepts(&self, node: &Node<'_>) -> bool {
        let mut seen = 0_u64;
        let mut next = 0;
        for member in node.members() {
            let found =
                (next..self.fields.len()).chain(0..next).find(|&at| self.fields[at].name == member.key);
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

impl Text {
    fn accepts(&self, value: &str) -> bool {
        if self.filled && value.trim().is_empty() {
            return false;
        }
        let listed = self.values.is_empty()
            || self.values.iter().any(|it| it == value)
            || self.or_ends_with.as_ref().is_some_and(|end| format::ends_with(value, end));
        listed
            && match self.format {
                None => true,
                Some(Format::Uuid) => format::is_uuid(value),
                Some(Format::Timestamp) => format::is_timestamp(value),
            }
    }
}
