//! `known-value`: a value outside a list that is known to be incomplete.

use tollproof_data::checks::KnownValue;
use tollproof_data::suggest::nearest;

use crate::checks::{Context, Place, Violation};
use crate::provider::kind::Provider;
use crate::provider::{aliases, role};
use crate::syntax::message::{Message, message};

pub(super) fn check(check: &KnownValue, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let value = node.as_str()?;
    if place.role == role::STATUS && !context.kind.is_default_provider() {
        return unknown_status(value, context.kind.provider());
    }
    if check.values.iter().any(|known| word(known) == word(value)) {
        return None;
    }
    let near = aliases::value(value, &check.values);
    let near = near.or_else(|| nearest(value, check.values.iter().map(String::as_str)));
    let hint = near.map(|near| message!("Did you mean `{}`? ", Message::name(near))).unwrap_or_default();
    let message = value.trim().is_empty().then(|| message!("`{}` is empty", Message::name(place.field)));
    Some(Violation { message, ..Violation::default() }.fill("nearest", hint))
}

/// The status of a record that its provider's list lacks.
fn unknown_status(value: &str, provider: Provider) -> Option<Violation> {
    let title = Message::own(provider.title());
    let help = message!("The list of statuses of {} lacks it, and tollproof treats it as open.", title);
    let violation = Violation { help: Some(help), ..Violation::default() };
    let violation = violation.fill("nearest", Message::default());
    (!provider.knows_status(value)).then_some(violation)
}

/// The key for comparing values: lower case, without whitespace, underscores and hyphens. Other characters are
/// significant.
fn word(text: &str) -> String {
    let kept =
        text.chars().filter(|&character| !character.is_whitespace() && character != '_' && character != '-');
    kept.flat_map(char::to_lowercase).collect()
}
