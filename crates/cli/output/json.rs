//! The JSON report: a stable format whose `schemas/report.schema.json` is generated from the structs in this file
//! and from those of the core that it has.

use std::io::{self, Write};

use tollproof_core::{JsonFinding, JsonSummary, UserRule};

use super::{Printer, ShownFinding};
use crate::counts::{FixMode, RunCounts};

/// The output of `--output-format json`: findings sorted by file and position.
///
/// The report is written in parts; this struct describes its format. `--output-format jsonl` prints each finding on
/// its own line, and everything except `findings` on the last line.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, title = "JsonReport of tollproof check")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct JsonReport {
    /// The version of this format, 1.
    version: u32,
    /// The findings, sorted by file and position.
    findings: Vec<JsonFinding<'static>>,
    /// The totals of the run.
    summary: JsonSummary,
    /// Facts that tollproof could not check.
    not_checked: Vec<String>,
}

const VERSION: u32 = JsonSummary::REPORT_VERSION;

/// Prints each finding as it is found.
#[derive(Debug, Default)]
pub(super) struct Json {
    findings: usize,
}

impl Printer for Json {
    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        match self.findings {
            0 => write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": [")?,
            _ => write!(out, ",")?,
        }
        self.findings += 1;
        let finding = JsonFinding::new(finding, places, checked.open_text);
        write!(out, "\n    {}", indented(serde_json::to_string_pretty(&finding)?, "    "))
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        match self.findings {
            0 => write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": []")?,
            _ => write!(out, "\n  ]")?,
        }
        let summary = summary_of(report);
        let mut tail = |name, json: serde_json::Result<String>| {
            write!(out, ",\n  \"{name}\": {}", indented(json?, "  "))
        };
        tail("summary", serde_json::to_string_pretty(&summary))?;
        tail("notChecked", serde_json::to_string_pretty(&report.not_checked_with_options()))?;
        writeln!(out, "\n}}")
    }
}

/// The summary of a report.
pub(super) fn summary_of(report: &RunCounts) -> JsonSummary {
    let mut summary = report.totals.summary();
    if report.hides_addresses {
        summary.unseen.clear();
    }
    JsonSummary {
        stale_baseline: report.stale,
        fixed: matches!(report.fix_mode, FixMode::Apply(_)).then_some(report.fixed),
        ..summary
    }
}

/// Indents the lines after the first. JSON strings contain no line breaks, so they stay unchanged.
fn indented(json: String, indent: &str) -> String {
    json.replace('\n', &format!("\n{indent}"))
}
