//! Annotations for GitHub Actions, printed as workflow commands, one per line.

use std::fmt::Write as _;
use std::io::{self, Write};

use tollproof_core::{ColumnUnit, Finding, LineIndex, Severity, Source, StrictError, UserRule};

use super::{FileFindings, Printer, ShownFinding, other_drafts};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line, printable};

/// The environment variable with the path of the job summary.
pub(super) const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The maximum number of annotations of one level per step. GitHub silently drops more.
const MOST: usize = 10;

/// Prints at most [`MOST`] annotations of each level. If there are more findings, the last annotation counts the rest.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    levels: [AnnotationLevel; 3],
}

/// The annotations of one level.
#[derive(Debug, Default)]
struct AnnotationLevel {
    found: usize,
    /// The last possible annotation. It is printed at the end, or replaced with the number of further findings.
    last: String,
}

impl Printer for Annotations {
    fn columns(&self) -> ColumnUnit {
        ColumnUnit::Utf16
    }

    fn finding(&mut self, out: &mut dyn Write, shown: ShownFinding<'_, '_>) -> io::Result<()> {
        let ShownFinding { finding, places, checked } = shown;
        let level = &mut self.levels[finding.severity as usize];
        level.found += 1;
        if level.found < MOST {
            writeln!(out, "{}", annotation(finding, checked, places))?;
        } else if level.found == MOST {
            level.last = annotation(finding, checked, places);
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        let has_summary = std::env::var_os(STEP_SUMMARY).is_some_and(|path| !path.is_empty());
        let all = if has_summary { "the summary of the job" } else { "`tollproof check`" };
        for severity in Severity::ALL.into_iter().rev() {
            let AnnotationLevel { found, last } = &self.levels[severity as usize];
            match found.saturating_sub(MOST) {
                0 if last.is_empty() => {}
                0 => writeln!(out, "{last}")?,
                over => {
                    let command = command(severity);
                    let noun = severity.name();
                    writeln!(
                        out,
                        "::{command} title=tollproof::{} more {noun}s; {all} lists them",
                        over + 1
                    )?;
                }
            }
        }
        Ok(())
    }
}

/// The annotation of an error in a rule file or configuration.
pub(super) fn strict(_: Look, error: &StrictError) -> String {
    let source = Source::new(error.file.as_str(), error.text.as_str());
    let mut places = LineIndex::counting(ColumnUnit::Utf16, &source);
    let mut line = format!("::error file={}", property(&error.file));
    if let Some(span) = error.span {
        let place = places.at(span.start);
        let _ = write!(line, ",line={},col={}", place.line, place.column);
    }
    line + "::" + &words(&error.message, error.help.as_deref()) + "\n"
}

fn annotation(finding: &Finding, checked: &FileFindings<'_>, places: &mut LineIndex<'_>) -> String {
    let mut line = format!("::{} file={}", command(finding.severity), property(places.source().identity()));
    if let Some(span) = finding.span {
        let (start, end) = places.of(span);
        let _ = write!(line, ",line={},endLine={}", start.line, end.line);
        // GitHub accepts columns only if start and end are on the same line.
        if start.line == end.line {
            let _ = write!(line, ",col={},endColumn={}", start.column, end.column);
        }
    }
    let _ = write!(line, ",title={}::", property(&finding.rule));
    line + &words(&other_drafts::message(finding, checked, places), finding.help.as_deref())
}

fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    }
}

fn words(message: &str, help: Option<&str>) -> String {
    let help = help.map(|help| format!("\n{help}")).unwrap_or_default();
    let text = one_line(message) + &help;
    data(&text.chars().map(|c| if c == '\n' { c } else { printable(c) }).collect::<String>())
}

/// Escapes the data of a workflow command, which is the text after the last `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property, where a colon or comma would end it.
fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}
