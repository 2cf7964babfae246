//! The fields of a kind of document, read from its schema.

use serde_json::Value;
use tollproof_core::{Kind, schema};

/// The parsed schema of a kind.
///
/// # Panics
///
/// Never: a test reads the schemas that are built in.
#[must_use]
pub fn schema_of(kind: Kind) -> Value {
    serde_json::from_str(schema::text(kind)).expect("a test reads the schemas that are built in")
}

/// A field of a schema, at any depth.
#[derive(Debug)]
pub struct FieldInfo<'s> {
    /// The path from the document, such as `numbers[].country`.
    pub path: String,
    /// The schema of the field.
    pub schema: &'s Value,
    /// Whether a document must have it.
    pub required: bool,
}

/// The allowed values of a field.
#[derive(Debug, Default)]
pub struct Choice<'s> {
    /// The listed values.
    pub values: Vec<String>,
    /// Descriptions of other allowed values.
    pub others: Vec<&'s str>,
}

impl<'s> FieldInfo<'s> {
    /// The name of the field itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }

    /// The title in the schema.
    #[must_use]
    pub fn title(&self) -> &'s str {
        said(self.schema, "title")
    }

    /// The description in the schema.
    #[must_use]
    pub fn description(&self) -> &'s str {
        said(self.schema, "description")
    }

    /// The description of one item, if the field is a list.
    #[must_use]
    pub fn entries(&self) -> &'s str {
        said(&self.schema["items"], "description")
    }

    /// `string`, `boolean`, `array`, ...; `None` if every type is allowed.
    #[must_use]
    pub fn type_name(&self) -> Option<&'s str> {
        self.schema["type"].as_str()
    }

    /// The examples in the schema.
    #[must_use]
    pub fn examples(&self) -> &'s [Value] {
        self.schema["examples"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The allowed values; empty if any value is allowed.
    #[must_use]
    pub fn choice(&self) -> Choice<'s> {
        let listed = |schema: &Value| {
            let all = schema["enum"].as_array().into_iter().flatten();
            all.map(show_value).collect::<Vec<_>>()
        };
        let mut choice = Choice { values: listed(self.schema), others: Vec::new() };
        for key in ["anyOf", "oneOf"] {
            for schema in self.schema[key].as_array().into_iter().flatten() {
                choice.values.extend(listed(schema));
                choice.values.extend(schema["const"].as_str().map(str::to_owned));
                choice.others.extend(schema["description"].as_str());
            }
        }
        choice
    }
}

/// All fields, those of the document before those of nested objects.
#[must_use]
pub fn fields(root: &Value) -> Vec<FieldInfo<'_>> {
    let mut fields = Vec::new();
    let mut objects = std::collections::VecDeque::from([(String::new(), root)]);
    while let Some((prefix, object)) = objects.pop_front() {
        let required = |name: &str| {
            let names = object["required"].as_array();
            names.is_some_and(|names| names.iter().any(|it| it == name))
        };
        for (name, schema) in object["properties"].as_object().into_iter().flatten() {
            let schema = resolve(schema, root);
            let path = format!("{prefix}{name}");
            objects.push_back((format!("{path}."), schema));
            objects.push_back((format!("{path}[]."), resolve(&schema["items"], root)));
            fields.push(FieldInfo { path, schema, required: required(name) });
        }
        // The schemas are not recursive; this limit guarantees an end if one becomes so.
        if fields.len() > 1_000 {
            break;
        }
    }
    fields
}

/// The field with this path, or else the first with this name.
#[must_use]
pub fn find_field<'f, 's>(fields: &'f [FieldInfo<'s>], wanted: &str) -> Option<&'f FieldInfo<'s>> {
    let path = fields.iter().find(|field| field.path == wanted);
    path.or_else(|| fields.iter().find(|field| field.name() == wanted))
}

/// The fields of the object at a path, in alphabetical order; `-` is an item of a list. Names match in any spelling.
#[must_use]
pub fn fields_at<'s>(root: &'s Value, path: &[String]) -> Vec<FieldInfo<'s>> {
    let Some(object) = schema_at(root, path) else { return Vec::new() };
    let required =
        |name: &str| object["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name));
    let properties = object["properties"].as_object().into_iter().flatten();
    let field = |(name, schema): (&String, &'s Value)| FieldInfo {
        path: name.clone(),
        schema: resolve(schema, root),
        required: required(name),
    };
    properties.map(|(name, schema)| field((name, schema))).collect()
}

/// The field at a path, or the field that is the list of the item at a path.
#[must_use]
pub fn field_at<'s>(root: &'s Value, path: &[String]) -> Option<FieldInfo<'s>> {
    let (name, above) = path.split_last()?;
    if name == "-" {
        return field_at(root, above);
    }
    fields_at(root, above).into_iter().find(|it| is_spelled_like(it.name(), name))
}

/// The schema of the value at a path; `-` is an item of a list.
#[must_use]
pub fn schema_at<'s>(root: &'s Value, path: &[String]) -> Option<&'s Value> {
    path.iter().try_fold(resolve(root, root), |schema, name| {
        let below = match name.as_str() {
            "-" => schema.get("items")?,
            name => {
                let mut properties = schema["properties"].as_object()?.iter();
                properties.find(|(it, _)| is_spelled_like(it, name)).map(|(_, schema)| schema)?
            }
        };
        Some(resolve(below, root))
    })
}

/// Whether two names differ only in case and separators, as `OptInType` and `opt_in_type` do.
#[must_use]
pub fn is_spelled_like(one: &str, other: &str) -> bool {
    let letters = |name: &str| -> String {
        name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    one == other || letters(one) == letters(other)
}

/// A value for people: strings have no quotes.
#[must_use]
pub fn show_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn said<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema[key].as_str().unwrap_or_default()
}

/// Resolves a `$ref` within the same schema.
fn resolve<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let target = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_found_by_name_and_by_path() {
        let schema = json!({
            "properties": {
                "a": { "$ref": "#/$defs/a" },
                "list": { "type": "array", "items": { "properties": { "b": {}, "a": {} }, "required": ["b"] } },
            },
            "required": ["a"],
            "$defs": { "a": { "title": "A" } },
        });
        let fields = fields(&schema);
        let path = |name| find_field(&fields, name).map(|it| (it.path.as_str(), it.required));
        assert_eq!(path("a"), Some(("a", true)));
        assert_eq!(path("b"), Some(("list[].b", true)));
        assert_eq!(path("list[].a"), Some(("list[].a", false)));
        assert_eq!(path("c"), None);
        assert_eq!(find_field(&fields, "a").map(FieldInfo::title), Some("A"));
        let at = |path: &str| {
            let path: Vec<String> = path.split('.').map(str::to_owned).collect();
            field_at(&schema, &path).map(|it| (it.title().to_owned(), it.required))
        };
        assert_eq!(at("a"), Some(("A".to_owned(), true)));
        assert_eq!(at("list.-.B"), Some((String::new(), true)));
        assert_eq!(at("list.-").is_some(), at("list").is_some());
        assert_eq!(at("list.b"), None);
    }
}
