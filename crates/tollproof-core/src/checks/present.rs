//! `present`: a field that must be missing when the conditions of the rule are true.

use tollproof_data::checks::Present;

use crate::checks::{Context, Place, Violation, labelled};
use crate::syntax::document::Node;

pub(super) fn check(check: &Present, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str().unwrap_or_default();
    if check.together.is_empty() {
        return Some(Violation::default().fill("value", text));
    }
    let is_given = |node: &&Node<'_>| node.as_str().is_none_or(|text| !text.trim().is_empty());
    let given: Vec<&Node<'_>> =
        check.together.iter().filter_map(|it| context.node(it)).filter(is_given).collect();
    let is_first = given.first().is_some_and(|first| std::ptr::eq(*first, node));
    let spans = given.iter().map(|node| node.span).collect();
    let violation = labelled(spans).filter(|_| is_first)?;
    Some(Violation { span: None, ..violation }.fill("value", text))
}
