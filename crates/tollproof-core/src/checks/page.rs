//! `page`: pages that the draft names, as they were seen.

use smallvec::SmallVec;
use tollproof_data::checks::page::Pages;
use tollproof_data::seen::{AddressUse, PageSign};
use url::Url;

use super::named_address::NamedAddress;
use super::page_finding::{MAX_COMPARED, MIN_WORDS, at, reason};
use super::{page_consent, page_sharing};
use crate::checks::{Context, Place, Violation};
use crate::facts::seen::PageSeen;
use crate::finding::Severity;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::validators::host;

/// A page with fewer words has no text.
const MIN_TEXT: u32 = 4;

/// The fewest words of a page that is seen without its scripts and judged by what it does not show.
const MIN_SHOWN: u32 = 60;

/// The number of shown names.
const NAMES_SHOWN: usize = 3;

pub(super) fn check(check: &Pages, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    let all = context.named_addresses().iter();
    let here: SmallVec<[&NamedAddress; 4]> =
        all.filter(|address| check.of.contains(&address.used) && address.is_in(node)).collect();
    if here.is_empty() {
        return None;
    }
    here.iter()
        .find_map(|named| of_one(check, (named, node), context))
        .or_else(|| page_consent::check(check, (&here, node), context))
}

/// Finds the problem of one page.
fn of_one(
    check: &Pages,
    (named, node): (&NamedAddress, &Node<'_>),
    context: &Context<'_>,
) -> Option<Violation> {
    let fact = context.fact(named)?;
    let at = || at(named, node, context);
    if check.outcomes.contains(&fact.outcome) && !is_reported_for_website(named, context) {
        let violation = at().fill("reason", reason(fact));
        let severity = named.is_linked.then_some(Severity::Warning);
        return Some(Violation { severity, ..violation });
    }
    let page = fact.seen_page()?;
    if let Some(sign) = check.signs.iter().find(|it| page.signs.contains(it)) {
        return (!is_reported_for_website(named, context)).then(|| at().fill("match", words(*sign)));
    }
    if !page.signs.is_empty() {
        return None;
    }
    if check.blank && page.words < MIN_TEXT && page.forms.is_empty() {
        return Some(at().fill("match", "a page without text"));
    }
    if check.other_business
        && let Some(names) = other_names(page, context)
    {
        return Some(at().fill("match", names.as_str()));
    }
    if check.unnamed && is_unnamed((page, named), context) {
        return Some(at());
    }
    if let Some(policy) = check.missing_link {
        let is_named = context.named_addresses().iter().any(|it| it.used == policy);
        return (page.words >= MIN_WORDS && !is_named).then(at);
    }
    page_consent::boxes(check, page, &at, context)
        .or_else(|| page_consent::unlike_draft(check, page, &at, context))
        .or_else(|| page_sharing::check(check, page, &at, context))
}

/// Whether a rule about the website reports the same page.
fn is_reported_for_website(named: &NamedAddress, context: &Context<'_>) -> bool {
    let is_it = |it: &&NamedAddress| it.used == AddressUse::Website && it.address == named.address;
    named.used != AddressUse::Website && context.named_addresses().iter().any(|it| is_it(&it))
}

/// A sign, as a part of a sentence.
fn words(sign: PageSign) -> Message {
    match sign {
        PageSign::Parked => "a page of advertisements for a parked domain",
        PageSign::ForSale => "a page that offers the domain for sale",
        PageSign::Placeholder => "a page that a server or site builder shows before there is content",
        PageSign::UnderConstruction => "a page that says it is not ready yet",
        PageSign::LogIn => "a login page",
        _ => "not the page of a business",
    }
    .into()
}

/// Whether a website that shows enough of itself has no word of the names of the business.
fn is_unnamed((page, named): (&PageSeen, &NamedAddress), context: &Context<'_>) -> bool {
    let (brand, words) = (context.brand(), context.brand().naming_words());
    let host = || Url::parse(&named.address).ok().and_then(|url| url.host_str().map(str::to_owned));
    (page.rendered || page.words >= MIN_SHOWN)
        && !words.is_empty()
        && words.iter().all(|word| page.unnamed.contains(word))
        && host().is_some_and(|host| !host::site_label(&host).is_some_and(|label| brand.names_it(label)))
}

/// The names on a page, if none of them has a distinctive word of the business's names.
fn other_names(page: &PageSeen, context: &Context<'_>) -> Option<String> {
    let brand = context.brand();
    let names = || page.names.iter().map(String::as_str).filter(|name| !name.trim().is_empty());
    if !brand.is_distinctive() || names().next().is_none() {
        return None;
    }
    let is_named = |text: &str| brand.names_it(text) || brand.shares_a_word(&context.scan(text));
    let shown = names().take(MAX_COMPARED).chain([page.title.as_str()]);
    if shown.into_iter().any(is_named) || brand.shares_a_word(&context.scan(&page.consent)) {
        return None;
    }
    Some(names().take(NAMES_SHOWN).collect::<Vec<_>>().join(", "))
}
