//! The narrated report: the same findings in words alone, for screen readers and braille.

use std::io::{self, Write};

use miette::NarratableReportHandler;
use tollproof_core::{StrictError, UserRule};

use super::full::{Shown, url};
use super::look::Look;
use super::places::Places;
use super::snippet::Frame;
use super::{Checked, Printer};
use crate::report::Report;

/// Lines are cut where they would take minutes to read aloud.
const FRAME: Frame = Frame { width: 200, ellipsis: "…", wrap: false };

/// Tells each finding.
#[derive(Debug)]
pub(super) struct Narrated {
    handler: NarratableReportHandler,
}

impl Narrated {
    pub(super) fn boxed(_: Look) -> Box<dyn Printer> {
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
        text.split_inclusive('\n').filter(|line| !is_elsewhere(line)).collect()
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
            shown.code = Some(finding.rule.to_string());
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
