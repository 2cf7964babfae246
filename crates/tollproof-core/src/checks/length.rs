//! `length`: how long a text is.

use super::Violation;
use crate::checks::context::Context;
use crate::rule::check::Length;
use crate::syntax::document::Node;
use crate::syntax::message::Message;

pub(super) fn check(check: &Length, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    if text.len() <= check.max {
        return None;
    }
    let (end, _) = text.char_indices().nth(check.max)?;
    let count = text.chars().count();
    let violation = Violation::at(context.inner(node, end..text.len()));
    Some(
        violation
            .fill("count", Message::own(count.to_string()))
            .fill("max", Message::own(check.max.to_string())),
    )
}
