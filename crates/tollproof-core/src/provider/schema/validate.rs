//! What a shape refuses in a value: the list of errors, for documents that the fast verdict does not accept.

use super::error::{SchemaError, SchemaErrorKind};
use super::shape::{ObjectShape, Shape, TextFormat, TextShape};
use super::{MAX_SCHEMA_ERRORS, field_names, is_business_field};
use crate::provider::kind::Kind;
use crate::syntax::document::{Node, Value, push_token};
use crate::validators::format;

/// Everything that a shape refuses in a document of a kind, in document order: of an object the fields that it
/// lacks, then its members, then the fields that it should not have. One more than [`MAX_SCHEMA_ERRORS`] where there are more.
pub(super) fn errors(kind: Kind, shape: &Shape, root: &Node<'_>) -> Vec<SchemaError> {
    let mut validation = Validation { kind, pointer: String::new(), errors: Vec::new() };
    validation.value(shape, root);
    validation.errors
}

/// A walk through a document and the shape of its kind.
struct Validation {
    kind: Kind,
    /// Where the walk is.
    pointer: String,
    errors: Vec<SchemaError>,
}

impl Validation {
    fn value(&mut self, shape: &Shape, node: &Node<'_>) {
        if self.is_full() {
            return;
        }
        match (shape, &node.value) {
            (Shape::Object(object), Value::Object(_)) => self.object(object, node),
            (Shape::List { item, min, max }, Value::Array(items)) => {
                if items.len() < *min {
                    self.note(SchemaErrorKind::Empty);
                }
                if max.is_some_and(|max| items.len() > max) {
                    self.note(SchemaErrorKind::Count);
                }
                for (at, node) in items.iter().enumerate() {
                    self.below(&at.to_string(), |it| it.value(item, node));
                }
            }
            (Shape::Text(text), Value::String(value)) => self.text(text, value),
            (Shape::Bool, Value::Bool(_)) => {}
            (Shape::Integer { min }, Value::Number(number)) => self.integer(*min, number),
            (Shape::Text(text), value) => {
                // A number in the place of an identifier is not one, even in quotes.
                let is_number_for_id =
                    text.format == Some(TextFormat::Uuid) && matches!(value, Value::Number(_));
                self.note(if is_number_for_id { SchemaErrorKind::Uuid } else { SchemaErrorKind::Type });
                if !text.values.is_empty() && text.or_ends_with.is_none() {
                    self.note(SchemaErrorKind::Unlisted);
                }
            }
            _ => self.note(SchemaErrorKind::Type),
        }
    }

    fn object(&mut self, object: &ObjectShape, node: &Node<'_>) {
        for field in object.fields.iter().filter(|field| field.required) {
            if node.member(&field.name).is_none() {
                self.below(&field.name, |it| it.note(SchemaErrorKind::Missing));
            }
        }
        let mut unexpected = Vec::new();
        for member in node.members() {
            match object.field(&member.key) {
                Some(shape) => self.below(&member.key, |it| it.value(shape, &member.value)),
                None => unexpected.push(member.key.as_ref()),
            }
        }
        for name in unexpected {
            if self.is_full() {
                return;
            }
            let is_misplaced = self.is_known_elsewhere(object, name);
            let kind = if is_misplaced { SchemaErrorKind::Misplaced } else { SchemaErrorKind::Unknown };
            self.below(name, |it| it.note(kind));
        }
    }

    fn text(&mut self, text: &TextShape, value: &str) {
        if text.filled && value.trim().is_empty() {
            self.note(SchemaErrorKind::Empty);
        }
        match text.format {
            Some(TextFormat::Uuid) if !format::is_uuid(value) => self.note(SchemaErrorKind::Uuid),
            Some(TextFormat::Timestamp) if !format::is_timestamp(value) => {
                self.note(SchemaErrorKind::Timestamp)
            }
            _ => {}
        }
        if !text.lists(value) {
            self.note(SchemaErrorKind::Unlisted);
        }
    }

    fn integer(&mut self, min: Option<i64>, number: &str) {
        if number.parse::<i64>().is_err() {
            self.note(SchemaErrorKind::Type);
        }
        let is_below = |min: i64| match number.parse::<i64>() {
            Ok(number) => number < min,
            // A number with decimals, or a very large one, needs no more precision than this.
            Err(_) => number.parse::<f64>().is_ok_and(|number| number < min as f64),
        };
        if min.is_some_and(is_below) {
            self.note(SchemaErrorKind::TooSmall);
        }
    }

    /// Whether a field that an object does not have is one of another object: of another kind, or, for an object of
    /// business fields inside a document, of any.
    fn is_known_elsewhere(&self, object: &ObjectShape, name: &str) -> bool {
        let is_known = |kind| field_names(kind).any(|field| field == name);
        if self.pointer.is_empty() {
            return self.kind.provider().kinds().any(|other| other != self.kind && is_known(other));
        }
        let holds_business_fields = object.fields.iter().any(|field| is_business_field(&field.name));
        holds_business_fields && self.kind.provider().kinds().any(is_known)
    }

    /// Goes to a field or an item, and back again.
    fn below(&mut self, token: &str, look: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_token(&mut self.pointer, token);
        look(self);
        self.pointer.truncate(length);
    }

    fn note(&mut self, kind: SchemaErrorKind) {
        let error = SchemaError { kind, pointer: self.pointer.clone() };
        if !self.is_full() && self.errors.last() != Some(&error) {
            self.errors.push(error);
        }
    }

    fn is_full(&self) -> bool {
        self.errors.len() > MAX_SCHEMA_ERRORS
    }
}
