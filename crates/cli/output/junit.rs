//! The report in JUnit's XML format: each file is a suite, each finding a failing test; a file without findings has a
//! passing test.

use std::io::{self, Write};

use askama::Template;
use tollproof_core::{Finding, LineIndex, UserRule};

use super::{FileFindings, Printer, ReportOptions, other_drafts};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line};

/// Keeps the suites until the end, because the start of the report contains their total.
#[derive(Debug, Default)]
pub(super) struct Junit {
    tests: usize,
    failures: usize,
    /// Complete elements.
    suites: String,
}

impl Junit {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self::default())
    }
}

/// A file. Its strings have no control characters, which XML cannot contain even if they are escaped.
#[derive(Template)]
#[template(path = "junit.xml", config = "crates/cli/output/askama.toml", whitespace = "preserve")]
struct Suite {
    file: String,
    failures: Vec<FailedTest>,
}

/// A finding.
struct FailedTest {
    name: String,
    line: Option<usize>,
    fingerprint: String,
    severity: &'static str,
    message: String,
    /// `:LINE:COLUMN`, if its place is known.
    place: String,
    help: Option<String>,
}

impl Printer for Junit {
    fn file(&mut self, _: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        let mut places = LineIndex::new(checked.source);
        let failures =
            checked.findings.iter().map(|finding| failure(finding, checked, &mut places)).collect();
        let suite = Suite { file: one_line(checked.source.name()), failures };
        self.tests += suite.failures.len().max(1);
        self.failures += suite.failures.len();
        suite.render_into(&mut self.suites).map_err(io::Error::other)?;
        // askama drops the line break at the end of a template.
        self.suites.push('\n');
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        let Self { tests, failures, suites } = self;
        writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(
            out,
            r#"<testsuites name="tollproof" tests="{tests}" skipped="0" failures="{failures}" errors="0">"#
        )?;
        writeln!(out, "{suites}</testsuites>")
    }
}

fn failure(finding: &Finding, checked: &FileFindings<'_>, places: &mut LineIndex<'_>) -> FailedTest {
    let place = finding.span.map(|span| places.at(span.start));
    FailedTest {
        name: match place {
            Some(place) => format!("{} at {}:{}", finding.rule, place.line, place.column),
            None => finding.rule.to_string(),
        },
        line: place.map(|place| place.line),
        fingerprint: finding.fingerprint.to_string(),
        severity: finding.severity.name(),
        message: other_drafts::message(finding, checked, places),
        place: place.map(|place| format!(":{}:{}", place.line, place.column)).unwrap_or_default(),
        help: finding.help.as_deref().map(one_line),
    }
}
