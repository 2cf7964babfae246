//! Writes the values of roles into a payload, where and how a provider has them.

use serde_json::{Map, Value};
use tollproof_data::provider::path::{Path, Step};
use tollproof_data::provider::schema::shape::Shape;

use super::kind::Kind;

impl Kind {
    /// Writes a value into the field with a role, in place of what was there. A role that the kind does not have is
    /// written at the root under its own name.
    pub(crate) fn put(self, document: &mut Value, role: &str, value: Value) {
        match self.data().path(role) {
            Some(path) => {
                let shape = self.shape_at(&[Some(role.to_owned().into())]);
                put_at(document, &path.steps, fitting(value, path, shape));
            }
            None => put_at(document, &[Some(role.to_owned().into())], value),
        }
    }

    /// Removes the field with a role. An object that contained only this field is removed as well.
    pub(crate) fn take_out(self, document: &mut Value, role: &str) {
        match self.data().path(role) {
            Some(path) => remove(document, path.to_field()),
            None => remove(document, &[Some(role.to_owned().into())]),
        }
    }
}

/// A single value as a list with one item, if the field is a list.
fn fitting(value: Value, path: &Path, shape: Option<&Shape>) -> Value {
    let is_list = path.steps.iter().any(Option::is_none) || matches!(shape, Some(Shape::List { .. }));
    match value {
        Value::Array(_) => value,
        value if is_list => Value::Array(vec![value]),
        value => value,
    }
}

fn put_at(document: &mut Value, steps: &[Step], value: Value) {
    match steps.split_first() {
        None => *document = value,
        Some((Some(key), rest)) => {
            if !document.is_object() {
                *document = Value::Object(Map::new());
            }
            let object = document.as_object_mut().expect("it was just made one");
            put_at(object.entry(key.as_ref()).or_insert(Value::Null), rest, value);
        }
        Some((None, rest)) => {
            let items = match value {
                Value::Array(items) => items,
                value => vec![value],
            };
            let item = |value| {
                let mut item = Value::Null;
                put_at(&mut item, rest, value);
                item
            };
            *document = items.into_iter().map(item).collect();
        }
    }
}

fn remove(document: &mut Value, steps: &[Step]) {
    let Some(object) = document.as_object_mut() else { return };
    match steps {
        [Some(key)] => {
            object.remove(key.as_ref());
        }
        [Some(key), rest @ ..] => {
            let Some(below) = object.get_mut(key.as_ref()) else { return };
            remove(below, rest);
            if below.as_object().is_some_and(Map::is_empty) {
                object.remove(key.as_ref());
            }
        }
        _ => {}
    }
}
