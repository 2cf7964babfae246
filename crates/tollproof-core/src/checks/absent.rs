//! `absent`: a field that is not there.

use super::{Defect, Place};
use crate::checks::context::Context;

pub(super) fn look(place: &Place<'_>, context: &Context<'_>) -> Option<Defect> {
    // A field that the kind does not have cannot be missed.
    let belongs = context.kind.has(place.role);
    (place.node.is_none() && belongs).then(Defect::default)
}
