//! The part of `page` about how people agree: forms, boxes and the text beside them.

use std::rc::Rc;

use tollproof_data::checks::page::{BoxPattern, BoxState, ConsentPattern, PageElement, Pages};

use super::frame::{places, says};
use super::named_address::NamedAddress;
use super::page_finding::{MAX_COMPARED, at};
use super::require::enumerate;
use crate::checks::{Context, Violation};
use crate::facts::seen::{BoxSeen, PageSeen};
use crate::finding::Severity;
use crate::provider::role;
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::text::asked::scan::Scan;

/// Addresses in a value.
type Here<'h> = (&'h [&'h NamedAddress], &'h Node<'h>);

/// Finds what the consent pages lack. It is reported at one of those that are named here.
pub(super) fn check(check: &Pages, (here, node): Here<'_>, context: &Context<'_>) -> Option<Violation> {
    if check.without_consent {
        return without_consent(check, (here, node), context);
    }
    (!check.elements.is_empty()).then(|| incomplete(check, (here, node), context))?
}

/// The pages of the draft on which people agree.
fn pages<'c>(check: &'c Pages, context: &'c Context<'_>) -> impl Iterator<Item = &'c NamedAddress> {
    context.named_addresses().iter().filter(|it| check.of.contains(&it.used))
}

/// All pages were seen, and none asks for consent: reported at the first.
fn without_consent(check: &Pages, (here, node): Here<'_>, context: &Context<'_>) -> Option<Violation> {
    let first = pages(check, context).next()?;
    let is_here = here.iter().any(|it| std::ptr::eq(*it, first));
    // A page with a sign is reported for that.
    let lacks = |page: &PageSeen| page.signs.is_empty() && !page.asks_for_consent();
    if !is_here || !pages(check, context).all(|address| context.page(address).is_some_and(lacks)) {
        return None;
    }
    Some(at(first, node, context))
}

/// The page that says most lacks elements of what people must read. Where pages have forms, what others say elsewhere does not
/// excuse them.
fn incomplete(check: &Pages, (here, node): Here<'_>, context: &Context<'_>) -> Option<Violation> {
    let mut best: Option<(&NamedAddress, Vec<&PageElement>)> = None;
    let has_form = |named: &&NamedAddress| {
        context.page(named).is_some_and(|page| page.forms.iter().any(|form| form.has_phone))
    };
    let has_forms = pages(check, context).any(|named| has_form(&named));
    for named in pages(check, context).filter(|named| !has_forms || has_form(named)) {
        let Some(text) = context.page(named).map(|page| &page.consent).filter(|text| !text.trim().is_empty())
        else {
            continue;
        };
        let missing = missing(&check.elements, &[text], context);
        if best.as_ref().is_none_or(|(_, least)| missing.len() < least.len()) {
            best = Some((named, missing));
        }
    }
    let (named, mut missing) = best?;
    if check.only_there {
        let values = context.values_with(role::OPT_IN_DESCRIPTION).into_iter();
        let texts: Vec<&str> = values.filter_map(Node::as_str).collect();
        missing =
            if missing.is_empty() { self::missing(&check.elements, &texts, context) } else { Vec::new() };
    }
    let said = check.elements.len() - missing.len();
    let is_enough = said >= check.at_least.unwrap_or(check.elements.len());
    if is_enough || !here.iter().any(|it| std::ptr::eq(*it, named)) {
        return None;
    }
    let names = enumerate(missing.iter().map(|it| it.name.as_str()));
    // What only a page links may be terms of something else.
    let severity = named.is_linked.then_some(Severity::Info);
    Some(Violation { severity, ..at(named, node, context) }.fill("missing", names))
}

/// The elements that no text has.
pub(super) fn missing<'c>(
    elements: &'c [PageElement],
    texts: &[&str],
    context: &Context<'_>,
) -> Vec<&'c PageElement> {
    let brand = context.brand();
    let is_said = |element: &PageElement, text: &str| {
        let scan = context.scan(text);
        scan.has_group(&element.any_of.ids)
            || element.brand && (brand.is_unknown() || brand.is_in(text, &scan))
    };
    elements.iter().filter(|element| !texts.iter().any(|text| is_said(element, text))).collect()
}

/// A box that fits one of the patterns.
pub(super) fn boxes(
    check: &Pages,
    page: &PageSeen,
    at: &dyn Fn() -> Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    // A box may be in another form than the number: in a second step, or beside it.
    if check.boxes.is_empty() || !page.forms.iter().any(|form| form.has_phone) {
        return None;
    }
    let of_html = page.html_boxes.iter().filter(|found| found.ticked || found.required);
    let states: Vec<BoxState> = check.boxes.iter().map(|pattern| pattern.state).collect();
    let boxes = page.forms.iter().flat_map(|form| &form.boxes).chain(of_html);
    let boxes = boxes.filter(|found| states.iter().any(|state| is_so(*state, found))).take(MAX_COMPARED);
    let labelled: Vec<(&BoxSeen, Rc<Scan>)> = boxes.map(|it| (it, context.scan(&it.label))).collect();
    for pattern in &check.boxes {
        let Some((found, _)) = labelled.iter().find(|(it, scan)| fits(pattern, it, scan, context)) else {
            continue;
        };
        if is_claimed(pattern, context) {
            let reason = reason(pattern.state, found, page);
            let severity = (pattern.state == BoxState::Required).then_some(Severity::Warning);
            let violation =
                at().fill("match", beginning(&found.label).as_str()).fill("reason", Message::own(reason));
            return Some(Violation { severity, ..violation });
        }
    }
    None
}

/// The state of a box, as a part of a sentence that says where it is so if it is not always.
fn reason(state: BoxState, found: &BoxSeen, page: &PageSeen) -> &'static str {
    let is_of_html = page.html_boxes.iter().any(|other| std::ptr::eq(other, found));
    let is_changed = page.html_boxes.iter().any(|other| other.label == found.label);
    match state {
        BoxState::Ticked if is_of_html => "ticked in the HTML of the page, before its scripts run",
        BoxState::Ticked if is_changed => "ticked by a script when the page opens",
        BoxState::Ticked => "ticked when the page opens",
        BoxState::Required if is_of_html => "required in the HTML of the page, before its scripts run",
        BoxState::Required => "required",
        BoxState::Empty => "a box for refusing",
    }
}

/// A meaning of the text at the form that no text of the draft has.
pub(super) fn unlike_draft(
    check: &Pages,
    page: &PageSeen,
    at: &dyn Fn() -> Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    let text = page.consent.as_str();
    let said = |pattern: &ConsentPattern| {
        let mut texts = context.kind.texts(context.root).into_iter().filter_map(|(_, node)| node.as_str());
        texts.any(|text| says(&context.scan(text), &pattern.unless_said))
    };
    let find = |pattern: &ConsentPattern| {
        let found = places(&pattern.text, (text, &context.scan(text)), context).into_iter().next();
        found.filter(|_| !said(pattern))
    };
    let found = check.consent.iter().find_map(find)?;
    Some(at().fill("match", text.get(found).unwrap_or_default()))
}

/// The beginning of a label: the words that people find it by.
fn beginning(label: &str) -> String {
    const MAX: usize = 50;
    let mut words = label.split_whitespace();
    let mut shown = words.next().unwrap_or_default().chars().take(MAX).collect::<String>();
    for word in words {
        if shown.chars().count() + word.chars().count() >= MAX {
            return shown + "…";
        }
        shown = shown + " " + word;
    }
    shown
}

fn fits(pattern: &BoxPattern, found: &BoxSeen, label: &Scan, context: &Context<'_>) -> bool {
    if !is_so(pattern.state, found) {
        return false;
    }
    let places = places(&pattern.label, (&found.label, label), context);
    // Later sentences of a label say what else there is: how to stop.
    let first =
        || label.sentences().first().map_or(0, |words| label.words().range(words.start, words.end - 1).end);
    places.first().is_some_and(|place| pattern.state != BoxState::Empty || place.start < first())
}

fn is_so(state: BoxState, found: &BoxSeen) -> bool {
    match state {
        BoxState::Ticked => found.ticked,
        BoxState::Required => found.required,
        BoxState::Empty => !found.ticked,
    }
}

/// Whether the description states what the page contradicts.
fn is_claimed(pattern: &BoxPattern, context: &Context<'_>) -> bool {
    let states = |text: &str| says(&context.scan(text), &pattern.claims);
    let mut descriptions = context.values_with(role::OPT_IN_DESCRIPTION).into_iter();
    pattern.claims.is_empty() || descriptions.any(|node| node.as_str().is_some_and(states))
}
