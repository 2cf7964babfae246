//! The report of a check: findings as JSON, and counts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use serde_json::Value;
use tollproof_core::{
    Finding, JsonFinding, JsonSummary, LineIndex, NotChecked, Related, Report, ReportTotals, Source, Span,
    Translation, names_rule, without_secrets,
};
use tollproof_project::{Baseline, CheckedText, Disk, ProjectError};

use crate::excerpt::{MAX_EXCERPTS, MarkedExcerpt};

/// A check's findings for Python.
#[pyclass(frozen, module = "tollproof._tollproof")]
pub(crate) struct ReportedDrafts {
    /// The findings as a JSON list.
    #[pyo3(get)]
    findings: String,
    /// Errors, warnings and infos, without those that are suppressed.
    #[pyo3(get)]
    counts: (usize, usize, usize),
    /// The number of checked documents.
    #[pyo3(get)]
    documents: usize,
    /// The unchecked parts.
    #[pyo3(get)]
    not_checked: Vec<String>,
    /// Excerpts of the first findings.
    #[pyo3(get)]
    excerpts: Vec<Option<MarkedExcerpt>>,
    /// The summary as JSON.
    summary: String,
}

/// Parts of an equal report.
type ReportParts = (String, (usize, usize, usize), usize, Vec<String>, Vec<Option<MarkedExcerpt>>, String);

#[pymethods]
impl ReportedDrafts {
    /// A report that was sent to another process.
    #[new]
    fn new(
        findings: String,
        counts: (usize, usize, usize),
        documents: usize,
        not_checked: Vec<String>,
        excerpts: Vec<Option<MarkedExcerpt>>,
        summary: String,
    ) -> Self {
        Self { findings, counts, documents, not_checked, excerpts, summary }
    }

    fn __getnewargs__(&self) -> ReportParts {
        let Self { findings, counts, documents, not_checked, excerpts, summary } = self;
        (findings.clone(), *counts, *documents, not_checked.clone(), excerpts.clone(), summary.clone())
    }

    /// The report as `tollproof check --output-format json --min-severity info` prints it.
    fn report(&self) -> String {
        let value = |json: &str| serde_json::from_str(json).unwrap_or(Value::Null);
        let pretty = |value: &Value, indent: &str| {
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            text.replace('\n', &format!("\n{indent}"))
        };
        let findings = pretty(&value(&self.findings), "  ");
        let summary = pretty(&value(&self.summary), "  ");
        let not_checked = pretty(&serde_json::to_value(&self.not_checked).unwrap_or_default(), "  ");
        let version = JsonSummary::REPORT_VERSION;
        format!(
            "{{\n  \"version\": {version},\n  \"findings\": {findings},\n  \"summary\": {summary},\n  \"notChecked\": \
             {not_checked}\n}}\n"
        )
    }
}

/// The baselines of configurations, by their paths.
#[derive(Default)]
pub(crate) struct KnownFindings {
    all: HashMap<PathBuf, Baseline>,
    has_history: bool,
    /// The files and folders that are checked.
    paths: Vec<PathBuf>,
}

impl KnownFindings {
    /// Nothing yet, for a check of these files and folders.
    pub(crate) fn of_paths(paths: Vec<PathBuf>) -> Self {
        Self { paths, ..Self::default() }
    }

    /// Marks the known findings of a text as suppressed.
    pub(crate) fn mark(&mut self, text: &mut CheckedText) -> Result<(), ProjectError> {
        let config = Arc::clone(&text.report.config);
        let Some(path) = config.baseline() else { return Ok(()) };
        self.has_history |= config.has_history();
        if !self.all.contains_key(&path) {
            self.all.insert(path.clone(), Baseline::read(&Disk, &path, &self.paths)?);
        }
        if let Some(baseline) = self.all.get_mut(&path) {
            let is_locked = |rule: &str| names_rule(&config.settings.locked_rules, rule);
            baseline.mark(text.source.identity(), &mut text.report.report.findings, is_locked);
        }
        Ok(())
    }

    fn stale(&self) -> Option<usize> {
        let is_asked = |rule: &str| self.has_history || !rule.starts_with("history/");
        (!self.all.is_empty()).then(|| self.all.values().map(|it| it.stale(is_asked)).sum())
    }
}

/// Collects the findings of texts.
pub(crate) struct ReportBuilder {
    translation: Arc<Translation>,
    findings: String,
    excerpts: Vec<Option<MarkedExcerpt>>,
    totals: ReportTotals,
}

impl ReportBuilder {
    pub(crate) fn new(translation: &Arc<Translation>) -> Self {
        let (findings, excerpts, totals) = Default::default();
        Self { translation: Arc::clone(translation), findings, excerpts, totals }
    }

    /// Whether nothing was checked.
    pub(crate) fn is_empty(&self) -> bool {
        self.totals.documents == 0 && self.findings.is_empty()
    }

    /// Adds the findings of a text of a run. Those of a value have no places, and no fixes: its text is ours.
    pub(crate) fn add(&mut self, text: &CheckedText, is_value: bool) {
        let report = &text.report.report;
        if text.is_config {
            let shown = Source::new(text.source.name(), without_secrets(text.source.text()));
            let shown = shown.known_as(Some(text.source.identity().to_owned()));
            return self.add_report(report, &shown, &|_| None, is_value);
        }
        let source = text.shown();
        let open = |related: &Related| text.report.related.open_place(source.name(), related);
        self.add_report(report, source, &open, is_value);
    }

    /// Adds the findings of a source. `open` opens another text that a finding points into.
    pub(crate) fn add_report(
        &mut self,
        report: &Report,
        source: &Source<'_>,
        open: &dyn Fn(&Related) -> Option<(Source<'static>, Span)>,
        is_value: bool,
    ) {
        self.totals.add(report);
        let mut findings: Vec<Finding> =
            report.findings.iter().map(|it| self.translation.finding(it)).collect();
        let excerpts = findings.iter().map(|it| MarkedExcerpt::of(source, it.span?));
        self.excerpts.extend(excerpts.take(MAX_EXCERPTS.saturating_sub(self.excerpts.len())));
        if is_value {
            findings.iter_mut().for_each(without_places);
        }
        let mut places = LineIndex::new(source);
        for found in &findings {
            let json = JsonFinding::new(found, &mut places, open);
            self.findings.push(if self.findings.is_empty() { '[' } else { ',' });
            self.findings += &serde_json::to_string(&json).unwrap_or_default();
        }
    }

    /// The report, after the last text. `lacks_history` is whether drafts have numbers that were not looked up.
    pub(crate) fn end(mut self, lacks_history: bool, known: &KnownFindings) -> ReportedDrafts {
        self.totals.without_history = lacks_history;
        let said = |note: &NotChecked| self.translation.message(&note.with_option()).into();
        let summary = JsonSummary { stale_baseline: known.stale(), ..self.totals.summary() };
        ReportedDrafts {
            findings: if self.findings.is_empty() { "[]".to_owned() } else { self.findings + "]" },
            counts: (summary.errors, summary.warnings, summary.infos),
            documents: summary.documents,
            not_checked: self.totals.not_checked(true).iter().map(said).collect(),
            excerpts: self.excerpts,
            summary: serde_json::to_string(&summary).unwrap_or_default(),
        }
    }
}

/// Removes places in a text that the caller does not have.
fn without_places(found: &mut Finding) {
    found.span = None;
    found.fix = None;
    for related in &mut found.related {
        (related.span, related.place) = (None, None);
    }
}
