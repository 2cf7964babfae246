//! `jsonschema` on our own tree: the only file that names it.

use crate::validators::format;
use std::borrow::Cow;
use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::json::{Array, Json, JsonNumber, Node as JsonNode, NodeIdentity, Object};
use jsonschema::{JsonType, PatternOptions, Validator};

use super::shape::{Format, Shape};
use super::{Complaint, MAX_COMPLAINTS, field_names, is_business_field, shape, text};
use crate::provider::kind::Kind;
use crate::provider::schema::Violation;
use crate::syntax::document::{Member, Node, Style, Value, push_token};
use crate::syntax::source::Span;

/// Everything that the schema refuses, in the order in which the schema is walked; one more than is listed
/// where there are more.
pub(super) fn complaints(kind: Kind, root: &Node<'_>) -> Vec<Complaint> {
    let mut complaints: Vec<Complaint> = Vec::new();
    for error in validator(kind).iter_errors(root) {
        let pointer = error.instance_path().as_str().to_owned();
        let mut note = |violation, pointer| {
            let complaint = Complaint { violation, pointer };
            if complaints.len() <= MAX_COMPLAINTS && complaints.last() != Some(&complaint) {
                complaints.push(complaint);
            }
        };
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                note(Violation::Missing, below(&pointer, property.as_str().unwrap_or_default()));
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                for name in unexpected {
                    let elsewhere = known_elsewhere(kind, &pointer, name);
                    let violation = if elsewhere { Violation::Misplaced } else { Violation::Unknown };
                    note(violation, below(&pointer, name));
                }
            }
            // What stands in place of an identifier is none, however it is quoted.
            ValidationErrorKind::Type { .. } if is_number_for_id(kind, root, &pointer) => {
                note(Violation::Uuid, pointer)
            }
            ValidationErrorKind::Type { .. } => note(Violation::Type, pointer),
            ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => {
                note(Violation::Empty, pointer)
            }
            ValidationErrorKind::MaxItems { .. } => note(Violation::Count, pointer),
            ValidationErrorKind::Pattern { pattern } if pattern == r"\S" => note(Violation::Empty, pointer),
            ValidationErrorKind::Pattern { .. } => note(Violation::Timestamp, pointer),
            ValidationErrorKind::Format { format } if format == "uuid" => note(Violation::Uuid, pointer),
            ValidationErrorKind::Format { .. } => note(Violation::Timestamp, pointer),
            ValidationErrorKind::Enum { .. } | ValidationErrorKind::AnyOf { .. } => {
                note(Violation::Unlisted, pointer)
            }
            ValidationErrorKind::Minimum { .. } => note(Violation::TooSmall, pointer),
            other => {
                unreachable!("build.rs lets no keyword into a schema that could fail so: {}", other.keyword())
            }
        }
    }
    complaints
}

/// Whether a number stands where the schema wants an identifier.
fn is_number_for_id(kind: Kind, root: &Node<'_>, pointer: &str) -> bool {
    let is_id = |shape: &Shape| matches!(shape, Shape::Text(text) if text.format == Some(Format::Uuid));
    shape(kind).at_pointer(pointer).is_some_and(is_id)
        && root.at(pointer).is_some_and(|node| matches!(node.value, Value::Number(_)))
}

fn below(pointer: &str, name: &str) -> String {
    let mut pointer = pointer.to_owned();
    push_token(&mut pointer, name);
    pointer
}

/// Whether a field that an object does not have is one of another object: of another kind, or, for an object
/// of business fields inside a document, of any.
fn known_elsewhere(kind: Kind, pointer: &str, name: &str) -> bool {
    let known = |kind| field_names(kind).any(|field| field == name);
    if pointer.is_empty() {
        return Kind::ALL.into_iter().any(|other| other != kind && known(other));
    }
    let Some(Shape::Object(object)) = shape(kind).at_pointer(pointer) else { return false };
    object.fields.iter().any(|field| is_business_field(&field.name)) && Kind::ALL.into_iter().any(known)
}

/// Built when first asked for: it costs a millisecond, and clean documents never ask.
fn validator(kind: Kind) -> &'static Validator<Tree> {
    static VALIDATORS: [OnceLock<Validator<Tree>>; 6] = [const { OnceLock::new() }; 6];
    VALIDATORS[kind as usize].get_or_init(|| {
        let schema = serde_json::from_str(text(kind)).expect("build.rs wrote JSON");
        jsonschema::options_for::<Tree>()
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .with_format("uuid", format::is_uuid)
            .with_format("date-time", format::is_timestamp)
            .build(&schema)
            .expect("a test builds the validator of every kind")
    })
}

/// Our tree, as `jsonschema` sees it.
struct Tree;

impl Json for Tree {
    type Node<'a> = &'a Node<'a>;
    type PreparedKey = String;
    type StringBuffer = Option<Node<'static>>;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(
        buffer: &mut Self::StringBuffer,
        string: &str,
        f: impl for<'n> FnOnce(&'n Node<'n>) -> T,
    ) -> T {
        let value = Value::String(Cow::Owned(string.to_owned()));
        f(buffer.insert(Node { span: Span::default(), style: Style::Json, value }))
    }
}

/// A number as it is written.
struct Number<'a>(&'a str);

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let whole = self.as_i64().map(serde_json::Number::from);
        let number = whole.or_else(|| serde_json::Number::from_f64(self.as_f64()?));
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        self.as_i64().is_some()
    }
}

impl<'a> JsonNode<'a, Tree> for &'a Node<'a> {
    type Object = &'a Node<'a>;
    type Array = &'a [Node<'a>];
    type Number = Number<'a>;

    fn as_object(&self) -> Option<&'a Node<'a>> {
        matches!(self.value, Value::Object(_)).then_some(*self)
    }

    fn as_array(&self) -> Option<&'a [Node<'a>]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.as_str().map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number<'a>> {
        match self.value {
            Value::Number(number) => Some(Number(number)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    fn json_type(&self) -> JsonType {
        match self.value {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    /// The value that an error quotes. No complaint does, so lists and objects, of any size, are handed over empty.
    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        Cow::Owned(match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => serde_json::Value::Number(Number(number).to_number().into_owned()),
            Value::String(text) => text.as_ref().into(),
            Value::Array(_) => serde_json::Value::Array(Vec::new()),
            Value::Object(_) => serde_json::Value::Object(serde_json::Map::new()),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Node<'a>>(*self) as usize))
    }
}

impl<'a> Object<'a, Tree> for &'a Node<'a> {
    type Node = &'a Node<'a>;
    type MemberName = &'a str;
    type MembersIter = Members<'a>;

    fn len(&self) -> usize {
        Node::members(self).len()
    }

    fn get(&self, key: &String) -> Option<&'a Node<'a>> {
        Node::get(self, key)
    }

    fn members(&self) -> Members<'a> {
        Members(Node::members(self).iter())
    }
}

/// The members of an object.
struct Members<'a>(std::slice::Iter<'a, Member<'a>>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|member| (member.key.as_ref(), &member.value))
    }
}

impl<'a> Array<'a, Tree> for &'a [Node<'a>] {
    type Node = &'a Node<'a>;
    type ElementsIter = std::slice::Iter<'a, Node<'a>>;

    fn len(&self) -> usize {
        <[Node<'a>]>::len(self)
    }

    fn elements(&self) -> std::slice::Iter<'a, Node<'a>> {
        self.iter()
    }
}
