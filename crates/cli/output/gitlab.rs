//! GitLab's code quality report: a list of issues, each with its first line.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;
use tollproof_core::{Finding, Severity, UserRule};

use super::{FileFindings, Printer, ReportOptions, other_drafts};
use crate::counts::RunCounts;
use crate::terminal::Look;
use tollproof_core::LineIndex;

/// An issue with the keys that GitLab reads.
#[derive(Debug, Serialize)]
struct Issue<'f> {
    description: String,
    check_name: &'f str,
    fingerprint: String,
    severity: &'static str,
    location: GitlabLocation<'f>,
}

#[derive(Debug, Serialize)]
struct GitlabLocation<'f> {
    path: &'f str,
    lines: GitlabLines,
}

#[derive(Debug, Serialize)]
struct GitlabLines {
    begin: usize,
    end: usize,
}

/// Prints each issue as it is found.
#[derive(Debug, Default)]
pub(super) struct CodeQuality {
    /// How often each fingerprint was printed: GitLab drops issues with duplicate fingerprints.
    seen: HashMap<String, usize>,
}

impl CodeQuality {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }

    /// A unique fingerprint for a finding. Two files may contain the same draft, so repeated fingerprints are
    /// numbered.
    fn fingerprint(&mut self, finding: &Finding) -> String {
        let times = self.seen.entry(finding.fingerprint.clone()).or_default();
        *times += 1;
        match *times {
            1 => finding.fingerprint.clone(),
            times => format!("{}-{times}", finding.fingerprint),
        }
    }
}

impl Printer for CodeQuality {
    fn file(&mut self, out: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::new(checked.source);
        for finding in checked.findings {
            let lines = finding.span.map_or((1, 1), |span| {
                let (start, end) = places.of(span);
                (start.line, end.line)
            });
            write!(out, "{}", if self.seen.is_empty() { "[\n" } else { ",\n" })?;
            let issue = Issue {
                description: other_drafts::message(finding, checked, &mut places),
                check_name: &finding.rule,
                fingerprint: self.fingerprint(finding),
                severity: match finding.severity {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Info => "info",
                },
                location: GitlabLocation {
                    path: checked.source.identity(),
                    lines: GitlabLines { begin: lines.0, end: lines.1 },
                },
            };
            serde_json::to_writer(&mut *out, &issue)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        writeln!(out, "{}", if self.seen.is_empty() { "[]" } else { "\n]" })
    }
}
