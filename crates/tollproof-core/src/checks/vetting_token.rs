//! `vetting-token`: a token of Campaign Verify that is not complete.

use crate::checks::{Context, Place, Violation};
use crate::finding::Severity;
use crate::syntax::message::Message;

pub(super) fn check(place: &Place<'_>, _context: &Context<'_>) -> Option<Violation> {
    let text = place.node?.as_str()?;
    if text.trim().is_empty() {
        return None;
    }
    let (reason, severity) = fault(text.trim())?;
    let violation = Violation { severity, ..Violation::default() };
    Some(violation.fill("reason", Message::own(reason)))
}

/// The number of a token's parts. Twilio documents them, and that the first is `cv` and the fourth `tfree`.
const PARTS: usize = 6;

/// Explains why a token cannot be right, with the severity of what is only probable.
fn fault(token: &str) -> Option<(&'static str, Option<Severity>)> {
    let parts: Vec<&str> = token.split('|').collect();
    if parts.len() != PARTS || parts.iter().any(|part| part.trim().is_empty()) {
        return Some(("it must have six parts with `|` between them", None));
    }
    if token.contains(char::is_whitespace) {
        return Some(("it must not contain spaces or line breaks", None));
    }
    if parts[0] != "cv" {
        return Some(("it must begin with `cv` in lowercase letters", None));
    }
    (parts[3] != "tfree")
        .then_some(("its fourth part must be `tfree` for toll-free numbers", Some(Severity::Warning)))
}
