//! Annotations for GitHub Actions: workflow commands, one a line, as its runner reads them.

use std::fmt::Write as _;
use std::io::{self, Write};

use tollproof_core::{Finding, Severity, Source, StrictError, UserRule};

use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line, printable};
use tollproof_core::{ColumnUnit, LineIndex};

/// The variable that names the file behind the job's summary.
pub(super) const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// How many annotations of one level GitHub shows of a step; it drops the others without a word.
const MOST: usize = 10;

/// Prints annotations, at most [`MOST`] of a level; where there are more findings, the last one counts the rest.
#[derive(Debug, Default)]
pub(super) struct Annotations {
    levels: [AnnotationLevel; 3],
}

/// The annotations of one level.
#[derive(Debug, Default)]
struct AnnotationLevel {
    found: usize,
    /// The last that there is room for, held back until it is known whether the room is needed for a closing word.
    last: String,
}

impl Annotations {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }
}

impl Printer for Annotations {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::counting(ColumnUnit::Utf16, checked.source);
        for finding in checked.findings {
            let level = &mut self.levels[finding.severity as usize];
            level.found += 1;
            if level.found < MOST {
                writeln!(out, "{}", annotation(finding, &mut places))?;
            } else if level.found == MOST {
                level.last = annotation(finding, &mut places);
            }
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

/// The annotation of why a rule file or a configuration cannot be used.
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

fn annotation(finding: &Finding, places: &mut LineIndex<'_>) -> String {
    let mut line = format!("::{} file={}", command(finding.severity), property(places.source().identity()));
    if let Some(span) = finding.span {
        let (start, end) = places.of(span);
        let _ = write!(line, ",line={},endLine={}", start.line, end.line);
        // GitHub takes columns only where both are on one line.
        if start.line == end.line {
            let _ = write!(line, ",col={},endColumn={}", start.column, end.column);
        }
    }
    let _ = write!(line, ",title={}::", property(&finding.rule));
    line + &words(&finding.message, finding.help.as_deref())
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

/// Text behind the last `::`, where these three are written as their codes.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(&one_line(text)).replace(':', "%3A").replace(',', "%2C")
}
