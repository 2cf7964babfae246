//! The report for programs: a contract, `schemas/report.schema.json`, made from the structs of this file.

use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::Kind;
use tollproof_core::Source;
use tollproof_core::{Finding, Safety, Severity, UserRule};

use super::{FileFindings, Printer, ReportOptions, pointer};
use crate::counts::{FixMode, RunCounts};
use crate::terminal::Look;
use tollproof_core::LineIndex;

/// The version of the contract; it changes when a reader of the old form would go wrong.
pub(super) const VERSION: u32 = 1;

/// Findings stand two levels deep.
const INDENT: &str = "    ";

/// What `--output-format json` prints: findings in the order of files and of places in them.
///
/// The report is written piece by piece; this struct is its form. `--output-format jsonl` prints each of the findings
/// as one line, and all but `findings` as the last.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "camelCase", deny_unknown_fields, title = "JsonReport of tollproof check")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct JsonReport {
    /// The version of this form, 1.
    version: u32,
    /// One entry a finding, in the order of files and of places in them.
    findings: Vec<JsonFinding<'static>>,
    /// What was looked at and found.
    summary: JsonSummary,
    /// What could not be checked from where tollproof ran.
    not_checked: Vec<String>,
}

/// One thing wrong with one value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Finding"))]
pub(super) struct JsonFinding<'f> {
    /// The rule that says so: `group/name`.
    rule: &'f str,
    /// How much it weighs: `error`, `warning` or `info`.
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning", "info"])))]
    severity: &'static str,
    /// What is wrong, in one clause.
    message: &'f str,
    /// What to write instead.
    help: Option<&'f str>,
    /// The file, as it was named or met; `<stdin>` for standard input without a name.
    file: &'f str,
    /// Counts the documents of the file, from 0.
    document: usize,
    /// What the document is; null where that is not known.
    #[cfg_attr(test, schemars(extend("enum" = kinds())))]
    kind: Option<&'static str>,
    /// The value, as an RFC 6901 pointer into its document; for a missing field, the absent one. Of one with more than 4096
    /// bytes, those.
    pointer: &'f str,
    /// The smallest place that is wrong; null where there is no text.
    span: Option<JsonSpan>,
    /// Other places that explain the finding.
    related: Vec<JsonRelated<'f>>,
    /// A mechanical remedy, if there is one.
    fix: Option<JsonFix<'f>>,
    /// The reviewers' codes that this finding foresees.
    prevents: Vec<JsonPrevents<'f>>,
    /// The same for the same finding in a later version of the file.
    fingerprint: &'f str,
    /// Why it does not count: absent where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<JsonSuppressed<'f>>,
}

/// Why a finding does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Suppressed"))]
struct JsonSuppressed<'f> {
    /// Who said so: a `comment` in the file, the `config`, or a `baseline` that knew it already.
    #[cfg_attr(test, schemars(extend("enum" = ["comment", "config", "baseline"])))]
    by: &'static str,
    /// Why, as it is written there; a baseline gives no reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'f str>,
}

/// A part of a file. Ends are exclusive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Span"))]
struct JsonSpan {
    /// The first byte, from 0.
    start: u32,
    /// The byte behind the last.
    end: u32,
    /// The line of the start, from 1.
    line: usize,
    /// The column of the start in code points, from 1.
    column: usize,
    /// The line of the end, from 1.
    end_line: usize,
    /// The column of the end in code points, from 1.
    end_column: usize,
}

/// Another place that explains a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Related"))]
struct JsonRelated<'f> {
    /// The file.
    file: &'f str,
    /// The place; null where there is no text.
    span: Option<JsonSpan>,
    /// What stands there.
    message: &'f str,
}

/// A remedy that needs no thought, or nearly none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Fix"))]
struct JsonFix<'f> {
    /// Whether it may be applied unseen: `safe` or `unsafe`.
    #[cfg_attr(test, schemars(extend("enum" = ["safe", "unsafe"])))]
    safety: &'static str,
    /// Replacements in the file, in order, not overlapping.
    edits: Vec<JsonEdit<'f>>,
}

/// One replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Edit"))]
struct JsonEdit<'f> {
    /// The first byte that goes, from 0.
    start: u32,
    /// The byte behind the last that goes.
    end: u32,
    /// What comes instead.
    text: &'f str,
}

/// A code that a reviewer answers with.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Prevents"))]
struct JsonPrevents<'f> {
    /// Whose code: `twilio`, `bandwidth`, ...
    by: &'f str,
    /// The code, as its vendor writes it.
    code: &'f str,
}

/// What was looked at and found; hidden findings are counted too.
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
    /// How many findings do not count, and are in none of these numbers.
    suppressed: usize,
    /// How many findings that the baseline knows are there no more; absent without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    stale_baseline: Option<usize>,
    /// How many fixes `--fix` applied; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
}

/// Prints the findings one by one.
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
            let head = match self.findings {
                0 => format!("{{\n  \"version\": {VERSION},\n  \"findings\": ["),
                _ => ",".to_owned(),
            };
            write!(out, "{head}\n{INDENT}")?;
            self.findings += 1;
            serde_json::to_writer_pretty(Indented(out), &JsonFinding::new(found, &mut places, checked))?;
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
            write!(out, ",\n  \"{name}\": {}", json?.replace('\n', "\n  "))
        };
        tail("summary", serde_json::to_string_pretty(&summary))?;
        tail("notChecked", serde_json::to_string_pretty(&report.not_checked()))?;
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
            fixed: matches!(report.fix_mode, FixMode::Apply(_)).then_some(report.fixed),
        }
    }
}

impl<'f> JsonFinding<'f> {
    pub(super) fn new(found: &'f Finding, places: &mut LineIndex<'_>, checked: &'f FileFindings<'_>) -> Self {
        let related = |it: &'f tollproof_core::Related, places: &mut LineIndex<'_>| {
            let here = checked.source.name();
            let file = it.file.as_deref().unwrap_or(here);
            let span = it.span.and_then(|span| match file == here {
                true => Some(JsonSpan::new(span, places)),
                false => Some(JsonSpan::in_source(span, &(checked.open_text)(file)?)),
            });
            JsonRelated { file, span, message: &it.message }
        };
        Self {
            rule: &found.rule,
            severity: found.severity.name(),
            message: &found.message,
            help: found.help.as_deref(),
            file: checked.source.name(),
            document: found.document,
            kind: found.kind.map(Kind::name),
            pointer: pointer(&found.pointer),
            span: found.span.map(|span| JsonSpan::new(span, places)),
            related: found.related.iter().map(|it| related(it, places)).collect(),
            fix: found.fix.as_ref().map(JsonFix::new),
            prevents: found.prevents.iter().map(JsonPrevents::new).collect(),
            fingerprint: &found.fingerprint,
            suppressed: found
                .suppressed
                .as_ref()
                .map(|it| JsonSuppressed { by: it.by.name(), reason: it.reason.as_deref() }),
        }
    }
}

impl JsonSpan {
    fn new(span: tollproof_core::Span, places: &mut LineIndex<'_>) -> Self {
        let (start, end) = places.of(span);
        Self {
            start: span.start,
            end: span.end,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    fn in_source(span: tollproof_core::Span, source: &Source<'_>) -> Self {
        Self::new(span, &mut LineIndex::new(source))
    }
}

impl<'f> JsonFix<'f> {
    fn new(fix: &'f tollproof_core::Fix) -> Self {
        let safety = match fix.safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        };
        let edit = |it: &'f tollproof_core::Edit| JsonEdit {
            start: it.span.start,
            end: it.span.end,
            text: &it.text,
        };
        Self { safety, edits: fix.edits.iter().map(edit).collect() }
    }
}

impl<'f> JsonPrevents<'f> {
    fn new(prevents: &'f tollproof_core::Prevents) -> Self {
        Self { by: &prevents.by, code: &prevents.code }
    }
}

/// Indents what is written through it; JSON has no line breaks inside strings.
struct Indented<'w>(&'w mut dyn Write);

impl Write for Indented<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.0.write_all(piece)?;
            if piece.ends_with(b"\n") {
                self.0.write_all(INDENT.as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
fn kinds() -> Vec<Option<&'static str>> {
    Kind::all().map(|kind| Some(kind.name())).chain([None]).collect()
}
