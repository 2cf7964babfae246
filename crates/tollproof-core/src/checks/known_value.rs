//! `known_value`: a value outside a list that the interface does not close.

use super::Defect;
use crate::document::Node;
use crate::message::Message;
use crate::nearest::{bare, nearest};
use crate::rule::check::KnownValue;

pub(super) fn look(check: &KnownValue, node: &Node<'_>) -> Option<Defect> {
    let value = node.as_str()?;
    let known = check.values.iter().any(|it| bare(it) == bare(value));
    if known {
        return None;
    }
    let near = nearest(value, check.values.iter().map(String::as_str));
    let hint = Message::own(near.map(|near| format!("Did you mean `{near}`? ")).unwrap_or_default());
    Some(Defect::default().fill("value", value).fill("nearest", hint))
}
