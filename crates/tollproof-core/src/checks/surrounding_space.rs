//! `surrounding-space`: spaces and line breaks at the beginning or end of a text.

use crate::checks::{Context, Place, Violation};
use crate::finding::Safety;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let trimmed = text.trim();
    if trimmed.len() == text.len() || trimmed.is_empty() {
        return None;
    }
    Some(Violation::default().rewrite(context, node, trimmed, Safety::Safe))
}
