//! Compiles a schema file to a [`Shape`]; keywords that a shape does not support are errors.
//!
//! A schema is a [`Value`] of YAML, because fields stay in the order of the file, which is that of the interface.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_yaml::{Mapping, Value};

use super::shape::{Field, ObjectShape, Shape, TextFormat, TextShape};
use crate::pointer::unescaped;

/// The RFC 6901 pointer of an error in a schema, and the error message.
pub type CompileError = (String, String);

/// Replaces every `$ref` by the schema that it refers to, so that the result needs no other file. `files` contains the
/// schemas by file name without `.schema.json`.
pub fn resolve(schema: &Value, files: &BTreeMap<String, Value>) -> Result<Value, CompileError> {
    resolve_within(schema, schema, files, MAX_REFERENCES)
}

/// The longest chain of references. A longer one is a cycle.
const MAX_REFERENCES: usize = 8;

fn resolve_within(
    schema: &Value,
    root: &Value,
    files: &BTreeMap<String, Value>,
    references: usize,
) -> Result<Value, CompileError> {
    let below = |key: &str, value: &Value| {
        resolve_within(value, root, files, references)
            .map_err(|(place, message)| (format!("/{key}{place}"), message))
    };
    Ok(match schema {
        Value::Mapping(object) => match object.get("$ref").and_then(Value::as_str) {
            Some(reference) => {
                let unknown = || ("/$ref".to_owned(), format!("`{reference}` names nothing"));
                let (name, pointer) = reference.split_once('#').ok_or_else(unknown)?;
                let file = name.strip_suffix(".schema.json").unwrap_or(name);
                let target = if name.is_empty() { Some(root) } else { files.get(file) };
                let target = target.ok_or_else(unknown)?;
                let found = at(target, pointer).ok_or_else(unknown)?;
                let Some(references) = references.checked_sub(1) else {
                    return Err(("/$ref".to_owned(), format!("`{reference}` leads in a circle")));
                };
                let resolved = resolve_within(found, target, files, references);
                resolved.map_err(|(_, message)| ("/$ref".to_owned(), message))?
            }
            None => {
                let kept = members(object).filter(|(key, _)| *key != "$defs");
                let resolved = kept.map(|(key, value)| Ok((Value::from(key), below(key, value)?)));
                Value::Mapping(resolved.collect::<Result<_, CompileError>>()?)
            }
        },
        Value::Sequence(items) => {
            let items = items.iter().enumerate().map(|(at, item)| below(&at.to_string(), item));
            Value::Sequence(items.collect::<Result<_, CompileError>>()?)
        }
        other => other.clone(),
    })
}

/// The members of an object. Keys of JSON are strings.
fn members(object: &Mapping) -> impl Iterator<Item = (&str, &Value)> {
    object.iter().filter_map(|(key, value)| Some((key.as_str()?, value)))
}

/// The value at an RFC 6901 pointer to a member of objects.
fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(value, |value, token| value.get(&*unescaped(token)))
}

/// Compiles a schema in which all references are resolved.
pub fn shape(schema: &Value) -> Result<Shape, CompileError> {
    let Some(object) = schema.as_mapping() else {
        return Err((String::new(), "a schema is an object".to_owned()));
    };
    let known = |allowed: &[&str]| {
        const NOTES: [&str; 6] = ["$schema", "$id", "$comment", "title", "description", "examples"];
        let fits = |key: &str| key == "type" || NOTES.contains(&key) || allowed.contains(&key);
        match members(object).map(|(key, _)| key).find(|key| !fits(key)) {
            Some(key) => Err((format!("/{key}"), format!("a shape does not know `{key}` here"))),
            None => Ok(()),
        }
    };
    let count = |key: &str| match object.get(key).map(Value::as_u64) {
        Some(None) => Err((format!("/{key}"), "this is not a count".to_owned())),
        Some(Some(count)) => Ok(Some(usize::try_from(count).unwrap_or(usize::MAX))),
        None => Ok(None),
    };
    // Of two types, the second is another way to write the value.
    let types = object.get("type").and_then(Value::as_sequence).map(Vec::as_slice);
    let (first, other) = match types {
        Some([first, other]) => (first.as_str(), other.as_str()),
        _ => (object.get("type").and_then(Value::as_str), None),
    };
    if !matches!(
        (first, other),
        (_, None)
            | (Some("array"), Some("string"))
            | (Some("string"), Some("array"))
            | (Some("boolean"), Some("string"))
    ) {
        return Err(("/type".to_owned(), "a shape does not know these types together".to_owned()));
    }
    match first {
        Some("object") => {
            known(&["properties", "required", "additionalProperties"])?;
            Ok(Shape::Object(object_shape(object)?))
        }
        Some("array") => {
            known(&["items", "minItems", "maxItems"])?;
            let Some(items) = object.get("items") else {
                return Err((String::new(), "a list needs `items`".to_owned()));
            };
            let item = Box::new(shape(items).map_err(within("/items"))?);
            let (min, max) = (count("minItems")?.unwrap_or(0), count("maxItems")?);
            Ok(Shape::List { item, min, max, or_one: other.is_some() })
        }
        Some("string") => {
            known(&["enum", "anyOf", "minLength", "maxLength", "pattern", "format"])?;
            let max = count("maxLength")?;
            Ok(Shape::Text(TextShape { max, or_list: other.is_some(), ..text_shape(object)? }))
        }
        Some("boolean") => {
            known(&[])?;
            Ok(Shape::Bool { or_text: other.is_some() })
        }
        Some("integer") => {
            known(&["minimum", "maximum"])?;
            let bound = |key: &str| match object.get(key).map(Value::as_i64) {
                Some(None) => Err((format!("/{key}"), "this is not a whole number".to_owned())),
                bound => Ok(bound.flatten()),
            };
            Ok(Shape::Integer { min: bound("minimum")?, max: bound("maximum")? })
        }
        Some(other) => Err(("/type".to_owned(), format!("a shape does not know the type `{other}`"))),
        None => {
            known(&[])?;
            Ok(Shape::Any)
        }
    }
}

/// Prepends `place` to the pointer of an error.
fn within(place: &str) -> impl Fn(CompileError) -> CompileError + '_ {
    move |(below, message)| (format!("{place}{below}"), message)
}

/// The most fields that an object may have: `accept.rs` tracks them in 64 bits.
const MAX_FIELDS: usize = 64;

fn object_shape(object: &Mapping) -> Result<ObjectShape, CompileError> {
    let required: Vec<&str> = strings(object.get("required"));
    let properties = object.get("properties").and_then(Value::as_mapping);
    let field = |(name, schema): (&str, &Value)| {
        let (schema, nullable) = without_null(schema);
        let shape = shape(&schema).map_err(within(&format!("/properties/{name}")))?;
        Ok(Field { name: name.to_owned(), required: required.contains(&name), nullable, shape })
    };
    let fields: Vec<Field> =
        properties.into_iter().flat_map(members).map(field).collect::<Result<_, CompileError>>()?;
    if fields.len() > MAX_FIELDS {
        return Err(("/properties".to_owned(), format!("an object has at most {MAX_FIELDS} fields")));
    }
    let other = match object.get("additionalProperties") {
        Some(Value::Bool(false)) => None,
        Some(schema @ Value::Mapping(_)) => {
            Some(Box::new(shape(schema).map_err(within("/additionalProperties"))?))
        }
        // Free values: allowed below the root, where a typing error in a name matters less.
        None | Some(Value::Bool(true)) => Some(Box::new(Shape::Any)),
        _ => return Err((String::new(), "`additionalProperties` must be false or a schema".to_owned())),
    };
    Ok(ObjectShape { fields, other })
}

/// A schema without `null` among its types, and whether it was there.
fn without_null(schema: &Value) -> (Cow<'_, Value>, bool) {
    match schema.get("type").and_then(Value::as_sequence).map(Vec::as_slice) {
        Some([types @ .., null]) if null == "null" => {
            let mut of_others = schema.clone();
            of_others["type"] = match types {
                [one] => one.clone(),
                types => types.to_vec().into(),
            };
            (Cow::Owned(of_others), true)
        }
        _ => (Cow::Borrowed(schema), false),
    }
}

fn text_shape(object: &Mapping) -> Result<TextShape, CompileError> {
    let wrong = |key: &str, message: String| Err((format!("/{key}"), message));
    let mut text = TextShape { values: owned(object.get("enum")), ..TextShape::default() };
    text.filled = object.get("minLength").is_some_and(|it| it == 1);
    match object.get("pattern").and_then(Value::as_str) {
        None if text.filled && text.values.is_empty() => {
            return wrong("minLength", r"`minLength: 1` needs a pattern such as `\S`".to_owned());
        }
        None => {}
        Some(r"\S") => text.filled = true,
        Some(r"\.[0-9]{3}Z$") => text.format = Some(TextFormat::Timestamp),
        Some(pattern) => match format_of(pattern) {
            Some(format) => {
                text.format = Some(format);
                return match object.get("format") {
                    None => Ok(text),
                    Some(_) => wrong("format", "this pattern goes without a format".to_owned()),
                };
            }
            None => return wrong("pattern", format!("a shape does not know the pattern `{pattern}`")),
        },
    }
    match (object.get("format").and_then(Value::as_str), text.format) {
        (None, None) | (Some("date-time"), Some(TextFormat::Timestamp)) => {}
        (None, Some(_)) => return wrong("pattern", "the pattern of a time needs its format".to_owned()),
        (Some("uuid"), None) => text.format = Some(TextFormat::Uuid),
        (Some("date-time"), _) => return wrong("format", "a time needs its pattern".to_owned()),
        (Some(other), _) => {
            return wrong("format", format!("a shape does not know the format `{other}` here"));
        }
    }
    if let Some(branches) = object.get("anyOf").and_then(Value::as_sequence) {
        let end = match branches.as_slice() {
            [listed, pattern] => {
                text.values = owned(listed.get("enum"));
                let pattern = pattern.get("pattern").and_then(Value::as_str);
                pattern.and_then(|pattern| pattern.strip_prefix(r"^\S(.*\S)?")?.strip_suffix('$'))
            }
            _ => None,
        };
        let Some(end) = end else {
            return wrong("anyOf", r"`anyOf` is a list of values, and a pattern `^\S(.*\S)?end$`".to_owned());
        };
        text.or_ends_with = Some(end.to_owned());
    }
    Ok(text)
}

/// The format that a pattern means, if it is one of the patterns that shapes know.
fn format_of(pattern: &str) -> Option<TextFormat> {
    if let Some(letters) = pattern.strip_prefix('^').and_then(|it| it.strip_suffix("[0-9a-fA-F]{32}$")) {
        return Some(TextFormat::Sid(letters.as_bytes().try_into().ok()?));
    }
    PATTERNS.iter().find(|(it, _)| *it == pattern).map(|(_, format)| *format)
}

/// The patterns of schemas that need no regular expression.
const PATTERNS: [(&str, TextFormat); 5] = [
    (r"^\+1(800|833|844|855|866|877|888)[2-9]\d{6}$", TextFormat::TollFree),
    ("^[A-Za-z]{2}$", TextFormat::TwoLetters),
    ("^[^A-Z]*$", TextFormat::NoCapitals),
    ("^[- A-Za-z0-9]*$", TextFormat::PostalCode),
    ("^[A-Za-z0-9_ ]*$", TextFormat::Label),
];

fn strings(value: Option<&Value>) -> Vec<&str> {
    value.and_then(Value::as_sequence).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn owned(value: Option<&Value>) -> Vec<String> {
    strings(value).into_iter().map(str::to_owned).collect()
}
