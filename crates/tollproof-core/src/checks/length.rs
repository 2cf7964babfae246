//! `length`: a text that is too long.

use tollproof_data::checks::Length;
use tollproof_data::provider::schema::shape::Shape;

use crate::checks::{Context, Place, Violation};
use crate::syntax::message::Message;

pub(super) fn check(check: &Length, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    if text.len() <= check.max {
        return None;
    }
    // Where the provider has a limit of its own, that one counts.
    let shape = context.shape_at(place);
    if matches!(shape, Some(Shape::Text(text)) if text.max.is_some()) {
        return None;
    }
    let (end, _) = text.char_indices().nth(check.max)?;
    let count = text.chars().count();
    let violation = Violation::at(context.inner(node, end..text.len()));
    Some(
        violation
            .fill("count", Message::name(count.to_string()))
            .fill("max", Message::name(check.max.to_string())),
    )
}
