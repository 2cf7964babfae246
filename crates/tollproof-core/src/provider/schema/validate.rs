//! Lists the errors of a document.

use std::cmp::Ordering;

use tollproof_data::provider::schema::error::{SchemaError, SchemaErrorKind};
use tollproof_data::provider::schema::shape::{Field, ObjectShape, Shape, TextFormat, TextShape};

use super::accept::{fits, is_boolean, is_one, lists};
use super::{MAX_SCHEMA_ERRORS, field_names, is_business_field};
use crate::provider::kind::Kind;
use crate::syntax::document::{Node, Style, Value, push_token};

/// The errors in a document of a kind. For each object: missing fields, then errors in its members in document order,
/// then unknown fields. Stops at [`MAX_SCHEMA_ERRORS`] + 1 errors.
pub(super) fn errors(kind: Kind, shape: &Shape, root: &Node<'_>) -> Vec<SchemaError> {
    let mut validation = Validation { kind, pointer: String::new(), errors: Vec::new() };
    validation.value(shape, root);
    validation.errors
}

/// The state while a document is compared with its shape.
struct Validation {
    kind: Kind,
    /// The RFC 6901 pointer of the current value.
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
            (Shape::List { item, min, max, .. }, Value::Array(items)) => {
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
            (Shape::List { item, or_one: true, .. }, Value::String(text)) if is_one(text) => {
                self.value(item, node);
            }
            (Shape::Text(text), Value::String(value)) => self.text(text, value),
            (Shape::Text(TextShape { or_list: true, .. }), Value::Array(items)) if !items.is_empty() => {
                for (at, node) in items.iter().enumerate() {
                    self.below(&at.to_string(), |it| it.value(shape, node));
                }
            }
            (Shape::Bool { .. }, Value::Bool(_)) => {}
            (Shape::Bool { or_text: true }, Value::String(text)) if is_boolean(text) => {}
            (Shape::Integer { min, max }, Value::Number(number)) => self.integer((*min, *max), number),
            (Shape::Any, _) | (_, Value::Computed) => {}
            (Shape::Text(text), value) => {
                // Quoting the number does not make it a UUID, so the type is not the error to report.
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
            let is_null = matches!(member.value.value, Value::Null);
            let is_empty = is_empty_cell(&member.value);
            let is_absent = |field: &Field| {
                field.name == member.key && (is_null && field.nullable || is_empty && !field.required)
            };
            if (is_null || is_empty) && object.fields.iter().any(is_absent) {
                continue;
            }
            match object.field(&member.key) {
                Some(shape) => self.below(&member.key, |it| it.value(shape, &member.value)),
                None => unexpected.push(member.key.as_ref()),
            }
        }
        for name in unexpected {
            if self.is_full() {
                return;
            }
            let kind = match self.is_known_elsewhere(object, name) {
                true if self.kind.provider().0.parts_requests => SchemaErrorKind::OtherRequest,
                true => SchemaErrorKind::Misplaced,
                false => SchemaErrorKind::Unknown,
            };
            self.below(name, |it| it.note(kind));
        }
    }

    fn text(&mut self, text: &TextShape, value: &str) {
        if text.filled && value.trim().is_empty() {
            self.note(SchemaErrorKind::Empty);
        }
        if let Some(format) = text.format.filter(|_| !fits(text, value)) {
            self.note(match format {
                TextFormat::Uuid => SchemaErrorKind::Uuid,
                TextFormat::Timestamp => SchemaErrorKind::Timestamp,
                TextFormat::Sid(_) => SchemaErrorKind::Identifier,
                TextFormat::TollFree => SchemaErrorKind::TollFree,
                // Two letters are the code of a country.
                TextFormat::TwoLetters => SchemaErrorKind::Unlisted,
                TextFormat::NoCapitals | TextFormat::PostalCode | TextFormat::Label => {
                    SchemaErrorKind::Pattern
                }
            });
        }
        if text.max.is_some_and(|max| value.chars().count() > max) {
            self.note(SchemaErrorKind::TooLong);
        }
        if !lists(text, value) {
            self.note(SchemaErrorKind::Unlisted);
        }
    }

    fn integer(&mut self, (min, max): (Option<i64>, Option<i64>), number: &str) {
        if number.parse::<i64>().is_err() {
            self.note(SchemaErrorKind::Type);
        }
        // A number with decimals, or one that is too large for `i64`: the precision of `f64` is enough to compare it.
        let order = |bound: i64| match number.parse::<i64>() {
            Ok(number) => Some(number.cmp(&bound)),
            Err(_) => number.parse::<f64>().ok().and_then(|number| number.partial_cmp(&(bound as f64))),
        };
        let is_below = min.and_then(order).is_some_and(Ordering::is_lt);
        if is_below || max.and_then(order).is_some_and(Ordering::is_gt) {
            self.note(SchemaErrorKind::OutOfRange);
        }
    }

    /// Whether a field that an object may not have exists elsewhere: at the root of another kind or, for a nested
    /// object with business fields, at the root of any kind.
    fn is_known_elsewhere(&self, object: &ObjectShape, name: &str) -> bool {
        let is_known = |kind| field_names(kind).any(|field| field == name);
        if self.pointer.is_empty() {
            let provider = self.kind.provider();
            let others = provider.kinds().map(|it| it.spelled_like(self.kind));
            let is_meant =
                |kind: &Kind| *kind != self.kind && (!provider.0.parts_requests || kind.is_request());
            return others.filter(is_meant).any(is_known);
        }
        let holds_business_fields = object.fields.iter().any(|field| is_business_field(&field.name));
        holds_business_fields && self.kind.provider().kinds().any(is_known)
    }

    /// Calls `look` with the pointer extended by a token.
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

/// Whether a value is a cell without content. In an optional column, such a cell means that the field is absent.
fn is_empty_cell(node: &Node<'_>) -> bool {
    matches!(node.style, Style::Cell | Style::QuotedCell)
        && match &node.value {
            Value::String(text) => text.trim().is_empty(),
            Value::Array(items) => items.is_empty(),
            _ => false,
        }
}
