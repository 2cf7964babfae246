//! The schemas: what the interface states of each kind.

mod accept;
pub(crate) mod shape;
mod validate;
pub(crate) mod violation;

use std::sync::OnceLock;

use self::shape::{Object, Shape};
pub(crate) use self::violation::Violation;
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

/// One thing that a schema refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// What is wrong.
    pub(crate) violation: Violation,
    /// The value concerned; for a missing or unknown field, that field.
    pub(crate) pointer: String,
}

/// More complaints than this about one document are not listed: it is no draft.
pub(crate) const MAX_COMPLAINTS: usize = 1_000;

/// What the schema of a kind refuses in a document; nothing for a document as it should be.
pub(crate) fn complaints(kind: Kind, root: &Node<'_>) -> Vec<Complaint> {
    if accepts(kind, root) { Vec::new() } else { validate::complaints(kind, root) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::{Format, Parsed};
    use proptest::prelude::*;

    fn verdicts_agree(kind: Kind, text: &str) {
        let source = Source::new("draft", text);
        for document in Parsed::of(&source, Some(Format::Json)).whole().documents() {
            let Some(root) = &document.root else { continue };
            let judged = validate::complaints(kind, root);
            assert_eq!(shape(kind).accepts(root), judged.is_empty(), "{kind}: {text}: {judged:?}");
        }
    }

    fn value() -> impl Strategy<Value = serde_json::Value> {
        use serde_json::json;
        let known = [
            "Appointments",
            "Acme Testing",
            " Testing",
            "1,000",
            "US",
            "Canada",
            "tollfree",
            "",
            "  ",
            "6f1c3a4e-2b7d-4c58-9e0f-1a2b3c4d5e6f",
            "6F1C3A4E-2B7D-4C58-9E0F-1A2B3C4D5E6G",
            "2026-11-20T09:30:00.000Z",
            "2026-11-31T09:30:00.000Z",
            "text",
            "\u{a0}",
        ];
        let leaf = prop_oneof![
            proptest::sample::select(known.to_vec()).prop_map(|it| json!(it)),
            (-2_i64..3).prop_map(|it| json!(it)),
            any::<bool>().prop_map(|it| json!(it)),
            Just(json!(null)),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(serde_json::Value::from),
                proptest::collection::btree_map(
                    proptest::sample::select(vec!["number", "country", "StatusCode", "x"]),
                    inner,
                    0..3
                )
                .prop_map(|it| json!(it)),
            ]
        })
    }

    proptest! {
        /// The fast test and the judge give one verdict on clean documents with a few fields changed.
        #[test]
        fn one_verdict(kind in proptest::sample::select(Kind::ALL.to_vec()), changes in proptest::collection::vec((any::<prop::sample::Index>(), proptest::option::of(value())), 0..4)) {
            let mut document = crate::examples::base::of(kind);
            let names: Vec<&str> = field_names(kind).chain(["bussinessName"]).collect();
            let object = document.as_object_mut().expect("a document is an object");
            for (index, value) in changes {
                let name = *index.get(&names);
                match value {
                    Some(value) => { object.insert(name.to_owned(), value); }
                    None => { object.remove(name); }
                }
            }
            verdicts_agree(kind, &document.to_string());
        }
    }
}
