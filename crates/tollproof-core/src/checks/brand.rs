//! `brand`: the name of the business in a text.

use super::Defect;
use crate::context::Context;
use crate::document::Node;

pub(super) fn look(node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let text = node.as_str()?;
    let brand = context.brand();
    (!brand.is_unknown() && !brand.is_in(text, &context.scan(text)))
        .then(|| Defect::default().fill("value", text))
}
