//! JSON Lines: each finding of the JSON report on its own line, and the rest of that report on the last line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;
use tollproof_core::{JsonFinding, JsonSummary, UserRule};

use super::json::summary_of;
use super::{Printer, ShownFinding};
use crate::counts::RunCounts;

/// Prints one object per line.
pub(super) struct JsonLines;

impl Printer for JsonLines {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        line(out, &JsonFinding::new(finding, places, checked.open_text))
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
