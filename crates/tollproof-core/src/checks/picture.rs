//! `picture`: pictures that the draft names, as they were seen.

use smallvec::SmallVec;
use tollproof_data::checks::Picture;
use tollproof_data::seen::AddressUse;

use super::named_address::NamedAddress;
use super::page_consent::missing;
use super::page_finding::{at, reason};
use super::require::enumerate;
use super::seen::is_picture_address;
use crate::checks::{Context, Place, Violation};
use crate::facts::seen::PictureSeen;
use crate::syntax::document::Node;
use crate::syntax::message::Message;

pub(super) fn check(check: &Picture, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let node = place.node?;
    if !check.elements.is_empty() {
        return incomplete(check, node, context);
    }
    let may_be_picture = |used| matches!(used, AddressUse::Picture | AddressUse::OptIn);
    let all = context.named_addresses().iter();
    all.filter(|address| may_be_picture(address.used) && address.is_in(node))
        .find_map(|named| of_one(check, (named, node), context))
}

/// Finds the elements that the pictures of the draft do not show together. They are reported at the first that shows consent.
fn incomplete(check: &Picture, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let pictures = context.named_addresses().iter().filter(|address| address.used == AddressUse::Picture);
    let read = pictures.filter_map(|named| Some((named, context.picture_text(named)?)));
    let read: SmallVec<[(&NamedAddress, &str); 4]> = read.collect();
    let shows = |text: &str| context.scan(text).has_group(&check.about.ids);
    let (named, _) = read.iter().find(|(_, text)| shows(text)).filter(|(named, _)| named.is_in(node))?;
    let texts: SmallVec<[&str; 4]> = read.iter().map(|(_, text)| *text).collect();
    let missing = missing(&check.elements, &texts, context);
    let names = enumerate(missing.iter().map(|element| element.name.as_str()));
    (!missing.is_empty()).then(|| at(named, node, context).fill("missing", names))
}

fn of_one(
    check: &Picture,
    (named, node): (&NamedAddress, &Node<'_>),
    context: &Context<'_>,
) -> Option<Violation> {
    let fact = context.fact(named)?;
    let at = || at(named, node, context);
    if named.used == AddressUse::Picture && check.outcomes.contains(&fact.outcome) {
        return Some(at().fill("reason", reason(fact)));
    }
    if fact.seen_page().is_some() {
        let is_instead = check.page_instead && is_picture_address(&named.address);
        let host = || context.host_of(&named.address);
        let is_viewer = || {
            !check.page_hosts.is_empty()
                && host().is_some_and(|host| context.lists.host_entry(&check.page_hosts, &host).is_some())
        };
        return (is_instead || is_viewer()).then(at);
    }
    let picture = fact.seen_picture()?;
    if !picture.decodes {
        return check.broken.then(at);
    }
    if picture.is_blank {
        return check.blank.then(at);
    }
    let PictureSeen { width, height, .. } = *picture;
    let is_small = width < check.min_width || height < check.min_height;
    is_small.then(|| at().fill("match", Message::name(format!("{width} × {height}"))))
}
