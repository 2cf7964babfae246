//! From a document to the values that rules look at.

use tollproof_data::provider::path::{Path, Step};

use crate::checks::{Place, PointerToken, Trail};
use crate::provider::builtin::is_asked;
use crate::provider::kind::Kind;
use crate::provider::path;
use crate::rule::Target;
use crate::syntax::document::Node;

/// Hands over the values of a target in a document of a kind, until `see` has enough; an absent field is one place without
/// a value.
pub(crate) fn walk<'a>(
    target: &'a Target,
    kind: Kind,
    root: &'a Node<'a>,
    see: &mut dyn FnMut(Place<'a>) -> bool,
) -> bool {
    let role = target.role().unwrap_or_default();
    let start = Place { node: Some(root), trail: Trail::ROOT, field: role, role };
    if target.steps.is_empty() {
        return see(start);
    }
    let data = kind.data();
    if data.roles.is_none() {
        // In a document of the default provider, a field with this name is an unknown field.
        return is_asked(role) || walk_steps(&target.steps, start, see);
    }
    let mut walk_path = |path: &'static Path| {
        let (to_role, rest) = path.with_rest(&target.steps[1..]);
        let place = Place { node: Some(root), trail: Trail::ROOT, field: path.name, role };
        walk_steps(to_role, place, &mut |place| walk_steps(rest, place, see))
    };
    match data.paths(role) {
        [] => true,
        [(_, path)] => walk_path(path),
        several => {
            // Those that the document has; if it has none, the first is absent.
            let mut present = several
                .iter()
                .map(|(_, path)| path)
                .filter(|candidate| path::field(candidate, root).is_some())
                .peekable();
            if present.peek().is_none() { walk_path(&several[0].1) } else { present.all(walk_path) }
        }
    }
}

/// Hands over the values that steps lead to from a place.
pub(crate) fn walk_steps<'a>(
    steps: &'a [Step],
    place: Place<'a>,
    see: &mut dyn FnMut(Place<'a>) -> bool,
) -> bool {
    let Some((step, rest)) = steps.split_first() else { return see(place) };
    let below = |token, node| Place { node, trail: place.trail.below(token), ..place };
    match step {
        Some(key) => {
            walk_steps(rest, below(PointerToken::Key(key), place.node.and_then(|node| node.get(key))), see)
        }
        // One value may be written without its list.
        None if place.node.is_some_and(|node| node.as_str().is_some()) => walk_steps(rest, place, see),
        None => {
            let mut items = place.node.map(Node::items).unwrap_or_default().iter().enumerate();
            items.all(|(at, item)| walk_steps(rest, below(PointerToken::Item(at), Some(item)), see))
        }
    }
}

/// The place that a pointer leads to.
pub(crate) fn place_of<'a>(root: &'a Node<'a>, pointer: &'a str) -> Place<'a> {
    let field = pointer.split('/').nth(1).unwrap_or_default();
    Place { node: root.at(pointer), trail: Trail::Written(pointer), field, role: "" }
}
