//! The fields of a kind of document, read from its schema.

use std::collections::VecDeque;

use serde_json::Value;

use crate::provider::kind::Kind;
use crate::syntax::document::push_token;

/// The length above which an example shows that the field takes sentences.
const LINE: usize = 80;

/// The parsed schema of a kind.
pub fn schema_of(kind: Kind) -> Value {
    serde_json::from_str(super::text(kind)).expect("a test reads the schemas that are built in")
}

/// A field of a schema, at any depth.
#[derive(Debug)]
pub struct FieldInfo<'s> {
    /// The path from the document, such as `numbers[].country`.
    pub path: String,
    /// The RFC 6901 pointer from the document, with `*` for the items of a list: `/numbers/*/country`.
    pub pointer: String,
    /// The schema of the field.
    pub schema: &'s Value,
    /// Whether the object that contains it must have it.
    pub required: bool,
}

/// The need of a draft for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The provider refuses a draft without it.
    Required,
    /// The provider refuses a draft without it, unless the business is a sole proprietor.
    UnlessSoleProprietor,
    /// The API takes a draft without it, but reviewers do not.
    ByReviewers,
    /// It may be left out.
    Optional,
}

impl Need {
    /// The need in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::UnlessSoleProprietor => "required, except for sole proprietors",
            Self::ByReviewers => "required by reviewers",
            Self::Optional => "optional",
        }
    }
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
    /// The field with this path, or else the first with this name.
    pub fn find<'f>(fields: &'f [Self], wanted: &str) -> Option<&'f Self> {
        let path = fields.iter().find(|field| field.path == wanted);
        path.or_else(|| fields.iter().find(|field| field.name() == wanted))
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default().trim_end_matches("[]")
    }

    /// The title in the schema.
    pub fn title(&self) -> &'s str {
        said(self.schema, "title")
    }

    /// The description in the schema.
    pub fn description(&self) -> &'s str {
        said(self.schema, "description")
    }

    /// The description of one item, if the field is a list.
    pub fn entries(&self) -> &'s str {
        said(&self.schema["items"], "description")
    }

    /// `string`, `boolean`, `array`, ...; `None` if every type is allowed. Of several types, the first.
    pub fn type_name(&self) -> Option<&'s str> {
        let named = &self.schema["type"];
        named.as_str().or_else(|| named[0].as_str())
    }

    /// Whether it is for whole sentences, as its example shows.
    pub fn takes_sentences(&self) -> bool {
        self.examples().iter().any(|example| example.as_str().is_some_and(|text| text.len() > LINE))
    }

    /// Its examples.
    pub fn examples(&self) -> &'s [Value] {
        self.schema["examples"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The allowed values; empty if any value is allowed.
    pub fn choice(&self) -> Choice<'s> {
        Choice::of(self.schema)
    }

    /// The allowed values of one item, if the field is a list.
    pub fn item_choice(&self) -> Choice<'s> {
        Choice::of(&self.schema["items"])
    }
}

impl<'s> Choice<'s> {
    fn of(schema: &'s Value) -> Self {
        let listed = |schema: &Value| {
            let all = schema["enum"].as_array().into_iter().flatten();
            all.map(show).collect::<Vec<_>>()
        };
        let mut choice = Self { values: listed(schema), others: Vec::new() };
        for key in ["anyOf", "oneOf"] {
            for schema in schema[key].as_array().into_iter().flatten() {
                choice.values.extend(listed(schema));
                choice.values.extend(schema["const"].as_str().map(str::to_owned));
                choice.others.extend(schema["description"].as_str());
            }
        }
        choice
    }
}

/// All fields, those of the document before those of nested objects.
pub fn fields(root: &Value) -> Vec<FieldInfo<'_>> {
    let mut fields = Vec::new();
    let mut objects = VecDeque::from([(String::new(), String::new(), root)]);
    while let Some((prefix, above, object)) = objects.pop_front() {
        for field in fields_of(object, root) {
            let path = format!("{prefix}{}", field.path);
            let pointer = format!("{above}{}", field.pointer);
            let items = resolve(&field.schema["items"], root);
            objects.push_back((format!("{path}."), pointer.clone(), field.schema));
            objects.push_back((format!("{path}[]."), format!("{pointer}/*"), items));
            fields.push(FieldInfo { path, pointer, ..field });
        }
        // The schemas are not recursive; this limit guarantees an end if one becomes so.
        if fields.len() > 1_000 {
            break;
        }
    }
    fields
}

/// The fields of an object, with their places in it; `root` is the whole schema.
pub fn fields_of<'s>(object: &'s Value, root: &'s Value) -> impl Iterator<Item = FieldInfo<'s>> {
    let properties = object["properties"].as_object().into_iter().flatten();
    properties.map(move |(name, schema)| {
        let mut pointer = String::new();
        push_token(&mut pointer, name);
        FieldInfo {
            path: name.clone(),
            pointer,
            schema: resolve(schema, root),
            required: is_required(object, name),
        }
    })
}

/// Whether the schema of an object requires a field.
pub(super) fn is_required(object: &Value, name: &str) -> bool {
    object["required"].as_array().is_some_and(|names| names.iter().any(|it| it == name))
}

/// A value for people: strings have no quotes.
pub fn show(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn said<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema[key].as_str().unwrap_or_default()
}

/// Resolves a `$ref` within the same schema; `root` is the whole schema.
pub fn resolve<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
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
        let path = |name| FieldInfo::find(&fields, name).map(|it| (it.path.as_str(), it.required));
        assert_eq!(path("a"), Some(("a", true)));
        assert_eq!(path("b"), Some(("list[].b", true)));
        assert_eq!(path("list[].a"), Some(("list[].a", false)));
        assert_eq!(path("c"), None);
        let inner = FieldInfo::find(&fields, "list[].a").expect("it is found");
        assert_eq!(inner.pointer, "/list/*/a");
        assert_eq!(FieldInfo::find(&fields, "a").map(FieldInfo::title), Some("A"));
    }
}
