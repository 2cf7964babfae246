//! `repeated`: items of a list that stand in it twice.

use super::{Violation, labelled};
use crate::syntax::document::Node;

pub(super) fn check(node: &Node<'_>) -> Option<Violation> {
    let items = node.items();
    let text = |at: usize| items[at].as_str().map(str::trim).filter(|text| !text.is_empty());
    let again = |at: &usize| text(*at).is_some_and(|it| (0..*at).any(|before| text(before) == Some(it)));
    // A list of evidence has a handful of items; one of thousands is another rule's business.
    let repeated: Vec<usize> = (0..items.len().min(200)).filter(again).collect();
    let value = text(*repeated.first()?)?;
    let violation = labelled(repeated.iter().map(|&at| items[at].span).collect())?;
    Some(violation.fill("value", value))
}
