//! The part of `page` about policies: sentences about sharing data.

use tollproof_data::checks::page::Pages;
use tollproof_data::text::words::language::Language;

use super::frame::places;
use super::page_finding::MIN_WORDS;
use crate::checks::{Context, Violation};
use crate::facts::seen::PageSeen;

/// Sentences that a policy must not have, or must have.
pub(super) fn check(
    check: &Pages,
    page: &PageSeen,
    at: &dyn Fn() -> Violation,
    context: &Context<'_>,
) -> Option<Violation> {
    if page.words < MIN_WORDS {
        return None;
    }
    let language = page.language.split(['-', '_']).next().unwrap_or_default();
    // A page whose language nothing tells is read as if it were in one that the vocabulary has.
    if !language.is_empty() && !Language::all().any(|known| known.key() == language) {
        return None;
    }
    let text = page.sharing.as_str();
    let scan = context.scan(text);
    if let Some(frames) = &check.sharing {
        let found = places(frames, (text, &scan), context).into_iter().next()?;
        return Some(at().fill("match", text.get(found).unwrap_or_default()));
    }
    let frames = check.must_state.as_ref()?;
    places(frames, (text, &scan), context).is_empty().then(at)
}
