//! `email`: e-mail addresses.

use super::Defect;
use crate::context::Context;
use crate::document::Node;
use crate::plausible::mail;
use crate::rule::check::Email;

pub(super) fn look(check: &Email, node: &Node<'_>, context: &Context<'_>) -> Option<Defect> {
    let text = node.as_str()?;
    let trimmed = text.trim();
    let domain = match mail::domain_of(trimmed) {
        Ok(domain) => domain,
        Err(reason) => return check.malformed.then(|| Defect::default().fill("value", text).fill("reason", reason)),
    };
    let entry = context.lists.host_entry(&check.hosts, &domain)?;
    let start = text.len() - text.trim_start().len() + trimmed.len() - domain.len();
    let span = context.inner(node, start..start + domain.len());
    Some(Defect::at(span).fill("value", text).fill("match", entry))
}
