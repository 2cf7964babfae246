//! `email`: e-mail addresses.

use tollproof_data::checks::Email;

use crate::checks::{Context, Place, Violation};
use crate::provider::role;
use crate::syntax::message::Message;
use crate::validators::host;

pub(super) fn check(check: &Email, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    let trimmed = text.trim();
    let domain = context.mail_domain(text);
    let domain = match domain.as_ref() {
        Ok(domain) => domain,
        Err(reason) => {
            return check.malformed.then(|| Violation::default().fill("reason", Message::own(*reason)));
        }
    };
    let local = || trimmed.split('@').next().unwrap_or_default();
    let is_refused = !check.local_words.is_empty() && check.local_words.contain(local());
    if check.reserved && host::is_reserved(domain) || is_refused {
        return Some(Violation::default().fill("match", trimmed));
    }
    let entry = context.lists.host_entry(&check.hosts, domain)?;
    // Some e-mail providers are businesses too: their domain is not a free one if it is also their website.
    let site = context.field(role::CORPORATE_WEBSITE).and_then(|site| context.host_of(site));
    if site.as_deref().and_then(host::registrable) == host::registrable(domain) {
        return None;
    }
    let start = text.len() - text.trim_start().len() + trimmed.len() - domain.len();
    let span = context.inner(node, start..start + domain.len());
    Some(Violation::at(span).fill("match", entry))
}
