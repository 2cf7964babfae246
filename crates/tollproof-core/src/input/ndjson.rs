//! One JSON document a line; blank lines count for nothing.

use super::faults::Faults;
use super::{beginning, json};
use crate::document::Document;

/// The documents of an NDJSON text, read one line at a time as they are asked for.
pub(super) fn read(text: &str) -> impl Iterator<Item = Document<'_>> {
    let mut offset = beginning(text);
    let lines = text[offset..].split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        (start, line)
    });
    let filled = lines.filter(|(_, line)| !line.trim().is_empty());
    let documents = filled.enumerate().map(|(index, (start, line))| json::read_one(line, start, index));
    let nothing = text[offset..].trim().is_empty().then(|| {
        let faults = vec![Faults::nothing_to_read(text, "this file")];
        Document { index: 0, root: None, faults, declared_kind: None }
    });
    documents.chain(nothing)
}
