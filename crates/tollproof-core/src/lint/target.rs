//! From a document to the values that rules look at.

use std::borrow::Cow;

use crate::checks::Place;
use crate::syntax::document::{Node, push_token};

/// Hands over the values that steps from a place lead to, until `see` has enough; an absent field is one place
/// without a value.
pub(crate) fn walk<'a>(
    steps: &'a [Option<Cow<'static, str>>],
    place: Place<'a>,
    see: &mut dyn FnMut(Place<'a>) -> bool,
) -> bool {
    let Some((step, rest)) = steps.split_first() else { return see(place) };
    let Some(node) = place.node else { return true };
    let below = |token: &str, node| {
        let mut pointer = String::with_capacity(place.pointer.len() + 1 + token.len());
        pointer.push_str(&place.pointer);
        push_token(&mut pointer, token);
        Place { node, pointer, ..place }
    };
    match step {
        Some(key) => walk(rest, below(key, node.get(key)), see),
        None => {
            let mut items = node.items().iter().enumerate();
            items.all(|(at, item)| walk(rest, below(&at.to_string(), Some(item)), see))
        }
    }
}

/// The place that a pointer leads to.
pub(crate) fn place_of<'a>(root: &'a Node<'a>, pointer: &'a str) -> Place<'a> {
    let field = pointer.split('/').nth(1).unwrap_or_default();
    Place { node: root.at(pointer), pointer: pointer.to_owned(), field }
}
