//! `ein`: employer identification numbers in a text.

use tollproof_data::tables::ein;

use crate::checks::{Context, Place, Violation};
use crate::syntax::message::Message;

/// Words before an employer identification number.
const NAMES: [&str; 4] = ["ein", "fein", "tax id", "employer identification number"];

/// Words that may be between such a word and its number.
const BETWEEN: [&str; 4] = ["is", "no", "number", "the"];

/// The fewest digits of a number that is meant to be complete: fewer are a year, or the last digits of one.
const FEWEST: usize = 5;

/// The maximum number of bytes between such a word and the number.
const MAX_GAP: usize = 12;

pub(super) fn check(place: &Place<'_>, context: &Context<'_>) -> Option<Violation> {
    let (node, text) = place.text()?;
    // Without an early end, many bytes are compared at once.
    if !text.bytes().fold(false, |any, byte| any | byte.is_ascii_digit()) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    NAMES.iter().flat_map(|name| lower.match_indices(name)).find_map(|(at, name)| {
        let before = text[..at].chars().next_back();
        let rest = &lower[at + name.len()..];
        let apart = before.is_none_or(|it| !it.is_alphanumeric()) && !rest.starts_with(char::is_alphanumeric);
        let gap = rest.find(|it: char| it.is_ascii_digit()).filter(|gap| apart && *gap <= MAX_GAP)?;
        let mut between = rest[..gap].split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
        if !between.all(|word| BETWEEN.contains(&word)) {
            return None;
        }
        let number = number_at(&rest[gap..]);
        let start = at + name.len() + gap;
        let is_date = number.parse::<jiff::civil::Date>().is_ok();
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        if is_date || digits < FEWEST {
            return None;
        }
        let reason = ein::fault(&number.replace(' ', "-"))?;
        let span = context.inner(node, start..start + number.len());
        Some(Violation::at(span).fill("match", number).fill("reason", Message::own(reason)))
    })
}

/// The digits at the beginning of a text, which single dashes and spaces may separate.
fn number_at(text: &str) -> &str {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let goes_on = |at: &usize| is_digit(*at) || matches!(bytes[*at], b'-' | b' ') && is_digit(at + 1);
    &text[..(0..bytes.len()).take_while(goes_on).count()]
}
