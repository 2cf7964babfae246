//! Makes a [`Shape`] from a schema file; runs when tollproof is built, so what it does not know stops the build.

use serde_json::{Map, Value};

use super::shape::{Field, Format, Object, Shape, Text};

/// Replaces every `$ref` by what it names, so that the schema stands alone; `file` gives a schema file's content.
pub(crate) fn resolve(schema: &Value, root: &Value, file: &dyn Fn(&str) -> Value) -> Value {
    match schema {
        Value::Object(object) => match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let (name, pointer) = reference.split_once('#').expect("a reference names a definition");
                let other;
                let target = if name.is_empty() {
                    root
                } else {
                    other = file(name);
                    &other
                };
                let found = target.pointer(pointer).unwrap_or_else(|| panic!("{reference} names nothing"));
                resolve(found, target, file)
            }
            None => {
                let resolved = |(key, value): (&String, &Value)| (key.clone(), resolve(value, root, file));
                Value::Object(object.iter().filter(|(key, _)| *key != "$defs").map(resolved).collect())
            }
        },
        Value::Array(items) => items.iter().map(|item| resolve(item, root, file)).collect(),
        other => other.clone(),
    }
}

/// The shape of a schema without references.
pub(crate) fn shape(schema: &Value) -> Shape {
    let object = schema.as_object().expect("a schema is an object");
    let known = |allowed: &[&str]| {
        const NOTES: [&str; 6] = ["$schema", "$id", "$comment", "title", "description", "examples"];
        for key in object.keys() {
            let fits = key == "type" || NOTES.contains(&key.as_str()) || allowed.contains(&key.as_str());
            assert!(fits, "a shape does not know `{key}` here: {schema}");
        }
    };
    let count = |key: &str| object.get(key).map(|it| it.as_u64().expect("a count") as usize);
    match object.get("type").and_then(Value::as_str) {
        Some("object") => {
            known(&["properties", "required", "additionalProperties"]);
            Shape::Object(object_shape(object))
        }
        Some("array") => {
            known(&["items", "minItems", "maxItems"]);
            let item = Box::new(shape(object.get("items").expect("a list has items")));
            Shape::List { item, min: count("minItems").unwrap_or(0), max: count("maxItems") }
        }
        Some("string") => {
            known(&["enum", "anyOf", "minLength", "pattern", "format"]);
            Shape::Text(text_shape(object))
        }
        Some("boolean") => {
            known(&[]);
            Shape::Bool
        }
        Some("integer") => {
            known(&["minimum"]);
            Shape::Integer { min: object.get("minimum").map(|it| it.as_i64().expect("a whole number")) }
        }
        other => panic!("a shape does not know the type {other:?}: {schema}"),
    }
}

fn object_shape(object: &Map<String, Value>) -> Object {
    let required: Vec<&str> = strings(object.get("required"));
    let properties = object.get("properties").and_then(Value::as_object);
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        required: required.contains(&name.as_str()),
        shape: shape(schema),
    };
    let fields: Vec<Field> = properties.into_iter().flatten().map(field).collect();
    assert!(fields.len() <= 64, "`accept.rs` counts fields in 64 bits");
    let other = match object.get("additionalProperties") {
        Some(Value::Bool(false)) => None,
        Some(schema @ Value::Object(_)) => Some(Box::new(shape(schema))),
        other => panic!("additionalProperties must be false or a schema, not {other:?}"),
    };
    Object { fields, other }
}

fn text_shape(object: &Map<String, Value>) -> Text {
    let mut text = Text { values: owned(object.get("enum")), ..Text::default() };
    text.filled = object.get("minLength").is_some_and(|it| it == 1);
    match object.get("pattern").and_then(Value::as_str) {
        None => assert!(!text.filled, "minLength needs the pattern of something that is no blank"),
        Some(r"\S") => text.filled = true,
        Some(r"\.[0-9]{3}Z$") => text.format = Some(Format::Timestamp),
        Some(other) => panic!("a shape does not know the pattern {other}"),
    }
    match object.get("format").and_then(Value::as_str) {
        None => assert!(text.format.is_none(), "the pattern of a time needs its format"),
        Some("uuid") => text.format = Some(Format::Uuid),
        Some("date-time") => assert_eq!(text.format, Some(Format::Timestamp), "a time needs its pattern"),
        Some(other) => panic!("a shape does not know the format {other}"),
    }
    if let Some(branches) = object.get("anyOf").and_then(Value::as_array) {
        let [listed, pattern] = branches.as_slice() else { panic!("anyOf has two branches") };
        text.values = owned(listed.get("enum"));
        let pattern = pattern.get("pattern").and_then(Value::as_str).expect("the second branch is a pattern");
        let end = pattern.strip_prefix(r"^\S(.*\S)?").and_then(|it| it.strip_suffix('$'));
        text.or_ends_with = Some(end.expect("the pattern is an end of a text").to_owned());
    }
    text
}

fn strings(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn owned(value: Option<&Value>) -> Vec<String> {
    strings(value).into_iter().map(str::to_owned).collect()
}
