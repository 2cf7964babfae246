//! Values as their safe fixes will leave them, so that one run also reports what a wrong format hides.

use std::borrow::Cow;
use std::collections::BTreeMap;

use tollproof_data::pointer::unescaped;

use crate::checks::Violation;
use crate::syntax::document::{Node, Value};

/// The new texts of refused values, by their pointers.
#[derive(Debug, Default)]
pub(crate) struct FixedValues {
    texts: BTreeMap<String, String>,
}

impl FixedValues {
    /// Takes what a violation's safe fix makes of the value at a pointer.
    pub(crate) fn take(&mut self, pointer: &str, violation: &mut Violation) {
        if let Some(text) = violation.fixed.take() {
            self.texts.insert(pointer.to_owned(), text);
        }
    }

    /// Whether the value at a pointer has a safe fix.
    pub(crate) fn has(&self, pointer: &str) -> bool {
        self.texts.contains_key(pointer)
    }

    /// A tree with the new texts in it, each at the place of the old one; none where nothing changes.
    pub(crate) fn applied_to<'s>(&self, root: &Node<'s>) -> Option<Node<'s>> {
        if self.texts.is_empty() {
            return None;
        }
        let mut root = root.clone();
        for (pointer, text) in &self.texts {
            if let Some(node) = at(&mut root, pointer) {
                node.value = Value::String(Cow::Owned(text.clone()));
            }
        }
        Some(root)
    }
}

/// The node at an RFC 6901 pointer.
fn at<'n, 's>(root: &'n mut Node<'s>, pointer: &str) -> Option<&'n mut Node<'s>> {
    let mut node = root;
    for token in pointer.split('/').skip(1) {
        let token = unescaped(token);
        node = match &mut node.value {
            Value::Array(items) => items.get_mut(token.parse::<usize>().ok()?)?,
            Value::Object(members) => &mut members.iter_mut().find(|member| member.key == token)?.value,
            _ => return None,
        };
    }
    Some(node)
}
