//! A schema compiled to a form that is fast to check.
//!
//! `accept.rs` decides whether a value is valid, `validate.rs` lists the errors.

use serde::{Deserialize, Serialize};

use crate::pointer::unescaped;

/// The schema of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// An object with its fields.
    Object(ObjectShape),
    /// A list with a minimum and a maximum number of items; `or_one`: one item may be written without the list.
    List { item: Box<Shape>, min: usize, max: Option<usize>, or_one: bool },
    /// A string.
    Text(TextShape),
    /// `true` or `false`; `or_text`: also as a string.
    Bool { or_text: bool },
    /// A whole number with an optional minimum and maximum.
    Integer { min: Option<i64>, max: Option<i64> },
    /// Any value: the provider does not say which.
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectShape {
    pub fields: Vec<Field>,
    /// The schema of fields that are not listed. `None` if there may not be any.
    pub other: Option<Box<Shape>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub name: String,
    pub required: bool,
    /// Whether `null` is allowed as well.
    pub nullable: bool,
    pub shape: Shape,
}

/// The constraints on a string.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextShape {
    /// It contains more than whitespace.
    pub filled: bool,
    /// The allowed values. Any value is allowed if the list is empty.
    pub values: Vec<String>,
    /// Also allowed: any string with this ending and at least one character before it.
    pub or_ends_with: Option<String>,
    /// The most characters.
    pub max: Option<usize>,
    pub format: Option<TextFormat>,
    /// Whether a list of such strings is allowed as well.
    pub or_list: bool,
}

/// The required form of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextFormat {
    Uuid,
    /// ISO 8601 in UTC with milliseconds.
    Timestamp,
    /// These two letters, then 32 hexadecimal digits.
    Sid([u8; 2]),
    /// A toll-free number as `+1`, toll-free code, and seven digits.
    TollFree,
    /// Two letters.
    TwoLetters,
    /// Without capital letters.
    NoCapitals,
    /// Letters, digits, spaces and hyphens.
    PostalCode,
    /// Letters, digits, spaces and underscores.
    Label,
}

impl Shape {
    /// The shape at a path of keys; `None` means any item of a list.
    pub fn at<'k>(&self, path: impl IntoIterator<Item = Option<&'k str>>) -> Option<&Self> {
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
    pub fn at_pointer(&self, pointer: &str) -> Option<&Self> {
        let mut shape = self;
        for token in pointer.split('/').skip(1) {
            shape = match shape {
                Self::Object(object) => object.field(&unescaped(token))?,
                Self::List { item, .. } => item,
                _ => return None,
            };
        }
        Some(shape)
    }

    /// The fields of an object.
    pub fn root_fields(&self) -> &[Field] {
        match self {
            Self::Object(object) => &object.fields,
            _ => &[],
        }
    }

    /// The name of the type inside a sentence, with its article.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::List { .. } => "a list",
            Self::Text(_) => "a string",
            Self::Bool { .. } => "true or false",
            Self::Integer { .. } => "a whole number",
            Self::Any => "a value",
        }
    }
}

impl ObjectShape {
    /// The shape of a field, including fields that the schema does not list.
    pub fn field(&self, key: &str) -> Option<&Shape> {
        let named = self.fields.iter().find(|field| field.name == key).map(|field| &field.shape);
        named.or(self.other.as_deref())
    }
}
