//! The part of `page` about policies: sentences about sharing data.

use std::ops::Range;

use tollproof_data::checks::frame::Frames;
use tollproof_data::checks::page::Pages;
use tollproof_data::text::words::language::Language;

use super::frame::places;
use crate::checks::{Context, Violation};
use crate::facts::seen::PageSeen;

/// The most words of an answer before its "no".
const FIRST_WORDS: usize = 3;

/// Sentences that a policy must not have, or must have.
pub(super) fn check(
    check: &Pages,
    page: &PageSeen,
    at: &dyn Fn() -> Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    if check.sharing.is_none() && check.must_state.is_none() {
        return None;
    }
    let language = page.language.split(['-', '_']).next().unwrap_or_default();
    // A page whose language nothing tells is read as if it were in one that the vocabulary has.
    if !language.is_empty() && !Language::all().any(|known| known.key() == language) {
        return None;
    }
    let read = context.read_made(&page.sharing, || answered(&page.sharing, context));
    let (text, scan) = &*read;
    let find = |frames: &Frames| places(frames, (text, scan), context).into_iter().next();
    let violation = |found: Range<usize>| at().fill("match", text.get(found).unwrap_or_default());
    if let Some(found) = check.sharing.as_ref().and_then(find) {
        return Some(violation(found));
    }
    if check.must_state.as_ref().and_then(find).is_some() {
        return None;
    }
    match &check.sharing_unless_stated {
        Some(frames) => find(frames).map(violation),
        None => (check.sharing.is_none() && check.must_state.is_some()).then(at),
    }
}

/// The text with each question as a denial that is answered by no: "Do you sell numbers? Never." A question itself states
/// nothing.
fn answered(text: &str, context: &Context<'_>) -> String {
    let line = |line: &str| {
        let Some((question, answer)) = line.split_once("? ") else { return line.to_owned() };
        let scan = context.scan(answer);
        let is_no = (0..scan.words().len().min(FIRST_WORDS)).any(|word| scan.negates(word));
        // "Nor" denies in English, "ni" in French and Spanish.
        if is_no { format!("Nor ni {question}. {answer}") } else { line.to_owned() }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
