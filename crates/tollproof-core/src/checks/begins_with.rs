//! `begins-with`: a text that begins with certain characters.

use tollproof_data::checks::begins_with::BeginsWith;

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation};

pub(super) fn check(check: &BeginsWith, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let trimmed = text.trim_start();
    let start = check.any_of.iter().find(|it| !it.is_empty() && trimmed.starts_with(it.as_str()))?;
    let at = text.len() - trimmed.len();
    let range = at..at + start.len();
    marked(Vec::from([range]), text, node, context)
}
