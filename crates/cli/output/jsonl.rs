//! JSON Lines: each finding of the JSON report on its own line, and the rest of that report on the last line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;
use tollproof_core::{JsonFinding, JsonSummary, LineIndex, UserRule};

use super::json::summary_of;
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::Look;

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
        // The `summary` distinguishes the last line from a finding; a report without it is incomplete.
        let (summary, not_checked) = (summary_of(report), report.not_checked_with_options());
        line(
            out,
            &json!({ "version": JsonSummary::REPORT_VERSION, "summary": summary, "notChecked": not_checked }),
        )
    }
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
