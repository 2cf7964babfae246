//! The JSON report: a stable format whose `schemas/report.schema.json` is generated from the structs in this file.

use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::Kind;
#[cfg(test)]
use tollproof_core::Provider;
use tollproof_core::Source;
use tollproof_core::{FilePlace, Finding, Safety, Severity, UserRule};

use super::{FileFindings, Printer, ReportOptions, pointer};
use crate::counts::{FixMode, RunCounts};
use crate::terminal::Look;
use tollproof_core::LineIndex;

/// The version of the format. It changes when an older reader would misread the report.
pub(super) const VERSION: u32 = 1;

/// The indentation of findings, which are nested two levels deep.
const INDENT: &str = "    ";

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

/// One problem with one value.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Finding"))]
pub(super) struct JsonFinding<'f> {
    /// The rule that reports it: `group/name`.
    rule: &'f str,
    /// The severity: `error`, `warning` or `info`.
    #[cfg_attr(test, schemars(extend("enum" = ["error", "warning", "info"])))]
    severity: &'static str,
    /// What is wrong.
    message: &'f str,
    /// How to fix it.
    help: Option<&'f str>,
    /// The file, as it was named or found in a folder; `<stdin>` for standard input without a name.
    file: &'f str,
    /// The index of the document in the file, from 0.
    document: usize,
    /// The provider that the document is for; null if it is unknown.
    #[cfg_attr(test, schemars(extend("enum" = providers())))]
    provider: Option<&'static str>,
    /// The kind of the document; null if it is unknown.
    #[cfg_attr(test, schemars(extend("enum" = kinds())))]
    kind: Option<&'static str>,
    /// The value, as an RFC 6901 pointer into its document. For a missing field, the pointer that it would have.
    /// Pointers are cut to 4096 bytes.
    pointer: &'f str,
    /// What the field at this place means, whatever the provider calls it: the name of the field in Bird's API, or another
    /// name for what only other providers ask; null if the place is not in such a field.
    role: Option<&'static str>,
    /// The smallest part of the file that is wrong; null if it has no location.
    span: Option<JsonSpan>,
    /// Other locations that explain the finding.
    related: Vec<JsonRelated<'f>>,
    /// The fix, if there is one.
    fix: Option<JsonFix<'f>>,
    /// The rejection codes of reviewers that fixing this finding prevents.
    prevents: Vec<JsonPrevents<'f>>,
    /// Identifies the same finding in other versions of the file.
    fingerprint: &'f str,
    /// Why it does not count; absent if it counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<JsonSuppressed<'f>>,
}

/// Why a finding does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Suppressed"))]
struct JsonSuppressed<'f> {
    /// What suppressed it: a `comment` in the file, the `config`, or a `baseline` that contains it.
    #[cfg_attr(test, schemars(extend("enum" = ["comment", "config", "baseline"])))]
    by: &'static str,
    /// The reason given there; a baseline has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'f str>,
}

/// A part of a file. Ends are exclusive.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Span"))]
struct JsonSpan {
    /// The offset of the first byte, from 0.
    start: u64,
    /// The offset after the last byte.
    end: u64,
    /// The line of the start, from 1.
    line: usize,
    /// The column of the start in code points, from 1.
    column: usize,
    /// The line of the end, from 1.
    end_line: usize,
    /// The column of the end in code points, from 1.
    end_column: usize,
}

/// Another location that explains a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Related"))]
struct JsonRelated<'f> {
    /// The file.
    file: &'f str,
    /// The location; null if there is none.
    span: Option<JsonSpan>,
    /// What is at this location.
    message: &'f str,
}

/// A change that fixes a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Fix"))]
struct JsonFix<'f> {
    /// Whether it can be applied without review: `safe` or `unsafe`.
    #[cfg_attr(test, schemars(extend("enum" = ["safe", "unsafe"])))]
    safety: &'static str,
    /// Replacements in the file, sorted and not overlapping.
    edits: Vec<JsonEdit<'f>>,
}

/// One replacement.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Edit"))]
struct JsonEdit<'f> {
    /// The offset of the first byte to remove, from 0.
    start: u64,
    /// The offset after the last byte to remove.
    end: u64,
    /// The replacement.
    text: &'f str,
}

/// A rejection code of a reviewer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Prevents"))]
struct JsonPrevents<'f> {
    /// Who uses the code: `twilio`, `bandwidth`, ...
    by: &'f str,
    /// The code, as its provider writes it.
    code: &'f str,
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
    /// How many fixes `--fix` applied; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
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
            let span = match (&it.place, it.span) {
                (Some(place), _) => Some(JsonSpan::of_place(place)),
                (None, Some(span)) if file == here => Some(JsonSpan::new(span, places)),
                (None, _) => (checked.open_text)(it).map(|(source, span)| JsonSpan::in_source(span, &source)),
            };
            JsonRelated { file, span, message: &it.message }
        };
        Self {
            rule: &found.rule,
            severity: found.severity.name(),
            message: &found.message,
            help: found.help.as_deref(),
            file: checked.source.name(),
            document: found.document,
            provider: found.kind.map(|kind| kind.provider().name()),
            kind: found.kind.map(Kind::name),
            pointer: pointer(&found.pointer),
            role: found.kind.and_then(|kind| kind.role_of(&found.pointer)),
            span: found.span.map(|span| JsonSpan::new(span, places)),
            related: found.related.iter().map(|it| related(it, places)).collect(),
            fix: found.fix.as_ref().map(|fix| JsonFix::new(fix, checked.source)),
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
        let offset = |offset| places.source().start().file_offset(offset);
        Self {
            start: offset(span.start),
            end: offset(span.end),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    fn of_place(place: &FilePlace) -> Self {
        let FilePlace { offset, bytes, columns, position } = place;
        Self {
            start: *offset,
            end: offset + u64::from(*bytes),
            line: position.line,
            column: position.column,
            end_line: position.line,
            end_column: position.column + *columns as usize,
        }
    }

    fn in_source(span: tollproof_core::Span, source: &Source<'_>) -> Self {
        Self::new(span, &mut LineIndex::new(source))
    }
}

impl<'f> JsonFix<'f> {
    fn new(fix: &'f tollproof_core::Fix, source: &Source<'_>) -> Self {
        let safety = match fix.safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        };
        let edit = |it: &'f tollproof_core::Edit| JsonEdit {
            start: source.start().file_offset(it.span.start),
            end: source.start().file_offset(it.span.end),
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

/// Indents lines. JSON strings contain no line breaks, so they stay unchanged.
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
fn providers() -> Vec<Option<&'static str>> {
    Provider::all().iter().map(|it| Some(it.name())).chain([None]).collect()
}

#[cfg(test)]
fn kinds() -> Vec<Option<&'static str>> {
    Kind::all().map(|kind| Some(kind.name())).chain([None]).collect()
}
