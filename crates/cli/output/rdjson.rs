//! Diagnostics for reviewdog, in its own format. It counts columns in bytes.

use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::{Finding, Fix, Severity, Source, Span, UserRule};

use super::rule_docs::{REPOSITORY, url};
use super::{FileFindings, Printer, ReportOptions};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line};
use tollproof_core::{ColumnUnit, LineIndex};

/// One diagnostic, with the keys that reviewdog reads.
#[derive(Debug, Serialize)]
struct Diagnostic<'f> {
    message: String,
    location: RdLocation<'f>,
    severity: &'static str,
    code: Code<'f>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<[Suggestion; 1]>,
}

#[derive(Debug, Serialize)]
struct RdLocation<'f> {
    /// As it was named: reviewdog starts from the current folder too.
    path: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

/// Ends are exclusive.
#[derive(Debug, Serialize)]
struct Range {
    start: RdPosition,
    end: RdPosition,
}

/// Both from 1.
#[derive(Debug, Serialize)]
struct RdPosition {
    line: usize,
    column: usize,
}

#[derive(Debug, Serialize)]
struct Code<'f> {
    value: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
}

#[derive(Debug, Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

#[derive(Debug, Serialize)]
struct Origin {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'static str>,
}

/// Prints the diagnostics one by one.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    begun: bool,
}

impl Diagnostics {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }

    /// Writes what stands before the next diagnostic, or before the end.
    fn lead(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return write!(out, ",");
        }
        write!(out, "{{\"source\":")?;
        serde_json::to_writer(&mut *out, &Origin { name: "tollproof", url: REPOSITORY })?;
        write!(out, ",\"diagnostics\":[")
    }
}

impl Printer for Diagnostics {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::counting(ColumnUnit::Utf8, checked.source);
        for finding in checked.findings {
            self.lead(out)?;
            writeln!(out)?;
            serde_json::to_writer(&mut *out, &diagnostic(finding, &mut places))?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        if !self.begun {
            self.lead(out)?;
        }
        writeln!(out, "\n]}}")
    }
}

fn diagnostic<'f>(finding: &'f Finding, places: &mut LineIndex<'f>) -> Diagnostic<'f> {
    let message = match &finding.help {
        Some(help) => format!("{}\n{help}", one_line(&finding.message)),
        None => one_line(&finding.message),
    };
    Diagnostic {
        message,
        location: RdLocation {
            path: places.source().name(),
            range: finding.span.map(|span| range(span, places)),
        },
        severity: match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        code: Code { value: &finding.rule, url: url(&finding.rule) },
        suggestions: finding.fix.as_ref().and_then(|fix| suggestion(fix, places)).map(|it| [it]),
    }
}

fn range(span: Span, places: &mut LineIndex<'_>) -> Range {
    let (start, end) = places.of(span);
    Range {
        start: RdPosition { line: start.line, column: start.column },
        end: RdPosition { line: end.line, column: end.column },
    }
}

/// A fix as one replacement: reviewdog offers each suggestion alone, and half a fix would mend nothing.
fn suggestion(fix: &Fix, places: &mut LineIndex<'_>) -> Option<Suggestion> {
    let (first, last) = (fix.edits.first()?, fix.edits.last()?);
    let source: &Source<'_> = places.source();
    let mut text = String::new();
    let mut at = first.span.start;
    for edit in &fix.edits {
        text.push_str(source.slice(Span { start: at, end: edit.span.start }));
        text.push_str(&edit.text);
        at = edit.span.end;
    }
    Some(Suggestion { range: range(Span { start: first.span.start, end: last.span.end }, places), text })
}
