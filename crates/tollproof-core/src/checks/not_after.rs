//! `not_after`: a time that lies after one that cannot be earlier.

use jiff::Timestamp;

use super::Violation;
use crate::checks::context::Context;
use crate::finding::Related;
use crate::rule::check::NotAfter;
use crate::syntax::document::Node;

pub(super) fn check(check: &NotAfter, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let time = |node: &Node<'_>| node.as_str()?.trim().parse::<Timestamp>().ok();
    let other = context.root.get(&check.field)?;
    (time(node)? > time(other)?).then(|| {
        let related = Related { file: None, span: Some(other.span), message: "this is earlier".into() };
        let violation = Violation { related: vec![related], ..Violation::default() };
        violation
            .fill("value", node.as_str().unwrap_or_default())
            .fill("other", other.as_str().unwrap_or_default())
    })
}
