//! `registration-number`: a number that does not fit its kind of business registration.

use tollproof_data::checks::RegistrationNumber;
use tollproof_data::tables::{countries, registration};

use crate::checks::{Context, Place, Violation};
use crate::syntax::message::Message;

pub(super) fn check(
    check: &RegistrationNumber,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let number = place.node?.as_str()?.trim();
    let written = context.field(&check.kind)?.trim();
    let country = context.field(&check.country).and_then(countries::alpha2_of);
    let reason = registration::find(written)?.fault(number, country).filter(|_| !number.is_empty())?;
    let violation = Violation::default().fill("value", number).fill("type", written);
    Some(violation.fill("reason", Message::own(reason)))
}
