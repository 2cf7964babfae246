//! The narrated report: the same findings in words alone, for screen readers and braille.

use std::io::{self, Write};

use miette::NarratableReportHandler;
use tollproof_core::{StrictError, UserRule};
use unicode_width::UnicodeWidthStr as _;

use super::docs::url;
use super::full::Shown;
use super::look::{Look, one_line};
use super::places::Places;
use super::snippet::{Frame, Snippet};
use super::{Checked, Printer, Shown as Wanted};
use crate::report::Report;

/// Lines are cut where they would take minutes to read aloud.
const FRAME: Frame = Frame { width: 200, ellipsis: "…", wrap: false };

/// Tells each finding.
#[derive(Debug)]
pub(super) struct Narrated {
    handler: NarratableReportHandler,
}

impl Narrated {
    pub(super) fn boxed(_: Look, _: Wanted) -> Box<dyn Printer> {
        Box::new(Self::new())
    }

    fn new() -> Self {
        Self { handler: NarratableReportHandler::new() }
    }

    fn tell(&self, mut shown: Shown) -> String {
        // The columns that miette tells count in the shortened line.
        for label in shown.snippet.labels.iter_mut().filter(|label| label.shifted) {
            let words = label.text.take().map(|words| words + ", ").unwrap_or_default();
            label.text = Some(format!("{words}column {} of the whole line", label.place.column));
        }
        let mut text = String::new();
        let told = self.handler.render_report(&mut text, &shown);
        told.expect("strings take all that is written, and every label lies in a block");
        let told = text.split_inclusive('\n').filter(|line| !is_elsewhere(line));
        told.map(|line| in_characters(line, &shown.snippet).unwrap_or_else(|| line.to_owned())).collect()
    }
}

/// The same line with columns that count characters, as all reports do: miette counts how wide they are on a screen.
fn in_characters(line: &str, snippet: &Snippet) -> Option<String> {
    let at = "    label at line ";
    if !line.starts_with(at) || snippet.text.is_ascii() {
        return None;
    }
    snippet.labels.iter().find_map(|label| {
        let start = snippet.text[..label.range.start].rfind('\n').map_or(0, |end| end + 1);
        let before = &snippet.text[start..label.range.start];
        let marked = &snippet.text[label.range.clone()];
        let number = label.place.line;
        let told = columns(before.width(), marked.width());
        let rest = line.strip_prefix(&format!("{at}{number}, {told}"))?;
        if !rest.starts_with([':', '\n']) {
            return None;
        }
        let columns = columns(before.chars().count(), marked.chars().count());
        Some(format!("{at}{number}, {columns}{rest}"))
    })
}

/// The columns of what follows so much and takes so much.
fn columns(before: usize, taken: usize) -> String {
    match (before + 1, before + taken.max(1)) {
        (first, last) if first == last => format!("column {first}"),
        (first, last) => format!("columns {first} to {last}"),
    }
}

/// Whether a line tells of a label in a later snippet: miette counts those to the last line of each snippet before it,
/// in columns that end before they begin.
fn is_elsewhere(line: &str) -> bool {
    let columns = || {
        let (_, columns) = line.strip_prefix("    label at line ")?.split_once(", columns ")?;
        let (first, rest) = columns.split_once(" to ")?;
        let last = rest.split(|it: char| !it.is_ascii_digit()).next()?;
        Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?))
    };
    columns().is_some_and(|(first, last)| first > last)
}

impl Printer for Narrated {
    fn file(&mut self, out: &mut dyn Write, checked: &Checked<'_>) -> io::Result<()> {
        let mut places = Places::new(checked.source);
        for finding in checked.findings {
            let mut shown = Shown::new(finding, &mut places, checked.others, FRAME);
            shown.url = url(&finding.rule);
            shown.code = Some(one_line(&finding.rule));
            writeln!(out, "{}", self.tell(shown))?;
        }
        Ok(())
    }

    fn end(&mut self, _: &mut dyn Write, _: &Report, _: &[UserRule]) -> io::Result<()> {
        Ok(())
    }
}

/// Tells why a rule file or a configuration cannot be used.
pub(super) fn strict(_: Look, error: &StrictError) -> String {
    Narrated::new().tell(Shown::strict(error, FRAME)) + "\n"
}
