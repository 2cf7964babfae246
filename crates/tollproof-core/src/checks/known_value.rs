//! `known_value`: a value outside a list that the interface does not close.

use super::{Place, Violation};
use crate::provider::aliases;
use crate::rule::check::KnownValue;
use crate::suggest::nearest;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

pub(super) fn check(check: &KnownValue, node: &Node<'_>, place: &Place<'_>) -> Option<Violation> {
    let value = node.as_str()?;
    if check.values.iter().any(|it| word(it) == word(value)) {
        return None;
    }
    let near = aliases::value(value, &check.values);
    let near = near.or_else(|| nearest(value, check.values.iter().map(String::as_str)));
    let hint = near.map(|near| message!("Did you mean `{}`? ", Message::own(near))).unwrap_or_default();
    let message = value.trim().is_empty().then(|| message!("`{}` is empty", Message::own(place.field)));
    Some(Violation { message, ..Violation::default() }.fill("value", value).fill("nearest", hint))
}

/// What is compared: the letters without case, spaces, underscores and hyphens. What else a value holds makes it another.
fn word(text: &str) -> String {
    let kept = text.chars().filter(|&it| !it.is_whitespace() && it != '_' && it != '-');
    kept.flat_map(char::to_lowercase).collect()
}
