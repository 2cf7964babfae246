//! `registration-country`, `registration-number`: kinds of business registrations, and their numbers.

use tollproof_data::checks::{RegistrationCountry, RegistrationNumber};
use tollproof_data::provider::forms::Form;
use tollproof_data::tables::{countries, regions, registration};

use crate::checks::require::either;
use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Safety, Severity};
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
    let is_territory = regions::is_territory(country);
    let is_strict = is_territory || check.listed_only.contain(context.kind.provider().name());
    if kind.is_listed_in(country) || !is_strict && kind.exists_in(country) {
        return None;
    }
    let message = "this kind of registration".into();
    let related = vec![Related::here(kind_node.span, message)];
    let violation = Violation { related, ..Violation::default() }
        .fill("type", written.trim())
        .fill("where", either(kind.places().map(Message::own)))
        .fill("country", Message::own(countries::name_in_sentence(country).unwrap_or_default()));
    // The businesses of a territory get their numbers from the United States.
    if !kind.exists_in(country) || !is_territory {
        return Some(violation);
    }
    let wanted = if context.kind.form(place.role) == Some(Form::Alpha3) { "USA" } else { "US" };
    let help = Some(message!(
        "The Internal Revenue Service (IRS) of the United States issues this number, so reviewers look it up there: write `{}`.",
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
    // No provider states the form of these numbers.
    let severity = kind.is_unpublished().then_some(Severity::Warning);
    let violation = Violation { severity, ..Violation::default() }
        .fill("value", number)
        .fill("type", written)
        .fill("reason", Message::own(reason));
    Some(match kind.written(number).filter(|right| kind.fault(right, country).is_none()) {
        Some(right) => violation.rewrite(context, node, &right, Safety::Unsafe),
        None => violation,
    })
}
