//! `registration-country`, `registration-number`: kinds of business registrations, and their numbers.

use tollproof_data::checks::{RegistrationCountry, RegistrationNumber};
use tollproof_data::provider::forms::Form;
use tollproof_data::tables::{countries, regions, registration};

use crate::checks::require::either;
use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Safety};
use crate::syntax::message::{Message, message};

/// `registration-country`: a kind of business registration that the country does not have.
pub(super) fn registration_country(
    check: &RegistrationCountry,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let (node, text) = place.text()?;
    let country = countries::alpha2_of(text)?;
    let kind_node = context.node(&check.kind)?;
    let written = kind_node.as_str()?;
    let kind = registration::find(written)?;
    let is_right = if check.listed_only.contain(context.kind.provider().name()) {
        kind.is_listed_in(country)
    } else {
        kind.exists_in(country)
    };
    if is_right {
        return None;
    }
    let message = "this kind of registration".into();
    let related = vec![Related::here(kind_node.span, message)];
    let violation = Violation { related, ..Violation::default() }
        .fill("type", written.trim())
        .fill("where", either(kind.places().map(Message::own)))
        .fill("country", Message::own(countries::name_in_sentence(country).unwrap_or_default()));
    // A territory has the registrations of the United States, where the provider lists them under that country alone.
    if !kind.exists_in(country) || !regions::is_territory(country) {
        return Some(violation);
    }
    let wanted = if context.kind.form(place.role) == Some(Form::Alpha3) { "USA" } else { "US" };
    let help = Some(message!(
        "There, the United States issues the registration number: write `{}`.",
        Message::name(wanted)
    ));
    Some(Violation { help, ..violation.rewrite(context, node, wanted, Safety::Unsafe) })
}

/// `registration-number`: a number that does not fit its kind of business registration.
pub(super) fn registration_number(
    check: &RegistrationNumber,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Violation> {
    let node = place.node?;
    let number = node.as_str()?.trim();
    let written = context.field(&check.kind)?.trim();
    let country = context.field(&check.country).and_then(countries::alpha2_of);
    let kind = registration::find(written)?;
    let reason = kind.fault(number, country).filter(|_| !number.is_empty())?;
    let violation =
        Violation::default().fill("value", number).fill("type", written).fill("reason", Message::own(reason));
    Some(match kind.written(number).filter(|right| kind.fault(right, country).is_none()) {
        Some(right) => violation.rewrite(context, node, &right, Safety::Unsafe),
        None => violation,
    })
}
