//! `not-after`, `same-as`, `same-domain`: values compared with another field.

use jiff::Timestamp;
use tollproof_data::checks::{NotAfter, SameAs, SameDomain};
use tollproof_data::suggest::is_same_name;

use crate::checks::{Context, Place, Violation};
use crate::finding::{Related, Severity};
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};
use crate::validators::{host, url};

/// `not-after`: a time that is later than the time in another field.
pub(super) fn not_after(check: &NotAfter, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let time = |node: &Node<'_>| node.as_str()?.trim().parse::<Timestamp>().ok();
    let other = context.node(&check.field)?;
    (time(node)? > time(other)?).then(|| {
        let related = Related::here(other.span, "this is earlier".into());
        let violation = Violation { related: vec![related], ..Violation::default() };
        violation
            .fill("value", node.as_str().unwrap_or_default())
            .fill("other", other.as_str().unwrap_or_default())
    })
}

/// `same-as`: a value that repeats another field.
pub(super) fn same_as(check: &SameAs, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (_, text) = place.text()?;
    let (name, other) = check.fields.iter().find_map(|name| {
        let other = context.node(name)?;
        let is_same = is_same_name(text, other.as_str()?) && text.contains(char::is_alphanumeric);
        is_same.then_some((name, other))
    })?;
    let related = vec![Related::here(other.span, "the same value".into())];
    Some(Violation { related, ..Violation::default() }.fill("other", Message::name(name.as_str())))
}

/// `same-domain`: a domain that differs from the domain of another field.
pub(super) fn same_domain(check: &SameDomain, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
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
    let related = vec![Related::here(other_node.span, message)];
    let severity = context.explains(own_domain).then_some(Severity::Info);
    Some(
        Violation { related, severity, ..Violation::at(span) }
            .fill("match", own_domain)
            .fill("other", other_domain),
    )
}
