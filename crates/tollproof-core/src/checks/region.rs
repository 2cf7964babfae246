//! `state-abbreviation`, `state-or-province`, `postal-code-format`, `postal-code-region`: states, provinces and postal codes.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::postal;
use tollproof_data::tables::regions::{self, Region};

use crate::checks::address::{WithZero, lost_zero, name, north_american, unit};
use crate::checks::require::either;
use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Safety};
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// `state-abbreviation`: a state or province that is abbreviated, or not written as the provider wants it.
pub(super) fn state_abbreviation(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?.trim();
    let letters = || text.chars().filter(|letter| letter.is_alphanumeric());
    let is_short = text.contains('.') || letters().count() <= MAX_ABBREVIATION;
    let form = context.kind.form(place.role);
    if form != Some(Form::Code) && (!is_short || form.is_none() && text.len() == 2) {
        return None;
    }
    let region = region(text, context)?;
    let is_written = |form: &str| letters().collect::<String>().eq_ignore_ascii_case(&form.replace(' ', ""));
    let (is_right, wanted, safety) = match form {
        Some(Form::Code) => (text == region.code, region.code, Safety::Safe),
        Some(Form::Name) => (is_written(region.name), region.name, Safety::Safe),
        _ => (is_written(region.code) || is_written(region.name), region.code, Safety::Unsafe),
    };
    if is_right {
        return None;
    }
    let violation = Violation::default();
    let violation = violation.fill("state", Message::own(region.name));
    let violation = violation.fill("code", Message::name(region.code));
    let violation = violation.rewrite(context, node, wanted, safety);
    let noun = match form {
        Some(Form::Code) => "the two-letter code",
        Some(Form::Name) => "the full name",
        _ => return Some(violation),
    };
    let provider = Message::own(context.kind.provider().title());
    let message = Some(message!("{} wants {} of the state, not `{}`", provider, Message::own(noun), text));
    let help = Some(message!("Write `{}`.", Message::name(wanted)));
    Some(Violation { message, help, ..violation })
}

/// The state or province that a text means.
fn region(text: &str, context: &Context<'_>) -> Option<&'static Region> {
    match context.country() {
        Some(country @ ("US" | "CA")) => regions::find(country, text),
        _ => None,
    }
}

/// The maximum length of an abbreviation without a dot. A longer value is probably a name, perhaps in another
/// language.
const MAX_ABBREVIATION: usize = 5;

/// `state-or-province`: a value that is not a state or province of its country.
pub(super) fn state_or_province(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    // Territories are not checked: their addresses have a municipality in this field.
    let country = context.country().filter(|country| matches!(*country, "US" | "CA"))?;
    regions::find(country, text)
        .is_none()
        .then(|| Violation::default().fill("where", Message::own(unit(country))))
}

/// `postal-code-format`: a value that is not a postal code of its country.
pub(super) fn postal_code_format(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let country = north_american(context)?;
    match lost_zero(text, context) {
        Some(lost) => Some(without_zero(lost, node, text, context)),
        None => postal_code(text, country),
    }
}

/// Reports a postal code with an invalid form, or with a prefix that is not in use.
fn postal_code(text: &str, country: &str) -> Option<Violation> {
    let (is_known, shape) = if country == "US" {
        let prefix = postal::parse_zip(text);
        if prefix.is_some_and(|prefix| postal::zip_states(prefix).is_empty()) {
            let start = text.trim().get(..3).unwrap_or_default();
            let message = Some(message!("no ZIP code begins with `{}`", start));
            let help = "Write the ZIP code of the address. The first three digits must be in use.";
            return Some(Violation { message, help: Some(help.into()), ..Violation::default() });
        }
        (prefix.is_some(), "12345 or 12345-6789, with leading zeros")
    } else {
        let is_known = postal::parse_postal_code(text).is_some();
        (is_known, "A1A 1A1, with alternating letters and digits, without D, F, I, O, Q and U")
    };
    (!is_known).then(|| {
        Violation::default().fill("where", Message::own(name(country))).fill("shape", Message::own(shape))
    })
}

/// Reports a ZIP code that lost its leading zeros.
fn without_zero(lost: WithZero, node: &Node<'_>, text: &str, context: &Context<'_>) -> Violation {
    let WithZero { zip, state } = lost;
    let message = Some(message!("`{}` has lost its leading zero: ZIP codes have five digits", text.trim()));
    let help = Some(message!("Write `{}`: in {} ZIP codes begin with a zero.", zip, Message::own(state)));
    Violation { message, help, ..Violation::default().rewrite(context, node, &zip, Safety::Unsafe) }
}

/// `postal-code-region`: a postal code of another state or province.
pub(super) fn postal_code_region(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let country = north_american(context)?;
    let state = context.node(role::BUSINESS_STATE)?;
    let region = regions::find(country, state.as_str()?)?;
    let places = match country {
        "US" => postal::zip_states(postal::parse_zip(text)?),
        _ => postal::postal_provinces(&postal::parse_postal_code(text)?),
    };
    if places.is_empty() || places.contains(&region.code) {
        return None;
    }
    let there = places.iter().filter_map(|code| regions::find(country, code));
    let there = either(there.map(|region| Message::own(region.name)));
    let message = message!("this is {}", Message::own(region.name));
    let related = vec![Related::here(state.span, message)];
    Some(
        Violation { related, ..Violation::default() }
            .fill("where", there)
            .fill("state", Message::own(region.name)),
    )
}
