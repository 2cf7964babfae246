//! Rules measured on drafts whose verdicts are known.

use std::borrow::Cow;
use std::cmp::Reverse;

use pyo3::prelude::*;
use tollproof_core::{Outcome, Severity};
use tollproof_project::evaluation::{KnownOutcome, MeasuredFinding, Metrics};

/// The drafts of the verdicts, those of them with an error or a finding, and those whose code was found.
type VerdictCounts = (usize, usize, usize, usize, usize, usize, usize, usize, usize);

/// A rule, its usual severity, its rejected and approved drafts, and the part of them that was rejected.
type ScoredRule = (String, &'static str, usize, usize, f64);

/// Counts what rules find in drafts whose verdicts are known. The codes that a rule prevents are its concepts.
#[pyclass(module = "tollproof._tollproof")]
pub(crate) struct VerdictMeter {
    metrics: Metrics<'static>,
}

#[pymethods]
impl VerdictMeter {
    /// Nothing yet, for rules with the codes that they prevent.
    #[new]
    fn new(rules: Vec<(String, Vec<String>)>) -> Self {
        let codes = |codes: Vec<String>| codes.into_iter().map(Cow::Owned).collect();
        Self { metrics: Metrics::new(rules.into_iter().map(|(rule, all)| (Cow::Owned(rule), codes(all)))) }
    }

    /// `bad` or `good` for the status of a rejected or a verified submission at any provider.
    #[staticmethod]
    fn label(status: &str) -> Option<&'static str> {
        match Outcome::of(status, None) {
            Outcome::Rejected => Some("bad"),
            Outcome::Verified => Some("good"),
            Outcome::Open | Outcome::Ended => None,
        }
    }

    /// Counts the findings of a draft, which is `bad` or `good` or something else: each is a rule and a severity.
    fn take(&mut self, label: &str, code: Option<String>, findings: Vec<(String, String)>) {
        let severity = |name: &str| Severity::ALL.into_iter().find(|severity| severity.name() == name);
        let measured = findings.iter().filter_map(|(rule, name)| {
            Some(MeasuredFinding { rule, severity: severity(name)?, field: String::new(), words: None })
        });
        let expected: Vec<String> = code.into_iter().collect();
        let known = KnownOutcome { label, field: "all", expected: &expected, tolerated: &[] };
        self.metrics.count(known, "", &measured.collect::<Vec<_>>());
    }

    /// The counts, in the order of the fields of `Evaluation`, and the rules with findings.
    fn end(&self) -> (VerdictCounts, Vec<ScoredRule>) {
        let labels = &self.metrics.labels;
        let of = |label: &str| labels.get(label).cloned().unwrap_or_default();
        let (bad, good) = (of("bad"), of("good"));
        let skipped = labels.values().map(|group| group.drafts).sum::<usize>() - bad.drafts - good.drafts;
        let counts = (
            bad.drafts,
            good.drafts,
            skipped,
            bad.with_errors.count,
            bad.detected.count,
            good.with_errors.count,
            good.detected.count,
            bad.right_reason.of,
            bad.right_reason.count,
        );
        let mut rules: Vec<_> = self.metrics.rules.iter().filter(|rule| rule.precision.of > 0).collect();
        rules.sort_by_key(|rule| (Reverse(rule.bad), rule.good));
        let scored = rules.into_iter().map(|rule| {
            let all = rule.precision.of;
            let severity = if rule.with_errors * 2 > all { Severity::Error } else { Severity::Warning };
            (rule.rule.to_string(), severity.name(), rule.bad, rule.good, rule.bad as f64 / all as f64)
        });
        (counts, scored.collect())
    }
}
