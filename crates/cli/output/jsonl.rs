//! JSON Lines: each finding of the JSON report on a line of its own, and the rest of that report as the last line.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::UserRule;

use super::json::{JsonFinding, JsonSummary, VERSION};
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::Look;
use tollproof_core::LineIndex;

/// The last line: by its `summary` it is told from a finding, and a report that was cut off has none.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct End {
    version: u32,
    summary: JsonSummary,
    not_checked: Vec<Cow<'static, str>>,
}

/// Prints one object a line.
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
        checked.findings.iter().try_for_each(|it| line(out, &JsonFinding::new(it, &mut places, checked)))
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
