//! `absent`: a field that is not there.

use super::{Defect, Place};
use crate::checks::context::Context;
use crate::provider::schema::field_names;

pub(super) fn look(place: &Place<'_>, context: &Context<'_>) -> Option<Defect> {
    // A field that the kind does not have cannot be missed.
    let belongs = field_names(context.kind).any(|name| name == place.field);
    (place.node.is_none() && belongs).then(Defect::default)
}
