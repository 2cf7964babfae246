//! `state-or-province`: a value that is not a state or province of its country.

use tollproof_data::tables::regions;

use crate::checks::address::unit;
use crate::checks::{Context, Place, Violation};
use crate::syntax::message::Message;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    // Territories are not checked: their addresses have a municipality in this field.
    let country = context.country().filter(|it| matches!(*it, "US" | "CA"))?;
    regions::find(country, text)
        .is_none()
        .then(|| Violation::default().fill("where", Message::own(unit(country))))
}
