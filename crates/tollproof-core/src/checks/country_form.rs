//! `country-form`: a country that is not written as the provider wants it.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::{countries, regions};

use crate::checks::{Context, Place, Violation};
use crate::finding::{Safety, Severity};
use crate::syntax::message::{Message, message};

/// Whether a text is already in the wanted notation.
type IsRight = fn(&str) -> bool;
/// A country, by its alpha-2 code, in the wanted notation.
type Write = fn(&str) -> Option<&'static str>;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let form = context.kind.form(place.role)?;
    let (noun, length, is_right, write): (&'static str, Option<usize>, IsRight, Write) = match form {
        Form::Alpha2 => ("two-letter country code", Some(2), countries::is_alpha2, countries::code_of),
        Form::Alpha3 => ("three-letter country code", Some(3), countries::is_alpha3, countries::alpha3_of),
        Form::Name => ("English name of a country", None, countries::is_name, countries::name_of),
        Form::Code | Form::E164 | Form::Digits => return None,
    };
    let name = text.trim();
    if is_right(text) || name.is_empty() {
        return None;
    }
    let violation = Violation::default()
        .fill("value", name)
        .fill("form", Message::own(noun))
        .fill("provider", Message::own(context.kind.provider().title()));
    let Some(country) = countries::alpha2_of(text) else {
        // A code of the right length is one of an unknown country, and so is an unknown name.
        let letters = name.chars().count();
        let is_unknown = length.is_none_or(|length| (2..=length).contains(&letters));
        return (!is_unknown).then_some(violation);
    };
    let wanted = write(country)?;
    // Providers that prefer three letters accept two.
    let is_accepted = form == Form::Alpha3 && countries::is_alpha2(text);
    let is_same = name.eq_ignore_ascii_case(wanted);
    let severity = match (is_accepted, is_same) {
        (true, _) => Some(Severity::Info),
        (_, true) => Some(Severity::Warning),
        _ => None,
    };
    // Georgia is a country and a US state.
    let is_state = name.len() > 2 && regions::find("US", name).is_some();
    let safety = if is_state { Safety::Unsafe } else { Safety::Safe };
    let help = Some(message!("Write `{}`.", Message::name(wanted)));
    let violation = Violation { severity, help, ..violation.rewrite(context, node, wanted, safety) };
    Some(violation.around(node, wanted))
}
