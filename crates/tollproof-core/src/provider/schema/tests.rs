//! Compares our validation with the `jsonschema` crate: both must report the same errors for all our schemas.

use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, Validator};
use proptest::prelude::*;
use tollproof_data::provider::schema::error::SchemaErrorKind;
use tollproof_data::provider::schema::shape::TextFormat;

use super::*;
use crate::provider::kind::KindRole;
use crate::syntax::document::push_token;
use crate::syntax::source::Source;
use crate::syntax::{Format, Parsed};
use crate::validators::format;

/// The reference validator of each kind.
fn validator(kind: Kind) -> &'static Validator {
    static VALIDATORS: [OnceLock<Validator>; 6] = [const { OnceLock::new() }; 6];
    VALIDATORS[kind.role() as usize].get_or_init(|| {
        let schema = serde_json::from_str(text(kind)).expect("build.rs wrote JSON");
        jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .with_format("uuid", format::is_uuid)
            .with_format("date-time", format::is_timestamp)
            .build(&schema)
            .expect("the schema is a schema")
    })
}

/// The errors of the reference validator, converted to ours. It cannot report [`SchemaErrorKind::Misplaced`].
fn judged(kind: Kind, value: &serde_json::Value) -> Vec<SchemaError> {
    let mut errors = Vec::new();
    for error in validator(kind).iter_errors(value) {
        let pointer = error.instance_path().as_str().to_owned();
        let below = |name: &str| {
            let mut pointer = pointer.clone();
            push_token(&mut pointer, name);
            pointer
        };
        let is_id = matches!(shape(kind).at_pointer(&pointer), Some(Shape::Text(text)) if text.format == Some(TextFormat::Uuid));
        let kind = match error.kind() {
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().expect("a field has a name");
                errors.push(SchemaError { kind: SchemaErrorKind::Missing, pointer: below(name) });
                continue;
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let kind = SchemaErrorKind::Unknown;
                errors.extend(unexpected.iter().map(|name| SchemaError { kind, pointer: below(name) }));
                continue;
            }
            ValidationErrorKind::Type { .. } if is_id && error.instance().is_number() => {
                SchemaErrorKind::Uuid
            }
            ValidationErrorKind::Type { .. } => SchemaErrorKind::Type,
            ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => {
                SchemaErrorKind::Empty
            }
            ValidationErrorKind::Pattern { pattern } if pattern == r"\S" => SchemaErrorKind::Empty,
            ValidationErrorKind::MaxItems { .. } => SchemaErrorKind::Count,
            ValidationErrorKind::Format { format } if format == "uuid" => SchemaErrorKind::Uuid,
            ValidationErrorKind::Pattern { .. } | ValidationErrorKind::Format { .. } => {
                SchemaErrorKind::Timestamp
            }
            ValidationErrorKind::Enum { .. } | ValidationErrorKind::AnyOf { .. } => SchemaErrorKind::Unlisted,
            ValidationErrorKind::Minimum { .. } => SchemaErrorKind::OutOfRange,
            other => unreachable!("build.rs refuses a schema with `{}`", other.keyword()),
        };
        errors.push(SchemaError { kind, pointer });
    }
    errors
}

/// Sorts the errors and removes duplicates, because the two validators report them in different orders.
fn sorted(mut errors: Vec<SchemaError>) -> Vec<SchemaError> {
    errors.sort_by(|a, b| (a.pointer.as_str(), a.kind as u8).cmp(&(b.pointer.as_str(), b.kind as u8)));
    errors.dedup();
    errors
}

fn results_agree(kind: Kind, value: &serde_json::Value) {
    let text = value.to_string();
    let source = Source::new("draft", text.as_str());
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("it is one document");
    let root = document.document().root.as_ref().expect("it can be read");
    let judged = judged(kind, value);
    let ours = errors(kind, root).into_iter().map(|error| match error.kind {
        SchemaErrorKind::Misplaced => SchemaError { kind: SchemaErrorKind::Unknown, ..error },
        _ => error,
    });
    assert_eq!(sorted(ours.collect()), sorted(judged), "{kind}: {text}");
}

#[test]
fn errors_are_listed_in_document_order() {
    let text = r#"{"limit": 0, "type": 5, "colour": "red"}"#;
    let source = Source::new("draft", text);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("it is one document");
    let root = document.document().root.as_ref().expect("it can be read");
    let found: Vec<_> =
        errors(Kind::of(KindRole::Search), root).into_iter().map(|it| (it.kind, it.pointer)).collect();
    let at = |kind, pointer: &str| (kind, pointer.to_owned());
    use SchemaErrorKind::{OutOfRange, Type, Unknown};
    assert_eq!(found, [at(OutOfRange, "/limit"), at(Type, "/type"), at(Unknown, "/colour")]);
}

#[test]
fn an_endless_list_of_errors_is_cut() {
    let fields: String = (0..5_000).map(|at| format!("\"f{at}\": 1,")).collect();
    let text = format!("{{{fields} \"limit\": 0}}");
    let source = Source::new("draft", text);
    let parsed = Parsed::of(&source, Some(Format::Json));
    let document = parsed.only().expect("it is one document");
    let root = document.document().root.as_ref().expect("it can be read");
    assert_eq!(errors(Kind::of(KindRole::Search), root).len(), MAX_SCHEMA_ERRORS + 1);
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
        // `1.0` is an integer in JSON Schema but not for us, so the samples have no such number.
        proptest::sample::select(vec![-1.5, 0.5, 1.5]).prop_map(|it| json!(it)),
        Just(json!([])),
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
    /// Changes a few fields of a valid document.
    #[test]
    fn shape_and_validator_agree(kind in proptest::sample::select(Kind::all().collect::<Vec<_>>()), changes in proptest::collection::vec((any::<prop::sample::Index>(), proptest::option::of(value())), 0..4)) {
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
        results_agree(kind, &document);
    }
}
