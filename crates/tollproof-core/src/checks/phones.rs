//! `phone-format`, `phone-e164`, `fictional-phone` and `toll-free`: the phone number of a person.

use tollproof_data::provider::forms::Form;
use tollproof_data::tables::area_codes::Area;

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;
use crate::syntax::message::Message;

/// A value that is not a phone number.
pub(super) fn malformed(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let reason = *context.phone(text).as_ref().as_ref().err()?;
    let digits = text.strip_prefix('+').unwrap_or_default();
    let is_written_so = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let help = is_written_so
        .then(|| "Compare it with the number itself: a digit is wrong, missing or too many.".into());
    Some(Violation { help, ..Violation::default() }.fill("reason", Message::own(reason)))
}

/// A phone number in another notation than E.164.
pub(super) fn not_e164(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let read = context.phone(text);
    let number = read.as_ref().as_ref().ok()?;
    // Some providers want the same number without its `+`.
    let is_bare = context.kind.form(place.role) == Some(Form::Digits);
    if !number.is_certain || number.e164 == text || is_bare && number.e164.strip_prefix('+') == Some(text) {
        return None;
    }
    // The ten digits of a US or Canadian number are unambiguous; a person should check any other number.
    let safety = if number.area.is_some() { Safety::Safe } else { Safety::Unsafe };
    let violation = Violation::default().fill("e164", number.e164.as_str());
    Some(violation.rewrite(context, node, &number.e164, safety).around(node, &number.e164))
}

/// A fictional number, or a placeholder.
pub(super) fn fictional(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let read = context.phone(text);
    // The ten digits of a number of the North American Numbering Plan.
    let number = read.as_ref().as_ref().ok().filter(|number| number.area.is_some())?;
    let national = number.e164.strip_prefix("+1")?;
    let fiction = &national[3..6] == "555" && &national[6..8] == "01";
    let one_digit = national[3..].bytes().all(|it| it == national.as_bytes()[3]);
    let row = national.ends_with("5551234") || national.ends_with("1234567");
    (fiction || one_digit || row).then(Violation::default)
}

/// A toll-free number where the number of a person is required.
pub(super) fn toll_free(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    let read = context.phone(text);
    let area = read.as_ref().as_ref().ok()?.area;
    (area == Some(Area::TollFree)).then(Violation::default)
}
