//! `brand`: the name of the business in a text.

use super::Violation;
use crate::checks::context::Context;
use crate::rule::check::Brand;
use crate::syntax::document::Node;

pub(super) fn check(check: &Brand, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    // Of a name that is no text nothing can be missing: its own rule speaks.
    if context.root.get("businessName").is_some_and(|name| name.as_str().is_none()) {
        return None;
    }
    let brand = context.brand();
    let scan = context.scan(text);
    let is_wrong = if check.only_in_link {
        brand.is_in_link(text, &scan) && !brand.is_in_words(&scan)
    } else {
        !brand.is_unknown() && !brand.is_in(text, &scan)
    };
    is_wrong.then(|| Violation::default().fill("value", text))
}
