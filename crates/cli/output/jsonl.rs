//! JSON Lines: each finding of the JSON report on its own line, and the rest of that report on the last line.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::{JsonFinding, LineIndex, UserRule};

use super::json::{JsonSummary, VERSION};
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::Look;

/// The last line. Its `summary` distinguishes it from a finding; a report without it is incomplete.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct End {
    version: u32,
    summary: JsonSummary,
    not_checked: Vec<Cow<'static, str>>,
}

/// Prints one object per line.
#[derive(Debug)]
pub(super) struct JsonLines;

impl JsonLines {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self)
    }
}

impl Printer for JsonLines {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::new(checked.source);
        checked
            .findings
            .iter()
            .try_for_each(|it| line(out, &JsonFinding::new(it, &mut places, checked.open_text)))
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        line(
            out,
            &End { version: VERSION, summary: JsonSummary::of(report), not_checked: report.not_checked() },
        )
    }
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
