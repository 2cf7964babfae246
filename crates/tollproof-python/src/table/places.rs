//! Places in the text of a row as places in its values.

use std::ops::Range;

/// Notation of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// With backslashes. What they escape is one byte, because only control characters, quotes and backslashes are.
    Json,
    /// With doubled quotes.
    Csv,
}

/// A string in the text of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct QuotedPlace {
    /// Number of the row's strings before it; in a row of cells, the index of its column.
    pub(super) index: usize,
    /// The part of its value, in bytes; `None` for the whole string.
    pub(super) within: Option<Range<usize>>,
}

/// The string that contains a place, if one does.
pub(super) fn locate(row: &str, place: &Range<usize>, quoting: Quoting) -> Option<QuotedPlace> {
    let bytes = row.as_bytes();
    let (mut at, mut index) = (0, 0);
    while at < bytes.len() && at <= place.start {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let end = closing_quote(bytes, at + 1, quoting)?;
        if place.start <= end {
            let is_inside = place.start > at && place.end <= end;
            let value = |to: usize| length(&bytes[at + 1..to], quoting);
            let within = is_inside.then(|| value(place.start)..value(place.end));
            return (place.end <= end + 1).then_some(QuotedPlace { index, within });
        }
        (at, index) = (end + 1, index + 1);
    }
    None
}

fn closing_quote(bytes: &[u8], mut at: usize, quoting: Quoting) -> Option<usize> {
    loop {
        match (*bytes.get(at)?, quoting) {
            (b'\\', Quoting::Json) => at += 2,
            (b'"', Quoting::Csv) if bytes.get(at + 1) == Some(&b'"') => at += 2,
            (b'"', _) => return Some(at),
            _ => at += 1,
        }
    }
}

/// Counts the value bytes written like this.
fn length(written: &[u8], quoting: Quoting) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < written.len() {
        at += match (written[at], quoting) {
            (b'\\', Quoting::Json) if written.get(at + 1) == Some(&b'u') => 6,
            (b'\\', Quoting::Json) => 2,
            (b'"', Quoting::Csv) => 2,
            _ => 1,
        };
        count += 1;
    }
    count
}
