//! `repeated`: items of a list that stand in it twice.

use super::{Defect, labelled};
use crate::syntax::document::Node;

pub(super) fn look(node: &Node<'_>) -> Option<Defect> {
    let items = node.items();
    let text = |at: usize| items[at].as_str().map(str::trim).filter(|text| !text.is_empty());
    let again = |at: &usize| text(*at).is_some_and(|it| (0..*at).any(|before| text(before) == Some(it)));
    // A list of evidence has a handful of items; one of thousands is another rule's business.
    let repeated: Vec<usize> = (0..items.len().min(200)).filter(again).collect();
    let value = text(*repeated.first()?)?;
    let defect = labelled(repeated.iter().map(|&at| items[at].span).collect())?;
    Some(defect.fill("value", value))
}
