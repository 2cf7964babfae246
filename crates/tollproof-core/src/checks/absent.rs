//! `absent`: a field that is missing.

use crate::checks::{Context, Place, Violation};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    // A field that the kind does not have cannot be missing.
    let belongs = context.kind.has(place.role);
    (place.node.is_none() && belongs).then(Violation::default)
}
