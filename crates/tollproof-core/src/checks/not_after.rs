//! `not-after`: a time that is later than the time in another field.

use jiff::Timestamp;
use tollproof_data::checks::NotAfter;

use crate::checks::{Context, Place, Violation};
use crate::finding::Related;
use crate::syntax::document::Node;

pub(super) fn check(check: &NotAfter, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let time = |node: &Node<'_>| node.as_str()?.trim().parse::<Timestamp>().ok();
    let other = context.node(&check.field)?;
    (time(node)? > time(other)?).then(|| {
        let related =
            Related { file: None, span: Some(other.span), place: None, message: "this is earlier".into() };
        let violation = Violation { related: vec![related], ..Violation::default() };
        violation
            .fill("value", node.as_str().unwrap_or_default())
            .fill("other", other.as_str().unwrap_or_default())
    })
}
