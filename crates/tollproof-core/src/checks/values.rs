//! `absent`, `begins-with`, `present`, `repeated`, `surrounding-space`: fields that are missing or given, and the form of lists and texts.

use tollproof_data::checks::BeginsWith;
use tollproof_data::checks::Present;

use crate::checks::violation::marked;
use crate::checks::{Context, Place, Violation, labelled};
use crate::finding::Safety;
use crate::syntax::document::Node;

/// `absent`: a field that is missing.
pub(super) fn absent(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    // A field that the kind does not have cannot be missing.
    let belongs = context.kind.has(place.role);
    (place.node.is_none() && belongs).then(Violation::default)
}

/// `begins-with`: a text that begins with certain characters.
pub(super) fn begins_with(check: &BeginsWith, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let trimmed = text.trim_start();
    let start = check.any_of.iter().find(|start| !start.is_empty() && trimmed.starts_with(start.as_str()))?;
    let at = text.len() - trimmed.len();
    let range = at..at + start.len();
    marked(Vec::from([range]), text, node, context)
}

/// `present`: a field that must be missing when the conditions of the rule are true.
pub(super) fn present(check: &Present, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str().unwrap_or_default();
    if check.together.is_empty() {
        return Some(Violation::default().fill("value", text));
    }
    let is_given = |node: &&Node<'_>| node.as_str().is_none_or(|text| !text.trim().is_empty());
    let given: Vec<&Node<'_>> =
        check.together.iter().filter_map(|role| context.node(role)).filter(is_given).collect();
    let is_first = given.first().is_some_and(|first| std::ptr::eq(*first, node));
    let spans = given.iter().map(|node| node.span).collect();
    let violation = labelled(spans).filter(|_| is_first)?;
    Some(Violation { span: None, ..violation }.fill("value", text))
}

/// `repeated`: a list that contains an item more than once.
pub(super) fn repeated(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let items = context.kind.items(node, place.role);
    let text = |at: usize| items[at].as_str().map(str::trim).filter(|text| !text.is_empty());
    let again =
        |at: &usize| text(*at).is_some_and(|given| (0..*at).any(|before| text(before) == Some(given)));
    // The comparison is quadratic, so it is limited. A real list of evidence has a handful of items, and
    // another rule reports longer lists.
    let repeated: Vec<usize> = (0..items.len().min(200)).filter(again).collect();
    let value = text(*repeated.first()?)?;
    let violation = labelled(repeated.iter().map(|&at| items[at].span).collect())?;
    Some(violation.fill("value", value))
}

/// `surrounding-space`: spaces and line breaks at the beginning or end of a text.
pub(super) fn surrounding_space(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let trimmed = text.trim();
    if trimmed.len() == text.len() || trimmed.is_empty() {
        return None;
    }
    Some(Violation::default().rewrite(context, node, trimmed, Safety::Safe))
}
