//! `email`: e-mail addresses.

use super::Violation;
use crate::checks::context::Context;
use crate::rule::check::Email;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::validators::{email, host};

pub(super) fn check(check: &Email, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let trimmed = text.trim();
    let domain = match email::domain_of(trimmed) {
        Ok(domain) => domain,
        Err(reason) => {
            return check
                .malformed
                .then(|| Violation::default().fill("value", text).fill("reason", Message::own(reason)));
        }
    };
    let local = trimmed.split('@').next().unwrap_or_default();
    if check.reserved && host::is_reserved(&domain) || check.local_words.contain(local) {
        return Some(Violation::default().fill("value", text).fill("match", trimmed));
    }
    // Some providers of mail are businesses too: on their own website their domain is not a free one.
    let site = context.field("corporateWebsite").and_then(|site| context.host_of(site));
    if site.as_deref().and_then(host::registrable) == host::registrable(&domain) {
        return None;
    }
    let entry = context.lists.host_entry(&check.hosts, &domain)?;
    let start = text.len() - text.trim_start().len() + trimmed.len() - domain.len();
    let span = context.inner(node, start..start + domain.len());
    Some(Violation::at(span).fill("value", text).fill("match", entry))
}
