//! Lets `jsonschema` read tollproof's document tree.

use std::borrow::Cow;
use std::cell::Cell;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node as JsonNode, NodeIdentity, Object, cmp, unique};
use tollproof_core::Span;
use tollproof_core::document::{Member, Node, Style, Value};

/// The maximum number of steps to validate one document: a few hundred for each field of a draft, and several for each
/// value of the largest document.
const MAX_STEPS: u32 = 4_000_000;

/// The cost of an error in steps, because each takes memory.
const STEPS_OF_AN_ERROR: u32 = 100;

thread_local! {
    /// The remaining steps of the validation in this thread.
    static STEPS: Cell<u32> = const { Cell::new(0) };
}

/// Runs a validation and returns its result, or `None` if it takes too many steps.
///
/// A schema can visit the same value many times, once for each path that leads to it. When no steps are left, every
/// value looks empty, so that the validation ends quickly.
pub(super) fn within_budget<T>(validate: impl FnOnce() -> T) -> Option<T> {
    STEPS.set(MAX_STEPS);
    let found = validate();
    (STEPS.get() > 0).then_some(found)
}

/// Subtracts steps. Returns false if none are left.
fn take(steps: u32) -> bool {
    let left = STEPS.get().saturating_sub(steps);
    STEPS.set(left);
    left > 0
}

/// The document tree, as the trait `Json` requires it.
pub(super) struct JsonTree;

impl Json for JsonTree {
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

/// A number as it is written in the document.
pub(super) struct Number<'a>(&'a str);

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
        let whole = whole.or_else(|| self.as_u64().map(serde_json::Number::from));
        let number = whole.or_else(|| serde_json::Number::from_f64(self.as_f64()?));
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        self.as_i64().is_some()
            || self.as_u64().is_some()
            || self.as_f64().is_some_and(|it| it.fract() == 0.0)
    }
}

impl<'a> JsonNode<'a, JsonTree> for &'a Node<'a> {
    type Object = &'a Node<'a>;
    type Array = &'a [Node<'a>];
    type Number = Number<'a>;

    fn as_object(&self) -> Option<&'a Node<'a>> {
        (take(1) && matches!(self.value, Value::Object(_))).then_some(*self)
    }

    fn as_array(&self) -> Option<&'a [Node<'a>]> {
        match &self.value {
            Value::Array(items) if take(1) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        self.as_str().filter(|_| take(1)).map(Cow::Borrowed)
    }

    fn as_number(&self) -> Option<Number<'a>> {
        match self.value {
            Value::Number(number) if take(1) => Some(Number(number)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) if take(1) => Some(value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    fn json_type(&self) -> JsonType {
        match self.value {
            _ if !take(1) => JsonType::Null,
            Value::Null | Value::Computed => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(_) => JsonType::Number,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &serde_json::Value) -> bool {
        cmp::equal(&whole(self), expected)
    }

    /// The value for the validator's error. Messages do not show it, so lists and objects, which may be large, are
    /// returned empty.
    fn to_value(&self) -> Cow<'a, serde_json::Value> {
        take(STEPS_OF_AN_ERROR);
        Cow::Owned(match &self.value {
            Value::Array(_) => serde_json::json!([]),
            Value::Object(_) => serde_json::json!({}),
            _ => whole(self),
        })
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<Node<'a>>(*self) as usize))
    }
}

impl<'a> Object<'a, JsonTree> for &'a Node<'a> {
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
pub(super) struct Members<'a>(std::slice::Iter<'a, Member<'a>>);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a str, &'a Node<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|member| (member.key.as_ref(), &member.value))
    }
}

impl<'a> Array<'a, JsonTree> for &'a [Node<'a>] {
    type Node = &'a Node<'a>;
    type ElementsIter = std::slice::Iter<'a, Node<'a>>;

    fn len(&self) -> usize {
        <[Node<'a>]>::len(self)
    }

    fn elements(&self) -> std::slice::Iter<'a, Node<'a>> {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        unique::is_unique(&self.iter().map(|item| Cow::Owned(whole(item))).collect::<Vec<_>>())
    }
}

/// A value with everything in it.
fn whole(node: &Node<'_>) -> serde_json::Value {
    if !take(1) {
        return serde_json::Value::Null;
    }
    match &node.value {
        Value::Null | Value::Computed => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => serde_json::Value::Number(Number(number).to_number().into_owned()),
        Value::String(text) => text.as_ref().into(),
        Value::Array(items) => items.iter().map(whole).collect(),
        Value::Object(members) => {
            members.iter().map(|member| (member.key.to_string(), whole(&member.value))).collect()
        }
    }
}
