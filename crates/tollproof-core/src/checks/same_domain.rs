//! `same-domain`: a domain that differs from the domain of another field.

use tollproof_data::checks::SameDomain;

use crate::checks::{Context, Place, Violation};
use crate::finding::Related;
use crate::syntax::message::message;
use crate::validators::{host, url};

pub(super) fn check(check: &SameDomain, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let text = node.as_str()?;
    let own = context.mail_domain(text).as_ref().clone().ok().or_else(|| url::host_of(text))?;
    let other_node = context.node(&check.other)?;
    let other = context.host_of(other_node.as_str()?)?;
    let (ascii, other) = (host::ascii(&own), host::ascii(&other));
    let (own_domain, other_domain) = (host::registrable(&ascii)?, host::registrable(&other)?);
    if own_domain == other_domain {
        return None;
    }
    let local = text.split('@').next().filter(|local| local.len() < text.len());
    let brand = context.brand();
    let labels = host::site_label(&own).into_iter().chain(local);
    if labels.into_iter().any(|label| brand.is_like(label)) {
        return None;
    }
    let start = text.find(&own).unwrap_or_else(|| text.rfind('@').map_or(0, |at| at + 1));
    let span = context.inner(node, start..text.trim_end().len());
    let message = message!("the website is on {}", other_domain);
    let related = vec![Related { file: None, span: Some(other_node.span), place: None, message }];
    Some(Violation { related, ..Violation::at(span) }.fill("match", own_domain).fill("other", other_domain))
}
