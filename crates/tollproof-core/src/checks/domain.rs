//! `domain`: the domains of e-mail addresses, as they were seen.

use tollproof_data::checks::Domain;
use tollproof_data::seen::{AddressUse, SeenOutcome};

use crate::checks::{Context, Place, Violation};

pub(super) fn check(check: &Domain, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let mut all = context.named_addresses().iter();
    let named = all.find(|address| address.used == AddressUse::Mail && address.is_in(node))?;
    let fact = context.fact(named)?;
    let is_reported = check.outcomes.contains(&fact.outcome);
    let lacks_server = || fact.outcome == SeenOutcome::Seen && fact.domain.is_some_and(|it| !it.mx);
    let is_reported = is_reported || check.without_mail_server && lacks_server();
    if !is_reported {
        return None;
    }
    let text = node.as_str()?;
    let start = text.rfind('@').map_or(0, |at| at + 1);
    let span = context.inner(node, start..text.trim_end().len().max(start));
    Some(Violation::at(span).fill("match", named.address.as_str()))
}
