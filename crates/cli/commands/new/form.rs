//! The fields of a draft as a form: each with its place, in the order of the schema.

use serde_json::Value;
use tollproof_core::Kind;

use tollproof_core::schema::FieldInfo;

/// The first item of a list of objects, as a step of a path.
pub(super) const FIRST: &str = "[]";

/// A field of a form.
#[derive(Debug)]
pub(super) struct DraftField<'s> {
    /// The keys from the root of the draft; [`FIRST`] is the first item of a list.
    pub(super) steps: Vec<String>,
    pub(super) info: FieldInfo<'s>,
    /// The fields of an object, or of the objects in a list. Empty for a field with a value.
    pub(super) below: Vec<DraftField<'s>>,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldType<'s> {
    Text,
    Integer,
    Boolean,
    /// A list of texts.
    Texts,
    /// A list of objects with one text each, under this key.
    TextsUnder(&'s str),
    /// An object with fields.
    Object,
    /// A list of objects with several fields.
    Objects,
}

impl<'s> DraftField<'s> {
    /// The key of the field in its object.
    pub(super) fn key(&self) -> &str {
        self.steps.last().map_or("", String::as_str)
    }

    pub(super) fn type_of(&self) -> FieldType<'_> {
        match (self.type_name(), self.below.as_slice()) {
            (Some("array"), []) => FieldType::Texts,
            (Some("array"), [only]) if only.below.is_empty() => FieldType::TextsUnder(only.key()),
            (Some("array"), _) => FieldType::Objects,
            (_, [_, ..]) => FieldType::Object,
            (Some("boolean"), _) => FieldType::Boolean,
            (Some("integer" | "number"), _) => FieldType::Integer,
            _ => FieldType::Text,
        }
    }

    /// The type in the schema. A field that takes `null` too is of its other type.
    fn type_name(&self) -> Option<&'s str> {
        let types = self.info.schema["type"].as_array();
        let other = types.and_then(|types| types.iter().filter_map(Value::as_str).find(|it| *it != "null"));
        self.info.type_name().or(other)
    }
}

/// The fields of a kind; `schema` is that of the kind. Keys are in the kind's spelling, which the schema may not have.
pub(super) fn form(kind: Kind, schema: &Value) -> Vec<DraftField<'_>> {
    let written = kind.provider().kind(kind.role()).unwrap_or(kind);
    FormSchema { kind, written, root: schema }.below(schema, &[], &[])
}

struct FormSchema<'s> {
    kind: Kind,
    /// The kind in the spelling of the schema.
    written: Kind,
    root: &'s Value,
}

impl<'s> FormSchema<'s> {
    /// The fields of an object, with its path in both spellings.
    fn below(&self, object: &'s Value, steps: &[String], written: &[String]) -> Vec<DraftField<'s>> {
        let names = self.kind.fields_at(&keys(steps));
        let names = names.into_iter().zip(self.written.fields_at(&keys(written)));
        names
            .map(|(name, key)| self.field(object, [steps, &[name.to_owned()]].concat(), written, key))
            .collect()
    }

    fn field(
        &self,
        object: &'s Value,
        mut steps: Vec<String>,
        above: &[String],
        key: &str,
    ) -> DraftField<'s> {
        let schema = resolved(&object["properties"][key], self.root);
        let required = object["required"].as_array().is_some_and(|names| names.iter().any(|it| it == key));
        let path: Vec<&str> = steps.iter().map(String::as_str).filter(|it| *it != FIRST).collect();
        let token = |step: &String| match step.as_str() {
            FIRST => "/*".to_owned(),
            key => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        };
        let pointer = steps.iter().map(token).collect();
        let info = FieldInfo { path: path.join("."), pointer, schema, required };
        let mut written = [above, &[key.to_owned()]].concat();
        let items = resolved(&schema["items"], self.root);
        let below = if items["properties"].is_object() {
            steps.push(FIRST.to_owned());
            written.push(FIRST.to_owned());
            let below = self.below(items, &steps, &written);
            steps.pop();
            below
        } else {
            self.below(schema, &steps, &written)
        };
        DraftField { steps, info, below }
    }
}

/// Steps as the path of a schema.
fn keys(steps: &[String]) -> Vec<Option<&str>> {
    steps.iter().map(|step| (step != FIRST).then_some(step.as_str())).collect()
}

/// Resolves a `$ref` within the schema.
fn resolved<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let target = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}
