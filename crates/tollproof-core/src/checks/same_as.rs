//! `same_as`: a value that says the same as another field.

use super::Violation;
use crate::checks::context::Context;
use crate::finding::Related;
use crate::rule::check::SameAs;
use crate::suggest::bare;
use crate::syntax::document::Node;
use crate::syntax::message::Message;

pub(super) fn check(check: &SameAs, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let own = bare(text);
    let (name, other) = check.fields.iter().find_map(|name| {
        let other = context.root.get(name)?;
        (!own.is_empty() && bare(other.as_str()?) == own).then_some((name, other))
    })?;
    let related =
        vec![Related { file: None, span: Some(other.span), message: "the same stands here".into() }];
    Some(
        Violation { related, ..Violation::default() }
            .fill("value", text)
            .fill("other", Message::own(name.as_str())),
    )
}
