//! The schemas: what the interface states of each kind.

mod accept;
pub(crate) mod error;
pub(crate) mod house;
pub(crate) mod shape;
#[cfg(test)]
mod tests;
mod validate;

use std::sync::OnceLock;

pub(crate) use self::error::{SchemaError, SchemaErrorKind};
use self::shape::{Object, Shape};
use crate::provider::kind::Kind;
use crate::syntax::document::Node;

/// The prepared schemas, in the order of [`Kind::ALL`]: the self-contained text and the encoded shape.
static PREPARED: [(&str, &[u8]); 6] = include!(concat!(env!("OUT_DIR"), "/schemas.rs"));

/// The self-contained JSON Schema (draft 2020-12) of a kind, as text.
#[must_use]
pub fn text(kind: Kind) -> &'static str {
    PREPARED[kind as usize].0
}

/// Whether a document is as the schema of a kind wants it.
#[must_use]
pub fn accepts(kind: Kind, root: &Node<'_>) -> bool {
    shape(kind).accepts(root)
}

/// No more errors than this are listed of one document: it is not a draft.
pub(crate) const MAX_SCHEMA_ERRORS: usize = 1_000;

/// What the schema of a kind refuses in a document; nothing for a document as it should be.
pub(crate) fn errors(kind: Kind, root: &Node<'_>) -> Vec<SchemaError> {
    if accepts(kind, root) { Vec::new() } else { validate::errors(kind, shape(kind), root) }
}

/// The shape of a kind's documents.
pub(crate) fn shape(kind: Kind) -> &'static Shape {
    static SHAPES: [OnceLock<Shape>; 6] = [const { OnceLock::new() }; 6];
    SHAPES[kind as usize].get_or_init(|| {
        postcard::from_bytes(PREPARED[kind as usize].1).expect("build.rs wrote this from the same type")
    })
}

/// The names of the fields that an object of a kind has at its root.
pub fn field_names(kind: Kind) -> impl Iterator<Item = &'static str> {
    let fields = match shape(kind) {
        Shape::Object(Object { fields, .. }) => fields.as_slice(),
        _ => &[],
    };
    fields.iter().map(|field| field.name.as_str())
}

/// Whether a submission has a field of this name.
pub(crate) fn is_business_field(name: &str) -> bool {
    field_names(Kind::UpdateRequest).any(|field| field == name)
        && !matches!(name, "organizationId" | "testMode")
}
