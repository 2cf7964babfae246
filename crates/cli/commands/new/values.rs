//! Changes of a draft that is being written. Places are RFC 6901 pointers, in which `*` is the first item of a list.

use serde_json::{Map, Value, json};
use tollproof_core::Pointer;
use tollproof_core::document::member_pointer;

/// The value at a place, unless it is empty.
pub(super) fn get<'d>(draft: &'d Value, place: &str) -> Option<&'d Value> {
    draft.pointer(&place.replace("/*", "/0")).filter(|value| !is_empty(value))
}

/// Sets the value at a place, or removes it. Objects and lists on the way are made, or removed if they become empty.
pub(super) fn set(draft: &mut Value, place: &str, value: Option<Value>) {
    let Some(path) = place.strip_prefix('/') else {
        *draft = value.unwrap_or_default();
        return;
    };
    let (token, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    if token == "*" {
        if draft.as_array().is_none_or(Vec::is_empty) {
            *draft = json!([{}]);
        }
        let Value::Array(items) = draft else { return };
        set(&mut items[0], rest, value);
        if is_empty(&items[0]) {
            items.remove(0);
        }
        return;
    }
    if !draft.is_object() {
        *draft = json!({});
    }
    let Value::Object(members) = draft else { return };
    let key = Pointer::unescape(token).into_owned();
    let is_removed = value.is_none();
    let member = members.entry(key.as_str()).or_insert(Value::Null);
    set(member, rest, value);
    if is_removed && (rest.is_empty() || is_empty(member)) {
        members.shift_remove(&key);
    }
}

/// Whether it says nothing: null, whitespace, or a list or an object without values.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(members) => members.values().all(is_empty),
    }
}

/// A value at a place, with the fields of objects sorted by their position in a list of places.
pub(super) fn sorted(value: Value, place: &str, order: &[&str]) -> Value {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<(usize, String, Value)> = Vec::new();
            for (key, value) in members {
                let place = member_pointer(place, &key);
                let position = order.iter().position(|it| *it == place).unwrap_or(usize::MAX);
                sorted.push((position, key, self::sorted(value, &place, order)));
            }
            sorted.sort_by_key(|(position, ..)| *position);
            Value::Object(sorted.into_iter().map(|(_, key, value)| (key, value)).collect::<Map<_, _>>())
        }
        Value::Array(items) => {
            let place = format!("{place}/*");
            items.into_iter().map(|item| sorted(item, &place, order)).collect()
        }
        other => other,
    }
}
