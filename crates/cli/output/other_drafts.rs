//! The places of other drafts that a finding is about, in words, for formats that show no further places.

use tollproof_core::{Finding, LineIndex, Related};

use super::FileFindings;
use crate::terminal::one_line;

/// The message of a finding, with the place of the first other draft or record that it is about.
pub(super) fn message(finding: &Finding, checked: &FileFindings<'_>, places: &mut LineIndex<'_>) -> String {
    let message = one_line(&finding.message);
    match finding.related.iter().find_map(|related| Some((related, place(related, checked, places)?))) {
        Some((related, place)) => format!("{message} ({}: {})", one_line(&related.message), one_line(&place)),
        None => message,
    }
}

/// The place of another draft; `None` for a place in the same draft.
fn place(related: &Related, checked: &FileFindings<'_>, places: &mut LineIndex<'_>) -> Option<String> {
    let file = related.file.as_deref()?;
    // The name of a cell has its address.
    let line = match (checked.text.cell, related.place, related.span) {
        (Some(_), ..) => None,
        (None, Some(place), _) => Some(place.position.line),
        (None, None, Some(span)) if file == checked.source.name() => Some(places.at(span.start).line),
        (None, None, _) => (checked.open_text)(related).map(|(source, span)| source.place(span.start).line),
    };
    Some(line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}")))
}
