//! The fields of a kind as a form asks for them: a tree, in the order of the schema.

use serde_json::Value;

use super::fields::{FieldInfo, Need, is_required, resolve};
use crate::provider::kind::Kind;
use crate::syntax::document::push_token;
use tollproof_data::provider::schema::shape::Shape;

/// A field of a form.
#[derive(Debug)]
pub struct FormField<'s> {
    /// The field, with its keys as documents of the kind spell them.
    pub info: FieldInfo<'s>,
    /// The key in its object.
    pub key: &'static str,
    /// Whether a document needs it: it is required, and so is every object around it.
    pub is_needed: bool,
    /// The need of the object around it.
    pub need: Need,
    /// The fields of an object, or of the objects in a list. Empty for a field with a value.
    pub below: Vec<FormField<'s>>,
}

/// The values a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    Text,
    /// A number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A list of strings.
    Texts,
    /// A list of objects with one string each, under this key.
    TextsUnder(&'static str),
    /// An object with fields.
    Object,
    /// A list of objects with several fields.
    Objects,
}

impl FormField<'_> {
    /// Returns what the field takes. A field that takes `null` too is of its other type.
    pub fn type_of(&self) -> FieldType {
        let types = self.info.schema["type"].as_array().into_iter().flatten();
        let other = types.filter_map(Value::as_str).find(|name| *name != "null");
        match (other.or(self.info.type_name()), self.below.as_slice()) {
            (Some("array"), []) => FieldType::Texts,
            (Some("array"), [only]) if only.below.is_empty() => FieldType::TextsUnder(only.key),
            (Some("array"), _) => FieldType::Objects,
            (_, [_, ..]) => FieldType::Object,
            (Some("boolean"), _) => FieldType::Boolean,
            (Some("integer" | "number"), _) => FieldType::Integer,
            _ => FieldType::Text,
        }
    }
}

impl Kind {
    /// The fields of documents of this kind; `schema` is [`schema_of`](super::schema_of) the kind.
    pub fn form_fields(self, schema: &Value) -> Vec<FormField<'_>> {
        let shapes = [super::shape(self), super::shape(self.spelled(0))];
        FormReader { kind: self, root: schema }.fields(schema, shapes, ["", ""], true)
    }
}

struct FormReader<'s> {
    kind: Kind,
    /// The whole schema.
    root: &'s Value,
}

impl<'s> FormReader<'s> {
    /// The fields of an object. Its shapes are in the spelling of the kind and in that of the schema; `above` are its path
    /// and its pointer.
    fn fields(
        &self,
        object: &'s Value,
        shapes: [&'static Shape; 2],
        above: [&str; 2],
        is_needed: bool,
    ) -> Vec<FormField<'s>> {
        let [Shape::Object(spelled), Shape::Object(written)] = shapes else { return Vec::new() };
        let mut fields = Vec::new();
        for (spelled, written) in spelled.fields.iter().zip(&written.fields) {
            let schema = resolve(&object["properties"][written.name.as_str()], self.root);
            let required = is_required(object, &written.name);
            let is_needed = is_needed && required;
            let [path, pointer] = above;
            let dot = if path.is_empty() { "" } else { "." };
            let path = format!("{path}{dot}{}", spelled.name);
            let mut pointer = pointer.to_owned();
            push_token(&mut pointer, &spelled.name);
            let below = match [&spelled.shape, &written.shape] {
                [Shape::List { item: spelled, .. }, Shape::List { item: written, .. }] => {
                    let items = resolve(&schema["items"], self.root);
                    self.fields(items, [spelled, written], [&path, &format!("{pointer}/*")], is_needed)
                }
                shapes => self.fields(schema, shapes, [&path, &pointer], is_needed),
            };
            let info = FieldInfo { path, pointer, schema, required };
            let need = self.kind.need_of(&info);
            fields.push(FormField { info, key: &spelled.name, is_needed, need, below });
        }
        fields
    }
}
