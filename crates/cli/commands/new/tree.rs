//! The values of a draft that is being written.

use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use tollproof_core::document::{Node, Value};

use super::form::FIRST;

/// A value of a draft; objects keep the order of their fields.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DraftTree {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<DraftTree>),
    Object(Vec<(String, DraftTree)>),
}

impl DraftTree {
    /// A draft without fields.
    pub(super) const EMPTY: Self = Self::Object(Vec::new());

    /// The value of a document that was read. A number that JSON does not have is a text.
    pub(super) fn of(node: &Node<'_>) -> Self {
        match &node.value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(text) => match text.parse() {
                Ok(number) => Self::Number(number),
                Err(_) => Self::Text((*text).to_owned()),
            },
            Value::String(text) => Self::Text(text.to_string()),
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|it| (it.key.to_string(), Self::of(&it.value))).collect())
            }
        }
    }

    /// The value at a path of keys.
    pub(super) fn get(&self, steps: &[String]) -> Option<&Self> {
        let Some((first, rest)) = steps.split_first() else { return Some(self) };
        match self {
            Self::List(items) if first == FIRST => items.first()?.get(rest),
            Self::Object(members) => members.iter().find(|(key, _)| key == first)?.1.get(rest),
            _ => None,
        }
    }

    /// Sets the value at a path of keys, or removes it. Objects and lists on the way are made, or removed if they become
    /// empty.
    pub(super) fn set(&mut self, steps: &[String], value: Option<Self>) {
        let Some((first, rest)) = steps.split_first() else {
            *self = value.unwrap_or(Self::Null);
            return;
        };
        if first == FIRST {
            if !matches!(self, Self::List(items) if !items.is_empty()) {
                *self = Self::List(vec![Self::EMPTY]);
            }
            let Self::List(items) = self else { return };
            items[0].set(rest, value);
            if items[0].is_empty() {
                items.remove(0);
            }
            return;
        }
        if !matches!(self, Self::Object(_)) {
            *self = Self::EMPTY;
        }
        let Self::Object(members) = self else { return };
        let at = members.iter().position(|(key, _)| key == first).unwrap_or_else(|| {
            let empty =
                if rest.first().is_some_and(|it| it == FIRST) { Self::List(Vec::new()) } else { Self::EMPTY };
            members.push((first.clone(), empty));
            members.len() - 1
        });
        let is_removed = value.is_none();
        members[at].1.set(rest, value);
        let member = &members[at].1;
        if is_removed && (rest.is_empty() || member.is_empty()) {
            members.remove(at);
        }
    }

    /// Whether it says nothing: null, whitespace, or a list or an object without values.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Bool(_) | Self::Number(_) => false,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(items) => items.iter().all(Self::is_empty),
            Self::Object(members) => members.iter().all(|(_, value)| value.is_empty()),
        }
    }

    /// Sorts the fields of objects by their place in these lists of paths.
    pub(super) fn sort(&mut self, order: &[Vec<String>]) {
        self.sort_below(order, &mut Vec::new());
    }

    fn sort_below(&mut self, order: &[Vec<String>], path: &mut Vec<String>) {
        match self {
            Self::Object(members) => {
                members.sort_by_key(|(key, _)| {
                    path.push(key.clone());
                    let place = order.iter().position(|it| it.starts_with(path));
                    path.pop();
                    place.unwrap_or(usize::MAX)
                });
                for (key, value) in members {
                    path.push(key.clone());
                    value.sort_below(order, path);
                    path.pop();
                }
            }
            Self::List(items) => {
                path.push(FIRST.to_owned());
                items.iter_mut().for_each(|item| item.sort_below(order, path));
                path.pop();
            }
            _ => {}
        }
    }
}

impl Serialize for DraftTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(item))?;
                list.end()
            }
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                members.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}
