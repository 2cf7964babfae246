//! `brand`: the name of the business in a text.

use super::Defect;
use crate::checks::context::Context;
use crate::rule::check::Brand;
use crate::syntax::document::Node;

pub(super) fn look(check: &Brand, node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let text = node.as_str()?;
    // Of a name that is no text nothing can be missing: its own rule speaks.
    if context.root.get("businessName").is_some_and(|name| name.as_str().is_none()) {
        return None;
    }
    let brand = context.brand();
    let scan = context.scan(text);
    let defective = if check.only_in_link {
        brand.is_in_link(text, &scan) && !brand.is_in_words(&scan)
    } else {
        !brand.is_unknown() && !brand.is_in(text, &scan)
    };
    defective.then(|| Defect::default().fill("value", text))
}
