//! `brand`: a text that must contain the name of the business.

use tollproof_data::checks::Brand;

use crate::checks::url::is_sender;
use crate::checks::{Context, Place, Violation};
use crate::provider::role;

pub(super) fn check(check: &Brand, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (_, text) = place.text()?;
    // If the name of the business is not a string, another rule reports it, and no name can be searched for.
    if context.node(role::BUSINESS_NAME).is_some_and(|name| name.as_str().is_none()) {
        return None;
    }
    let brand = context.brand();
    let scan = context.scan(text);
    let is_wrong = if check.only_in_link {
        let names_sender = |(range, address): &(_, _)| is_sender(text, range, address, context);
        !brand.is_in_words(&scan)
            && brand.is_in_link(text, &scan)
            && !scan.addresses(text).iter().any(names_sender)
    } else {
        !brand.is_unknown() && !brand.is_in(text, &scan)
    };
    is_wrong.then(Violation::default)
}
