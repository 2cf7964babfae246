//! `absent`: a field that is not there.

use super::{Place, Violation};
use crate::checks::context::Context;
use crate::provider::schema::field_names;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    // A field that the kind does not have cannot be missed.
    let belongs = field_names(context.kind).any(|name| name == place.field);
    (place.node.is_none() && belongs).then(Violation::default)
}
