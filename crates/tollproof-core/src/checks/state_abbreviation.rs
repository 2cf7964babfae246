//! `state-abbreviation`: a state or province that is abbreviated, or not written as the provider wants it.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::regions::{self, Region};

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::syntax::message::{Message, message};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?.trim();
    let letters = || text.chars().filter(|it| it.is_alphanumeric());
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
