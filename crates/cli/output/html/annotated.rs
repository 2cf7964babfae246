//! The text of a field around a finding, shortened, with the words that the finding is about.

use tollproof_core::{Finding, Source, Span};
use tollproof_project::{TextDrafts, WrittenValue};

use crate::output::tally::is_same_field;
use crate::terminal::printable;

/// The characters that are shown before the marked words, of them, and after them.
const BEFORE: usize = 140;
const MARKED: usize = 320;
const AFTER: usize = 200;

/// A part of a text; the marked part may be empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct AnnotatedText {
    pub(super) before: String,
    pub(super) marked: String,
    pub(super) after: String,
}

impl AnnotatedText {
    /// The text that a finding in a draft is about: the value of its field, or else the line; `None` if the finding is
    /// about something that is not there.
    pub(super) fn of(
        source: &Source<'_>,
        finding: &Finding,
        drafts: Option<(&TextDrafts, usize)>,
    ) -> Option<Self> {
        let span = finding.span?;
        let value = drafts.and_then(|(drafts, at)| value_at(&drafts.drafts[at].values, span));
        let is_field = |value: &&WrittenValue| is_same_field(&value.pointer, &finding.pointer);
        let parts = match value.filter(is_field) {
            Some(value) => value.split(source, span),
            // A field that is missing has no text; the place is only the start of what lacks it.
            None if finding.pointer.is_empty() || drafts.is_some_and(|it| lacks(it, &finding.pointer)) => {
                return None;
            }
            None => line(source, span),
        };
        Self::shortened(parts)
    }

    /// A cell of a workbook, which is a text of its own.
    pub(super) fn of_cell(source: &Source<'_>, span: Span) -> Option<Self> {
        let text = source.text();
        let end = (span.end as usize).min(text.len());
        let start = (span.start as usize).min(end);
        let parts = [0..start, start..end, end..text.len()];
        Self::shortened(parts.map(|range| text.get(range).unwrap_or_default().to_owned()))
    }

    fn shortened([before, marked, after]: [String; 3]) -> Option<Self> {
        let printable = |text: &str| -> String {
            let shown = |c| if c == '\n' { c } else { printable(c) };
            text.replace("\r\n", "\n").chars().map(shown).collect()
        };
        let text = Self {
            before: printable(&last(&before, BEFORE)),
            marked: printable(&first(&marked, MARKED)),
            after: printable(&first(&after, AFTER)),
        };
        let is_empty = [&text.before, &text.marked, &text.after].iter().all(|part| part.trim().is_empty());
        (!is_empty).then_some(text)
    }
}

/// The value that contains a place. Values are in the order of the text.
fn value_at(values: &[WrittenValue], span: Span) -> Option<&WrittenValue> {
    let contains = |it: &&WrittenValue| it.span.start <= span.start && span.start <= it.span.end;
    values
        .iter()
        .rev()
        .find(|value| contains(value) && (span.start < value.span.end || value.span.start == value.span.end))
}

/// Whether a draft has no value in a field.
fn lacks((drafts, at): (&TextDrafts, usize), field: &str) -> bool {
    let values = &drafts.drafts[at].values;
    !values.iter().any(|value| is_same_field(&value.pointer, field) && !value.text.trim().is_empty())
}

/// The line of a place, divided at it.
fn line(source: &Source<'_>, span: Span) -> [String; 3] {
    let text = source.text();
    let start = (span.start as usize).min(text.len());
    let number = source.line_of(start);
    let first = source.line_start(number);
    let last = source.line_start(number + 1).clamp(first, text.len());
    let end = (span.end as usize).clamp(start, last.max(start));
    let slice = |from: usize, to: usize| {
        text.get(from..to).unwrap_or_default().trim_end_matches(['\n', '\r']).to_owned()
    };
    let [before, marked, after] = [slice(first, start), slice(start, end), slice(end, last.max(end))];
    [before.trim_start().to_owned(), marked, after]
}

fn first(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

fn last(text: &str, most: usize) -> String {
    match text.char_indices().rev().nth(most) {
        Some((at, c)) => format!("…{}", text[at + c.len_utf8()..].trim_start()),
        None => text.to_owned(),
    }
}
