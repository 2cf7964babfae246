//! Fixes of a draft, applied to its text.

use pyo3::prelude::*;
use tollproof_core::{Finding, Fixer, Parsed, Report, Safety, Severity, Source, Translation};
use tollproof_project::{InputFile, ProjectError, Session};

use crate::errors;
use crate::report::{KnownFindings, ReportBuilder, ReportedDrafts};

/// A draft after its fixes.
#[pyclass(frozen, get_all, module = "tollproof._tollproof")]
pub(crate) struct FixedDraft {
    /// The text with the fixes.
    text: String,
    /// The number of applied fixes.
    count: usize,
    /// The findings that were fixed.
    fixed: Py<ReportedDrafts>,
    /// The findings left, with fixes.
    left: Py<ReportedDrafts>,
}

/// Applies the fixes of a text until none is left; `reach` is the safety of those that are applied.
pub(crate) fn fix(
    py: Python<'_>,
    (session, file): (&Session, &InputFile),
    (source, is_value): (&Source<'_>, bool),
    reach: Safety,
    translation: &std::sync::Arc<Translation>,
) -> PyResult<FixedDraft> {
    if !source.is_exact() {
        return Err(errors::invalid("the text is not UTF-8, so that fixes would lose bytes", ""));
    }
    let parsed = Parsed::of(source, None);
    let mut failed: Option<ProjectError> = None;
    let mut check = |parsed: &Parsed<'_>| match session.check(file, parsed) {
        Ok(checked) => checked.report,
        Err(error) => {
            failed = Some(error);
            Report::default()
        }
    };
    let before = check(&parsed);
    let fixed = py.detach(|| Fixer { reach, least: Severity::Info }.fix(&parsed, &before, &mut check));
    if let Some(error) = failed {
        return Err(errors::of_project(error));
    }
    let (new, left, count) = match fixed {
        Some(fixed) => (fixed.source, fixed.report, fixed.fixed),
        None => (Source::new(source.name(), source.text().to_owned()), before.clone(), 0),
    };
    let is_left = |finding: &Finding| {
        left.findings.iter().any(|new| new.rule == finding.rule && new.pointer == finding.pointer)
    };
    let is_fixed =
        |finding: &&Finding| finding.fix.as_ref().is_some_and(|fix| fix.safety <= reach) && !is_left(finding);
    let done =
        Report { findings: before.findings.iter().filter(is_fixed).cloned().collect(), ..Report::default() };
    let written = |report: &Report, source: &Source<'_>| {
        let mut written = ReportBuilder::new(translation);
        written.add_report(report, source, &|_| None, is_value);
        Py::new(py, written.end(false, &KnownFindings::default()))
    };
    let (fixed, left) = (written(&done, source)?, written(&left, &new)?);
    Ok(FixedDraft { text: new.text().to_owned(), count, fixed, left })
}
