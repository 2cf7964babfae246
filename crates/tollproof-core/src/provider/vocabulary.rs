//! Fields that contain personal data, and words that never do: names of fields and kinds.

use std::collections::HashMap;
use std::sync::OnceLock;

use tollproof_data::provider::schema::shape::Shape;
use tollproof_data::suggest::nearest;

use crate::provider::kind::{Kind, Provider};
use crate::provider::schema::{field_names, shape};
use crate::syntax::document::{Node, Value};
use crate::syntax::message::Message;
use crate::syntax::message_parts::masked;

/// Whether a field contains, or may contain, personal data.
pub(crate) fn is_personal(name: &str) -> bool {
    Provider::all().iter().any(|provider| provider.0.personal.contains(&name))
}

/// The type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Text,
    Number,
    Bool,
    /// A list of scalars.
    List,
    /// An object, or a list of objects.
    Fields,
}

/// Whether the value of a field must be masked: the field is personal or unknown, or its value has the wrong type.
pub(crate) fn hides(provider: Provider, name: &str, value: &Node<'_>) -> bool {
    // Providers use one name for values of different types, and one of them has fields that mean nothing to another.
    let fields = fields().iter().find(|(it, _)| *it == provider).or(fields().first());
    let holds = fields.and_then(|(_, fields)| fields.get(name));
    is_personal(name) || !holds.is_some_and(|holds| holds.iter().any(|it| it.fits(value)))
}

impl Holds {
    /// Whether a value has this type, or is null.
    fn fits(self, value: &Node<'_>) -> bool {
        let is_scalar = |node: &Node<'_>| !matches!(node.value, Value::Array(_) | Value::Object(_));
        match (self, &value.value) {
            (Self::Text, it) => matches!(it, Value::String(_) | Value::Null),
            (Self::Number, it) => matches!(it, Value::Number(_) | Value::Null),
            (Self::Bool, it) => matches!(it, Value::Bool(_) | Value::Null),
            (Self::List, Value::Array(items)) => items.iter().all(is_scalar),
            (Self::List, it) => matches!(it, Value::Null),
            (Self::Fields, Value::Array(items)) => !items.iter().any(is_scalar),
            (Self::Fields, _) => !is_scalar(value),
        }
    }
}

/// Whether a word is the name of a field or a kind, or a keyword of tollproof.
pub(crate) fn is_vocabulary(word: &str) -> bool {
    let own = ["true", "false", "null", "tollproof", "kind", "record"];
    own.contains(&word) || is_field(word) || Kind::all().any(|kind| kind.name() == word)
}

/// Masks the values in a message, for errors that may end up in a log.
pub(crate) fn masked_message(message: &Message) -> Message {
    message.with_values(|value| {
        if is_vocabulary(value) || value.chars().nth(1).is_none() { value.to_owned() } else { masked(value) }
    })
}

/// Whether any kind has a field of this name at any level.
pub(crate) fn is_field(name: &str) -> bool {
    fields().iter().any(|(_, fields)| fields.contains_key(name))
}

impl Kind {
    /// Another provider with a field of this name at the root.
    pub(crate) fn owner_of(self, name: &str) -> Option<Provider> {
        let has = |kind: Kind| field_names(kind).any(|it| it == name);
        let mut others = Provider::all().iter().copied().filter(|it| *it != self.provider());
        others.find(|provider| provider.kinds_in_all_spellings().filter(|kind| kind.is_request()).any(has))
    }
}

/// Whether a key may be shown: it is a field or a probable misspelling of one.
pub(crate) fn shown_key(key: &str) -> bool {
    is_field(key) || nearest(key, fields().iter().flat_map(|(_, fields)| fields.keys().copied())).is_some()
}

/// The fields of each provider, by name.
fn fields() -> &'static [(Provider, FieldTypes)] {
    static FIELDS: OnceLock<Vec<(Provider, FieldTypes)>> = OnceLock::new();
    FIELDS.get_or_init(|| {
        let of = |provider: &Provider| {
            let mut fields = HashMap::new();
            provider.kinds_in_all_spellings().for_each(|kind| collect(shape(kind), &mut fields));
            (*provider, fields)
        };
        Provider::all().iter().map(of).collect()
    })
}

/// The types that a field of a name has.
type FieldTypes = HashMap<&'static str, Vec<Holds>>;

fn collect(shape: &'static Shape, fields: &mut FieldTypes) {
    match shape {
        Shape::Object(object) => {
            for field in &object.fields {
                let known = fields.entry(field.name.as_str()).or_default();
                if !known.contains(&holds(&field.shape)) {
                    known.push(holds(&field.shape));
                }
                collect(&field.shape, fields);
            }
        }
        Shape::List { item, .. } => collect(item, fields),
        Shape::Text(_) | Shape::Bool { .. } | Shape::Integer { .. } | Shape::Any => {}
    }
}

fn holds(shape: &Shape) -> Holds {
    match shape {
        Shape::Object(_) => Holds::Fields,
        Shape::List { item, .. } if matches!(**item, Shape::Object(_)) => Holds::Fields,
        Shape::List { .. } => Holds::List,
        Shape::Text(_) => Holds::Text,
        Shape::Bool { .. } => Holds::Bool,
        Shape::Integer { .. } => Holds::Number,
        Shape::Any => Holds::Fields,
    }
}
