//! The fields of a kind of document, as its schema describes them.

use serde_json::Value;
use tollproof_core::{Kind, schema};

/// The schema of a kind, as a tree.
pub(crate) fn schema_of(kind: Kind) -> Value {
    serde_json::from_str(schema::text(kind)).expect("a test reads the schemas that are built in")
}

/// A field of a schema, wherever it is nested.
#[derive(Debug)]
pub(crate) struct FieldInfo<'s> {
    /// The names from the document down: `numbers[].country`.
    pub(crate) path: String,
    /// What the schema states of it.
    pub(crate) schema: &'s Value,
    pub(crate) required: bool,
}

/// What a field may hold, where that is a list.
#[derive(Debug, Default)]
pub(crate) struct Choice<'s> {
    /// The values of the list.
    pub(crate) values: Vec<String>,
    /// What else may stand there, in words.
    pub(crate) others: Vec<&'s str>,
}

impl<'s> FieldInfo<'s> {
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }

    /// What it is called in plain words.
    pub(crate) fn title(&self) -> &'s str {
        said(self.schema, "title")
    }

    /// What it means, in sentences.
    pub(crate) fn description(&self) -> &'s str {
        said(self.schema, "description")
    }

    /// What one entry means, if it is a list.
    pub(crate) fn entries(&self) -> &'s str {
        said(&self.schema["items"], "description")
    }

    /// `string`, `boolean`, `array`, ...; none where any type will do.
    pub(crate) fn type_name(&self) -> Option<&'s str> {
        self.schema["type"].as_str()
    }

    pub(crate) fn examples(&self) -> &'s [Value] {
        self.schema["examples"].as_array().map_or(&[], Vec::as_slice)
    }

    /// What it may hold; nothing is listed where that is open.
    pub(crate) fn choice(&self) -> Choice<'s> {
        let listed = |schema: &Value| {
            let all = schema["enum"].as_array().into_iter().flatten();
            all.map(show).collect::<Vec<_>>()
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

/// All fields, those of the document before those of objects in it.
pub(crate) fn fields(root: &Value) -> Vec<FieldInfo<'_>> {
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
        // Nothing in the schemas refers to itself; should one ever, the list still ends.
        if fields.len() > 1_000 {
            break;
        }
    }
    fields
}

/// The field of that path, or else the first of that name.
pub(crate) fn find<'f, 's>(fields: &'f [FieldInfo<'s>], wanted: &str) -> Option<&'f FieldInfo<'s>> {
    let path = fields.iter().find(|field| field.path == wanted);
    path.or_else(|| fields.iter().find(|field| field.name() == wanted))
}

/// A value as people write it, a text without quotes.
pub(crate) fn show(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn said<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema[key].as_str().unwrap_or_default()
}

/// Follows `$ref` inside the same schema.
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
        let path = |name| find(&fields, name).map(|it| (it.path.as_str(), it.required));
        assert_eq!(path("a"), Some(("a", true)));
        assert_eq!(path("b"), Some(("list[].b", true)));
        assert_eq!(path("list[].a"), Some(("list[].a", false)));
        assert_eq!(path("c"), None);
        assert_eq!(find(&fields, "a").map(FieldInfo::title), Some("A"));
    }
}
