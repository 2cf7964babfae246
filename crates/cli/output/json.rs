//! The JSON report: a stable format whose `schemas/report.schema.json` is generated from the structs in this file.

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;
use tollproof_core::{JsonFinding, LineIndex, ReadUse, SeenUse, Severity, UserRule};

use super::{FileFindings, Printer, ReportOptions};
use crate::counts::{FixMode, RunCounts};
use crate::terminal::Look;

/// The version of the format. It changes when an older reader would misread the report.
pub(super) const VERSION: u32 = 1;

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
    /// What was checked and found.
    summary: JsonSummary,
    /// What tollproof could not check.
    not_checked: Vec<String>,
}

/// What was checked and found. Findings that the report does not show are counted too.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Summary"))]
pub(super) struct JsonSummary {
    /// How many documents were checked.
    documents: usize,
    /// How many findings are errors.
    errors: usize,
    /// How many findings are warnings.
    warnings: usize,
    /// How many findings are infos.
    infos: usize,
    /// How many findings are suppressed. The other counts do not include them.
    suppressed: usize,
    /// How many findings in the baseline did not occur; absent without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale_baseline: Option<usize>,
    /// The facts about pages, pictures and mail domains that were used; absent without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<JsonSeen>,
    /// The readings of drafts that were used; absent without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<JsonReadUse>,
    /// How many fixes `--fix` applied; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
}

/// The facts about addresses that were used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Seen"))]
struct JsonSeen {
    /// How many; one that two drafts need counts twice.
    used: usize,
    /// When the oldest of them was seen, in ISO 8601.
    oldest: String,
    /// When the newest of them was seen, in ISO 8601.
    newest: String,
}

/// The readings of drafts that were used.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "ReadUse"))]
struct JsonReadUse {
    /// How many drafts have a reading of every question.
    drafts: usize,
    /// How many drafts have none of some question.
    unread: usize,
    /// How many findings of words were removed or lowered.
    taken_back: usize,
    /// When the oldest answer that was used was given, in ISO 8601; null if none was used.
    oldest: Option<String>,
    /// When the newest was, in ISO 8601; null if none was used.
    newest: Option<String>,
}

/// Prints each finding as it is found.
#[derive(Debug, Default)]
pub(super) struct Json {
    findings: usize,
}

impl Json {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }
}

impl Printer for Json {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::new(checked.source);
        for found in checked.findings {
            match self.findings {
                0 => write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": [")?,
                _ => write!(out, ",")?,
            }
            self.findings += 1;
            let finding = JsonFinding::new(found, &mut places, checked.open_text);
            write!(out, "\n    {}", indented(serde_json::to_string_pretty(&finding)?, "    "))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, report: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        match self.findings {
            0 => write!(out, "{{\n  \"version\": {VERSION},\n  \"findings\": []")?,
            _ => write!(out, "\n  ]")?,
        }
        let summary = JsonSummary::of(report);
        let mut tail = |name, json: serde_json::Result<String>| {
            write!(out, ",\n  \"{name}\": {}", indented(json?, "  "))
        };
        tail("summary", serde_json::to_string_pretty(&summary))?;
        tail("notChecked", serde_json::to_string_pretty(&report.not_checked_with_options()))?;
        writeln!(out, "\n}}")
    }
}

impl JsonSummary {
    pub(super) fn of(report: &RunCounts) -> Self {
        Self {
            documents: report.documents,
            errors: report.count(Severity::Error),
            warnings: report.count(Severity::Warning),
            infos: report.count(Severity::Info),
            suppressed: report.suppressed(),
            stale_baseline: report.stale,
            seen: JsonSeen::of(&report.seen),
            read: JsonReadUse::of(&report.read),
            fixed: matches!(report.fix_mode, FixMode::Apply(_)).then_some(report.fixed),
        }
    }
}

impl JsonReadUse {
    fn of(read: &ReadUse) -> Option<Self> {
        let ReadUse { read: drafts, unread, taken_back, oldest, newest } = read;
        let time = |at: &Option<Timestamp>| at.map(|it| it.to_string());
        let (oldest, newest) = (time(oldest), time(newest));
        let json = Self { drafts: *drafts, unread: *unread, taken_back: *taken_back, oldest, newest };
        read.has_readings().then_some(json)
    }
}

impl JsonSeen {
    fn of(seen: &SeenUse) -> Option<Self> {
        let (oldest, newest) = seen.oldest.zip(seen.newest)?;
        Some(Self { used: seen.used, oldest: oldest.to_string(), newest: newest.to_string() })
    }
}

/// Indents the lines after the first. JSON strings contain no line breaks, so they stay unchanged.
fn indented(json: String, indent: &str) -> String {
    json.replace('\n', &format!("\n{indent}"))
}
