//! The report in JUnit's XML format: each file is a suite, each finding a failing test; a file without findings has a
//! passing test.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};
use tollproof_core::{Finding, UserRule};

use super::{FileFindings, Printer, ReportOptions, other_drafts};
use crate::counts::RunCounts;
use crate::terminal::{Look, one_line};
use tollproof_core::LineIndex;

/// Keeps the suites until the end, because the start of the report contains their total.
#[derive(Debug)]
pub(super) struct Junit {
    suites: Suites,
}

impl Junit {
    pub(super) fn boxed(_: Look, _: ReportOptions) -> Box<dyn Printer> {
        Box::new(Self { suites: Suites::new("tollproof") })
    }
}

impl Printer for Junit {
    fn file(&mut self, _: &mut dyn Write, checked: &FileFindings<'_>) -> io::Result<()> {
        // The library removes whole escape sequences. Visible characters in their place keep the text after them.
        let file = one_line(checked.source.name());
        let mut places = LineIndex::new(checked.source);
        let mut suite = TestSuite::new(file.as_str());
        if checked.findings.is_empty() {
            suite.add_test_case(case("no findings".to_owned(), TestCaseStatus::success(), &file));
        }
        for finding in checked.findings {
            suite.add_test_case(failure(finding, checked, &mut places, &file));
        }
        self.suites.add_test_suite(suite);
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _: &RunCounts, _: &[UserRule]) -> io::Result<()> {
        self.suites.serialize(out).map_err(io::Error::other)
    }
}

fn failure(
    finding: &Finding,
    checked: &FileFindings<'_>,
    places: &mut LineIndex<'_>,
    file: &str,
) -> TestCase {
    let place = finding.span.map(|span| places.at(span.start));
    let name = match place {
        Some(place) => format!("{} at {}:{}", finding.rule, place.line, place.column),
        None => finding.rule.to_string(),
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    let message = other_drafts::message(finding, checked, places);
    let at = place.map(|place| format!("{}:{}:", place.line, place.column)).unwrap_or_default();
    let help = finding.help.as_deref().map(|help| format!("\n{}", one_line(help))).unwrap_or_default();
    status.set_message(message.as_str()).set_type(finding.severity.name());
    status.set_description(format!("{file}:{at} {message}{help}"));
    let mut case = case(name, status, file);
    case.add_property(("fingerprint", finding.fingerprint.as_str()));
    if let Some(place) = place {
        case.extra.insert("line".into(), place.line.to_string().into());
    }
    case
}

fn case(name: String, status: TestCaseStatus, file: &str) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(file);
    case.extra.insert("file".into(), file.into());
    case
}
