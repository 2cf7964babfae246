//! `require`: a text that must contain certain phrases or elements.

use std::rc::Rc;

use smallvec::SmallVec;
use tollproof_data::checks::Require;
use tollproof_data::checks::parts::Element;
use tollproof_data::text::words::hit::Hits;

use crate::checks::{Context, Place, Violation};
use crate::finding::Severity;
use crate::syntax::message::{Message, message};
use crate::text::asked::scan::Scan;
use crate::validators::{email, phone};

pub(super) fn check(check: &Require, place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let also = context.other_texts(place);
    let text = match place.node {
        Some(node) => node.as_str()?,
        // An update keeps what it does not contain, and a part is completed elsewhere.
        None if context.kind.is_update() || context.kind.is_part() => return None,
        None if context.kind.also_in(place.role).is_empty() => return None,
        // The provider has no field of its own for it, so other texts may say it.
        None => "",
    };
    if check.max_chars.is_some_and(|max| !is_shorter(text, max + 1)) {
        return None;
    }
    let pages = check.or_on_page.then(|| context.consent_on_pages()).into_iter().flatten();
    let texts: SmallVec<[&str; 2]> = std::iter::once(text).chain(also).chain(pages).collect();
    let scans: SmallVec<[Rc<Scan>; 2]> = texts.iter().map(|text| context.scan(text)).collect();
    if scans.iter().any(|scan| scan.has(&check.unless)) {
        return None;
    }
    let is_short = is_shorter(text, check.min_chars);
    if !check.any_of.is_empty() {
        let is_said = |scans: &[Rc<Scan>]| scans.iter().any(|scan| says_apart(check, scan));
        let short = is_short && !is_said(&scans[1..]);
        return (short || !is_said(&scans)).then(Violation::default);
    }
    let is_said = |element: &Element, from: usize| {
        let mut both = texts[from..].iter().zip(&scans[from..]);
        both.any(|(text, scan)| element_stands(element, text, scan, context))
    };
    // Other texts make up for a short one only if they say all of it, so that a text is judged alike by every provider.
    let short = is_short && !check.elements.iter().all(|element| is_said(element, 1));
    let missing: Vec<&Element> = check.elements.iter().filter(|it| !is_said(it, 0)).collect();
    let said = check.elements.len() - missing.len();
    if !short && said >= check.at_least.unwrap_or(check.elements.len()) {
        return None;
    }
    let names = if missing.is_empty() {
        too_short(text, check.min_chars)
    } else {
        enumerate(missing.iter().map(|element| element.name.as_str()))
    };
    // Use the highest severity of the missing elements; an element without its own severity has that of the
    // rule.
    let own: Option<Vec<Severity>> = missing.iter().map(|element| element.severity).collect();
    let raised = missing.iter().filter_map(|element| element.severity).max();
    let severity = if short {
        None
    } else {
        own.and_then(|severities| severities.into_iter().max())
            .or(raised.filter(|severity| *severity == Severity::Error))
    };
    let violation = Violation { severity, ..Violation::default() };
    Some(violation.fill("missing", names))
}

/// Whether a text has fewer characters than a minimum.
fn is_shorter(text: &str, min: usize) -> bool {
    // Fast path: no character has more than four bytes.
    text.len() < min || text.len() < min.saturating_mul(4) && text.chars().count() < min
}

/// Returns what a text with all elements does not say.
fn too_short(text: &str, min: usize) -> Message {
    message!("enough: {} characters are too short, at least {} are needed", text.chars().count(), min)
}

fn element_stands(element: &Element, text: &str, scan: &Scan, context: &Context<'_>) -> bool {
    scan.has(&element.any_of)
        || element.brand && (context.brand().is_unknown() || context.brand().is_in(text, scan))
        || element.contact && (scan.names_url() || has_email(text) || has_phone(text, context.country()))
}

/// Whether a text contains an e-mail address.
fn has_email(text: &str) -> bool {
    let ends = |character: char| character.is_whitespace() || "\"'()[]<>,;:/".contains(character);
    let words = text.split(ends).map(|word| word.trim_end_matches(['.', '!', '?']));
    words.filter(|word| word.contains('@')).any(|word| email::domain_of(word).is_ok())
}

/// The most parts of a phone number between which there are spaces: `+1 (207) 772 4831`.
const PHONE_PARTS: usize = 6;

/// Whether a text contains a phone number, in any notation.
fn has_phone(text: &str, country: Option<&str>) -> bool {
    let runs = text.split(|letter: char| !letter.is_ascii_digit() && !" +-.()\u{a0}".contains(letter));
    runs.filter(|run| run.bytes().any(|it| it.is_ascii_digit())).any(|run| {
        let parts: SmallVec<[&str; 8]> = run.split([' ', '\u{a0}']).filter(|part| !part.is_empty()).collect();
        let is_date = |part: &&str| part.parse::<jiff::civil::Date>().is_ok();
        parts.split(is_date).any(|parts| {
            let starts = (0..parts.len()).map(|start| &parts[start..parts.len().min(start + PHONE_PARTS)]);
            starts
                .flat_map(|rest| (1..=rest.len()).map(|end| &rest[..end]))
                .any(|parts| phone::parse(parts.concat().trim_end_matches(['.', '-']), country).is_ok())
        })
    })
}

/// Whether the text contains a phrase that is not part of a longer phrase of `except`.
fn says_apart(check: &Require, scan: &Scan) -> bool {
    if !scan.has(&check.except) {
        return scan.has(&check.any_of);
    }
    let longer = Hits::of(scan.hits(), |set| check.except.has(set));
    scan.hits().iter().any(|hit| check.any_of.has(hit.set) && !longer.overlap(hit))
}

/// Joins the names of missing elements: `a`, `a or b`, `a, b or c`.
pub(super) fn enumerate<'n>(names: impl Iterator<Item = &'n str>) -> Message {
    either(names.map(Message::own))
}

/// Joins parts: `a`, `a or b`, `a, b or c`.
pub(super) fn either(parts: impl Iterator<Item = Message>) -> Message {
    Message::listed(parts, |most, last| message!("{} or {}", most, last))
}

#[cfg(test)]
mod tests {
    use super::{has_email, has_phone};

    #[test]
    fn dates_and_years_are_not_phone_numbers() {
        let has_phone = |text| has_phone(text, Some("US"));
        for text in
            ["closes on 12/31/2026", "founded 1998 - 2024", "2026-10-01 09:30", "from 2025/10/15 09", "24 7"]
        {
            assert!(!has_phone(text), "{text}");
        }
        for text in [
            "call 207-772-4831 24/7.",
            "(207) 772 4831",
            "+1 207.772.4831.",
            "open 9 - 5, 12077724831",
            "since 1998 207 772-4831",
            "+44 20 7946 0958",
        ] {
            assert!(has_phone(text), "{text}");
        }
    }

    #[test]
    fn a_sign_is_not_an_address() {
        assert!(!has_email("@ your service, 3 @ $4"));
        assert!(
            has_email("Write to <irene@quillbackkayak.com>.") && has_email("mailto:irene@quillbackkayak.com")
        );
    }
}
