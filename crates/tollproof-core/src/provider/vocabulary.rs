//! Which fields contain personal data, and which words never do: names of fields and kinds.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::syntax::document::{Node, Value};

use crate::provider::kind::{Kind, Provider};
use crate::provider::schema::shape::Shape;
use crate::provider::schema::{field_names, shape};
use crate::suggest::nearest;
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
pub(crate) fn hides(name: &str, value: &Node<'_>) -> bool {
    let is_scalar = |node: &Node<'_>| !matches!(node.value, Value::Array(_) | Value::Object(_));
    is_personal(name)
        || match (fields().get(name), &value.value) {
            (None, _) => true,
            (Some(Holds::Text), it) => !matches!(it, Value::String(_) | Value::Null),
            (Some(Holds::Number), it) => !matches!(it, Value::Number(_) | Value::Null),
            (Some(Holds::Bool), it) => !matches!(it, Value::Bool(_) | Value::Null),
            (Some(Holds::List), Value::Array(items)) => !items.iter().all(is_scalar),
            (Some(Holds::List), it) => !matches!(it, Value::Null),
            (Some(Holds::Fields), Value::Array(items)) => items.iter().any(is_scalar),
            (Some(Holds::Fields), _) => is_scalar(value),
        }
}

/// Whether a word is the name of a field or a kind, or a keyword of tollproof.
pub(crate) fn is_vocabulary(word: &str) -> bool {
    let own = ["true", "false", "null", "tollproof", "kind", "record"];
    own.contains(&word) || is_field(word) || Kind::all().any(|kind| kind.name() == word)
}

/// Masks the values in a message, for errors that may end up in a log.
pub(crate) fn masked_message(message: &Message) -> Message {
    message.with_values(|value| match is_vocabulary(value) || value.chars().nth(1).is_none() {
        true => value.to_owned(),
        false => masked(value),
    })
}

/// Whether any kind has a field of this name at any level.
pub(crate) fn is_field(name: &str) -> bool {
    fields().contains_key(name)
}

impl Kind {
    /// Another provider with a field of this name at the root.
    pub(crate) fn owner_of(self, name: &str) -> Option<Provider> {
        let has = |kind: Kind| field_names(kind).any(|it| it == name);
        let mut others = Provider::all().iter().copied().filter(|it| *it != self.provider());
        others.find(|it| it.kinds_in_all_spellings().filter(|kind| kind.is_request()).any(has))
    }
}

/// Whether a key may be shown: it is a field or a probable misspelling of one.
pub(crate) fn shown_key(key: &str) -> bool {
    is_field(key) || nearest(key, fields().keys().copied()).is_some()
}

fn fields() -> &'static HashMap<&'static str, Holds> {
    static FIELDS: OnceLock<HashMap<&'static str, Holds>> = OnceLock::new();
    FIELDS.get_or_init(|| {
        let mut fields = HashMap::new();
        let all = Provider::all().iter().flat_map(|it| it.kinds_in_all_spellings());
        all.for_each(|kind| collect(shape(kind), &mut fields));
        fields
    })
}

fn collect(shape: &'static Shape, fields: &mut HashMap<&'static str, Holds>) {
    match shape {
        Shape::Object(object) => {
            for field in &object.fields {
                fields.insert(field.name.as_str(), holds(&field.shape));
                collect(&field.shape, fields);
            }
        }
        Shape::List { item, .. } => collect(item, fields),
        Shape::Text(_) | Shape::Bool | Shape::Integer { .. } | Shape::Any => {}
    }
}

fn holds(shape: &Shape) -> Holds {
    match shape {
        Shape::Object(_) => Holds::Fields,
        Shape::List { item, .. } if matches!(**item, Shape::Object(_)) => Holds::Fields,
        Shape::List { .. } => Holds::List,
        Shape::Text(_) => Holds::Text,
        Shape::Bool => Holds::Bool,
        Shape::Integer { .. } => Holds::Number,
        Shape::Any => Holds::Fields,
    }
}
