//! Shared parts of findings about pages and pictures: their places, and why an address did not open.

use tollproof_data::seen::SeenOutcome;

use super::named_address::NamedAddress;
use crate::checks::{Context, Violation};
use crate::facts::seen::SeenFact;
use crate::syntax::document::Node;
use crate::syntax::message::{Message, message};

/// The fewest words of a page that can be judged by what it lacks.
pub(super) const MIN_WORDS: u32 = 20;

/// The maximum number of compared names of a page, and of its boxes.
pub(super) const MAX_COMPARED: usize = 50;

/// The finding about a page: at its address in the text, if it is not the whole value.
pub(super) fn at(named: &NamedAddress, node: &Node<'_>, context: &Context<'_>) -> Violation {
    let span = named.range.clone().map(|range| context.inner(node, range));
    Violation { span, ..Violation::default() }.fill("address", named.address.as_str())
}

/// Returns why an address did not open, as a part of a sentence.
pub(super) fn reason(fact: &SeenFact) -> Message {
    let certificate = match fact.why.as_deref() {
        Some("expired") => "its certificate has expired",
        Some("self-signed") => "its certificate is not signed by an authority that browsers know",
        Some("wrong-name") => "its certificate is for another name",
        _ => "its certificate is not valid",
    };
    match (fact.outcome, fact.status) {
        (SeenOutcome::NotFound, _) => "the server answers 404, not found".into(),
        (SeenOutcome::Gone, _) => "the server answers 410, gone".into(),
        (SeenOutcome::NoSuchName, _) => "the domain does not exist".into(),
        (SeenOutcome::Certificate, _) => certificate.into(),
        (SeenOutcome::Unreachable, _) => "its server cannot be reached".into(),
        (_, Some(401)) => "it asks for a password".into(),
        (_, Some(status)) => message!("the server answers {}", usize::from(status)),
        (_, None) => "the server answers with an error".into(),
    }
}
