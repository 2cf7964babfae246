//! `repeated`: a list that contains an item more than once.

use crate::checks::{Context, Place, Violation, labelled};

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let items = context.kind.items(node, place.role);
    let text = |at: usize| items[at].as_str().map(str::trim).filter(|text| !text.is_empty());
    let again = |at: &usize| text(*at).is_some_and(|it| (0..*at).any(|before| text(before) == Some(it)));
    // The comparison is quadratic, so it is limited. A real list of evidence has a handful of items, and
    // another rule reports longer lists.
    let repeated: Vec<usize> = (0..items.len().min(200)).filter(again).collect();
    let value = text(*repeated.first()?)?;
    let violation = labelled(repeated.iter().map(|&at| items[at].span).collect())?;
    Some(violation.fill("value", value))
}
