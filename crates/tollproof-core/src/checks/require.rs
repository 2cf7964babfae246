//! `require`: a text that must say something.

use super::Violation;
use crate::checks::context::Context;
use crate::finding::Severity;
use crate::rule::check::{Element, Require};
use crate::syntax::document::Node;
use crate::syntax::message::Message;
use crate::text::lexicon::Hits;
use crate::text::scan::Scan;

pub(super) fn check(check: &Require, node: &Node<'_>, context: &Context<'_>) -> Option<Violation> {
    let text = node.as_str()?;
    let scan = context.scan(text);
    if scan.has(&check.unless) {
        return None;
    }
    let short = text.chars().count() < check.min_chars;
    if !check.any_of.is_empty() {
        return (short || !says_apart(check, &scan)).then(|| Violation::default().fill("value", text));
    }
    let missing: Vec<&Element> =
        check.elements.iter().filter(|element| !element_stands(element, text, &scan, context)).collect();
    let said = check.elements.len() - missing.len();
    if !short && said >= check.at_least.unwrap_or(check.elements.len()) {
        return None;
    }
    let names: Vec<&str> = missing.iter().map(|element| element.name.as_str()).collect();
    // Of what is missing the gravest counts; an element without a weight of its own has the rule's.
    let own: Option<Vec<Severity>> = missing.iter().map(|element| element.severity).collect();
    let raised = missing.iter().filter_map(|element| element.severity).max();
    let severity = if short {
        None
    } else {
        own.and_then(|it| it.into_iter().max()).or(raised.filter(|it| *it == Severity::Error))
    };
    let violation = Violation { severity, ..Violation::default() };
    Some(violation.fill("value", text).fill("missing", Message::own(enumerate(&names))))
}

fn element_stands(element: &Element, text: &str, scan: &Scan, context: &Context<'_>) -> bool {
    scan.has(&element.any_of)
        || element.brand && (context.brand().is_unknown() || context.brand().is_in(text, scan))
}

/// Whether one of the phrases stands by itself, not inside one that means something else.
fn says_apart(check: &Require, scan: &Scan) -> bool {
    if !scan.has(&check.except) {
        return scan.has(&check.any_of);
    }
    let longer = Hits::of(&scan.hits, |set| check.except.has(set));
    scan.hits.iter().any(|hit| check.any_of.has(hit.set) && !longer.overlap(hit))
}

/// `a`, `a or b`, `a, b or c`: what a text does not say.
fn enumerate(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}
