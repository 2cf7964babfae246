//! The schema of each kind, as the provider's API defines it.

pub(crate) mod accept;
mod fields;
mod form;
pub(crate) mod house;
#[cfg(test)]
mod tests;
mod validate;

use tollproof_data::provider::path::Step;
use tollproof_data::provider::schema::error::SchemaError;
use tollproof_data::provider::schema::shape::{ObjectShape, Shape};

pub use self::fields::{FieldInfo, Need, fields, fields_of, resolve, schema_of, show};
pub use self::form::{FieldType, FormField};
use crate::provider::builtin::submission_roles;
use crate::provider::kind::Kind;
use crate::provider::role;
use crate::syntax::document::{Member, Node, Style, Value, push_token, unescaped};

/// The self-contained JSON Schema (draft 2020-12) of a kind, as JSON.
pub fn text(kind: Kind) -> &'static str {
    kind.written().schema
}

/// The most errors that are listed for one document. A document with more is not a draft.
pub(crate) const MAX_SCHEMA_ERRORS: usize = 1_000;

/// The schema errors in a document; empty if the document is valid.
pub(crate) fn errors(kind: Kind, root: &Node<'_>) -> Vec<SchemaError> {
    validate::errors(kind, shape(kind), root)
}

/// The compiled schema of a kind, decoded on first use.
pub(crate) fn shape(kind: Kind) -> &'static Shape {
    &kind.data().shape
}

/// The names of the root fields of a kind.
pub fn field_names(kind: Kind) -> impl Iterator<Item = &'static str> {
    let fields = match shape(kind) {
        Shape::Object(ObjectShape { fields, .. }) => fields.as_slice(),
        _ => &[],
    };
    fields.iter().map(|field| field.name.as_str())
}

/// For each key of a document, whether it is a field of a kind. Fields are usually in the order of the schema.
pub(crate) fn own_keys(kind: Kind, root: &Node<'_>) -> impl Iterator<Item = bool> {
    let fields = match shape(kind) {
        Shape::Object(ObjectShape { fields, .. }) => fields.as_slice(),
        _ => &[],
    };
    let mut next = 0;
    root.members().iter().map(move |member| {
        let found = (next..fields.len()).chain(0..next).find(|&at| fields[at].name == member.key);
        next = found.map_or(next, |at| at + 1);
        found.is_some()
    })
}

/// A row of a table without the empty cells of optional fields, which are not sent. `None` if it has none.
pub fn without_empty_cells<'s>(kind: Kind, root: &Node<'s>) -> Option<Node<'s>> {
    let Shape::Object(object) = shape(kind) else { return None };
    let is_optional = |name: &str| object.fields.iter().any(|field| field.name == name && !field.required);
    let is_empty = |member: &&Member<'_>| match &member.value.value {
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    let is_left_out = |member: &&Member<'_>| is_empty(member) && is_optional(&member.key);
    if root.style != Style::Cell || !root.members().iter().any(|it| is_left_out(&it)) {
        return None;
    }
    let members = root.members().iter().filter(|it| !is_left_out(it)).cloned().collect();
    Some(Node { value: Value::Object(members), ..*root })
}

impl Kind {
    /// The names of the fields of the object at a path of keys, in the order of the schema. `None` is every item of a list.
    pub fn fields_at(self, path: &[Option<&str>]) -> Vec<&'static str> {
        match shape(self).at(path.iter().copied()) {
            Some(Shape::Object(object)) => object.fields.iter().map(|field| field.name.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// The roles of the fields that documents of this kind may have.
    pub fn roles(self) -> impl Iterator<Item = &'static str> {
        let own = self.data().roles.is_none().then(|| field_names(self));
        let mapped = self
            .data()
            .roles
            .as_deref()
            .map_or(&[][..], Vec::as_slice)
            .chunk_by(|(one, _), (other, _)| one == other);
        let mapped = mapped.map(|paths| paths[0].0);
        own.into_iter().flatten().chain(mapped)
    }

    /// A pointer to a field of the schema, with the keys as documents of this kind spell them.
    pub fn spelled_pointer(self, pointer: &str) -> String {
        let mut shapes = Some((shape(self.spelled(0)), shape(self)));
        let mut spelled = String::new();
        for token in pointer.split('/').skip(1) {
            let key = unescaped(token);
            let own = match shapes {
                Some((Shape::Object(one), Shape::Object(other))) => {
                    let at = one.fields.iter().position(|field| field.name == key);
                    at.map(|at| (&one.fields[at], &other.fields[at]))
                }
                _ => None,
            };
            push_token(&mut spelled, own.map_or(&key, |(_, other)| &other.name));
            shapes = match (own, shapes) {
                (Some((one, other)), _) => Some((&one.shape, &other.shape)),
                (None, Some((Shape::List { item: one, .. }, Shape::List { item: other, .. }))) => {
                    Some((one, other))
                }
                _ => None,
            };
        }
        spelled
    }

    /// Whether a document of this kind names exactly one toll-free number.
    pub(crate) fn names_one_number(self) -> bool {
        match self.shape_at(&[Some(role::PHONE_NUMBERS.into())]) {
            Some(Shape::List { max, .. }) => *max == Some(1),
            Some(_) => true,
            None => false,
        }
    }

    /// Whether documents of this kind may have the field with a role.
    pub(crate) fn has(self, role: &str) -> bool {
        self.roles().any(|it| it == role)
    }

    /// The shape of the value at `target`, which is a role followed by the steps from there.
    pub(crate) fn shape_at(self, target: &[Step]) -> Option<&'static Shape> {
        let keys = |steps: &'static [Step]| steps.iter().map(Option::as_deref);
        let data = self.data();
        match (&data.roles, target.split_first()) {
            (Some(_), Some((Some(role), rest))) => {
                let (to_role, rest) = data.path(role)?.with_rest(rest);
                shape(self).at(keys(to_role).chain(rest.iter().map(Option::as_deref)))
            }
            _ => shape(self).at(target.iter().map(Option::as_deref)),
        }
    }
}

/// Whether submissions have a field with this name.
pub(crate) fn is_business_field(name: &str) -> bool {
    submission_roles().contains(&name)
}
