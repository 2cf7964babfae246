//! One JSON document a line; blank lines count for nothing.

use serde::de::IgnoredAny;

use super::faults::Faults;
use super::{beginning, json};
use crate::document::{Declared, Document, Fault, Problem};
use crate::source::Span;

/// The documents of an NDJSON text, read one line at a time as they are asked for.
pub(super) fn read(text: &str) -> Box<dyn Iterator<Item = Document<'_>> + '_> {
    if let Some(fault) = over_several_lines(text) {
        let mut documents = json::read(text);
        documents.iter_mut().take(1).for_each(|first| first.faults.insert(0, fault.clone()));
        return Box::new(documents.into_iter());
    }
    let mut offset = beginning(text);
    let lines = text[offset..].split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        (start, line)
    });
    let filled = lines.filter(|(_, line)| !is_blank(line));
    let documents = filled.enumerate().map(|(index, (start, line))| json::read_one(line, start, index));
    let nothing = is_blank(&text[beginning(text)..]).then(|| {
        let faults = vec![Faults::nothing_to_read(text, "this file")];
        Document { index: 0, root: None, faults, cut: false, declared: Declared::default() }
    });
    Box::new(documents.chain(nothing))
}

/// Whether a text is JSON's white space alone: a form feed or a no-break space is none.
fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The fault of a text that is one JSON value, written over several lines.
fn over_several_lines(text: &str) -> Option<Fault> {
    let is_value = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
    let start = beginning(text);
    let text = &text[start..];
    let line = text.lines().find(|line| !is_blank(line))?;
    if is_value(line) || !is_value(text) {
        return None;
    }
    let written = line.trim();
    let start = start + written.as_ptr() as usize - text.as_ptr() as usize;
    let span = Span::new(start, start + written.len());
    let fault = Fault::new(Problem::Syntax, span, "this is one JSON value over several lines");
    Some(fault.help("Name the file .json, or write each draft on a line of its own."))
}
