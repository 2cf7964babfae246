//! A schema reduced to what decides it fast: made from `schemas/` when tollproof is built.
//!
//! `accept.rs` decides whether a value has the shape, `validate.rs` lists what is wrong with one that has not.

use serde::{Deserialize, Serialize};

/// What a value must look like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shape {
    /// An object.
    Object(ObjectShape),
    /// A list of so many items.
    List { item: Box<Shape>, min: usize, max: Option<usize> },
    /// A text.
    Text(TextShape),
    /// `true` or `false`.
    Bool,
    /// A whole number, at least so much.
    Integer { min: Option<i64> },
}

/// An object and its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectShape {
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
pub(crate) struct TextShape {
    /// Something else than blanks.
    pub(crate) filled: bool,
    /// One of these, if there are any.
    pub(crate) values: Vec<String>,
    /// Or, beside those values, any text with this end and something before it.
    pub(crate) or_ends_with: Option<String>,
    /// An identifier or a time.
    pub(crate) format: Option<TextFormat>,
}

/// A notation of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TextFormat {
    Uuid,
    Timestamp,
}

impl Shape {
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
            Self::Text(_) => "a string",
            Self::Bool => "true or false",
            Self::Integer { .. } => "a whole number",
        }
    }
}

impl ObjectShape {
    /// The shape of a field, of one that has no name in the schema too.
    pub(super) fn field(&self, key: &str) -> Option<&Shape> {
        let named = self.fields.iter().find(|field| field.name == key).map(|field| &field.shape);
        named.or(self.other.as_deref())
    }
}
