//! The fields of a document one by one, as people are shown what was read.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::syntax::document::{Node, Value};
use crate::syntax::source::Span;

/// A field with what was read for it.
#[derive(Clone, Debug)]
pub struct ReadField<'n> {
    /// The keys from the root, joined by dots.
    pub name: String,
    /// The value; of a list, its items. A program computes those that are `None`.
    pub values: Vec<Option<String>>,
    /// Whether the value is a list.
    pub is_list: bool,
    /// The bytes of the value in the source.
    pub span: Span,
    /// The value in the document.
    pub node: &'n Node<'n>,
}

impl<'n> ReadField<'n> {
    /// The fields of a document in their order; those of objects are listed one by one.
    pub fn of(root: &'n Node<'n>) -> Vec<Self> {
        let mut fields = Vec::new();
        add(root, "", &mut fields);
        fields
    }

    /// Whether only the running program knows the value, or a part of a list.
    pub fn is_computed(&self) -> bool {
        self.values.iter().any(Option::is_none)
    }
}

fn add<'n>(object: &'n Node<'n>, above: &str, fields: &mut Vec<ReadField<'n>>) {
    for member in object.members() {
        let (node, name) = (&member.value, format!("{above}{}", member.key));
        if matches!(node.value, Value::Object(_)) {
            add(node, &format!("{name}."), fields);
            continue;
        }
        let is_list = matches!(node.value, Value::Array(_));
        let values = if is_list { node.items().iter().map(text).collect() } else { vec![text(node)] };
        let spans = || node.items().iter().map(|item| of_item(item).span);
        let span = match (spans().next(), spans().next_back()) {
            (Some(first), Some(last)) if first.start <= last.end => Span { end: last.end, ..first },
            _ => node.span,
        };
        fields.push(ReadField { name, values, is_list, span, node });
    }
}

/// The value of an item: of an object with one field, that of the field.
fn of_item<'n, 's>(item: &'n Node<'s>) -> &'n Node<'s> {
    item.members().first().map_or(item, |member| &member.value)
}

fn text(node: &Node<'_>) -> Option<String> {
    match &of_item(node).value {
        Value::String(text) => Some(text.to_string()),
        Value::Number(text) => Some((*text).to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null => Some(String::new()),
        Value::Computed | Value::Array(_) | Value::Object(_) => None,
    }
}

/// `{"value", "start", "end"}`, or `{"computed": true}`.
impl Serialize for ReadField<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.is_computed() {
            map.serialize_entry("computed", &true)?;
        } else if self.is_list {
            map.serialize_entry("value", &self.values)?;
        } else {
            map.serialize_entry("value", &self.values[0])?;
        }
        map.serialize_entry("start", &self.span.start)?;
        map.serialize_entry("end", &self.span.end)?;
        map.end()
    }
}
