//! Measures how often rules report findings on labelled drafts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tollproof_core::{
    Document, Facts, Finding, Format, KindHint, Linter, Parsed, Severity, Source, Span, quoted,
};

use super::dataset::{LabelledDraft, WHOLE, shares_a_name};
use super::readings::ReadingsMetrics;
use super::share::Share;

/// On how many drafts a rule reported findings.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuleMetrics<'r> {
    /// The id of the rule.
    pub rule: Cow<'r, str>,
    /// Its concepts.
    pub concepts: Vec<Cow<'r, str>>,
    /// Drafts with errors of the rule as its last findings.
    #[serde(skip)]
    pub with_errors: usize,
    /// Good drafts with an error or a warning of the rule.
    pub good: usize,
    /// Bad drafts with an error or a warning of the rule.
    pub bad: usize,
    /// Good or bad drafts with only infos of the rule.
    pub info: usize,
    /// The share of bad drafts among the good and bad drafts with findings of the rule.
    pub precision: Share,
    /// The share of drafts with findings of the rule among the bad drafts that expect one of its concepts.
    pub recall: Share,
}

/// The findings of all rules on the drafts with one label.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelMetrics {
    /// The number of drafts.
    pub drafts: usize,
    /// Drafts with an error or a warning on the labelled field.
    pub detected: Share,
    /// Of the drafts that expect a concept, those where such a finding has one that is expected.
    pub right_reason: Share,
    /// Of the drafts that expect a concept, those where a finding on any field has one that is expected.
    pub right_reason_anywhere: Share,
    /// The ids of drafts without an error or a warning on the labelled field.
    pub undetected: Vec<String>,
    /// The ids of drafts with such a finding, but not of an expected concept.
    pub other_reason: Vec<String>,
    /// The same shares by the first concept that a draft expects.
    pub concepts: BTreeMap<String, ConceptMetrics>,
    /// Drafts with an error on any field whose concept is not tolerated.
    pub with_errors: Share,
    /// Drafts without such an error, but with a warning on any field whose concept is not tolerated.
    pub with_warnings: Share,
    /// These errors, by what causes them; the most frequent cause is first.
    pub error_causes: Vec<ErrorCause>,
    /// Warnings on any field, of any concept.
    pub warnings: usize,
    /// Those whose concept is tolerated.
    pub tolerated_warnings: usize,
    /// The ids of drafts with other warnings, by rule.
    pub untolerated_warnings: BTreeMap<String, BTreeSet<String>>,
}

/// Share of drafts with one fault that were found.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConceptMetrics {
    /// Those that were found on the labelled field.
    pub detected: Share,
    /// Those that were found for an expected reason.
    pub right_reason: Share,
}

/// Errors of one rule that point at the same words. One sentence can be in many drafts.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorCause {
    /// The id of the rule.
    pub rule: String,
    /// The field; empty for the whole draft.
    pub field: String,
    /// The words, in lower case; `None` if the errors point at whole values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The ids of the drafts.
    pub drafts: BTreeSet<String>,
}

/// All counts of a run.
#[derive(Debug, Serialize)]
pub struct Metrics<'r> {
    /// By label.
    pub labels: BTreeMap<String, LabelMetrics>,
    /// Sorted by id.
    pub rules: Vec<RuleMetrics<'r>>,
    /// With readings, how words and readings compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<ReadingsMetrics<'r>>,
}

/// A finding, as far as it is counted.
#[derive(Clone, Debug)]
pub struct MeasuredFinding<'f> {
    /// The rule that reports it.
    pub rule: &'f str,
    /// Its severity.
    pub severity: Severity,
    /// The field that it points at; empty for the whole draft.
    pub field: String,
    /// The words that it points at; `None` if it points at a whole value.
    pub words: Option<String>,
}

/// The known outcome of a draft.
#[derive(Clone, Copy, Debug)]
pub struct KnownOutcome<'l> {
    /// `good`, `bad` or any other word.
    pub label: &'l str,
    /// The field that the label is about, or `all`.
    pub field: &'l str,
    /// Concepts, one of which should be reported.
    pub expected: &'l [String],
    /// Concepts that may be reported.
    pub tolerated: &'l [String],
}

impl<'r> Metrics<'r> {
    /// Counters that are all 0, for the rules of a linter.
    pub(super) fn of_linter(linter: &'r Linter) -> Self {
        Self::new(linter.rules().iter().map(|rule| {
            (Cow::Borrowed(&*rule.id), rule.text().concepts.into_iter().map(Cow::Borrowed).collect())
        }))
    }

    /// Counters that are all 0, for rules with their concepts.
    #[must_use]
    pub fn new(rules: impl IntoIterator<Item = (Cow<'r, str>, Vec<Cow<'r, str>>)>) -> Self {
        let metrics = |(rule, concepts)| RuleMetrics { rule, concepts, ..RuleMetrics::default() };
        let mut rules: Vec<RuleMetrics<'r>> = rules.into_iter().map(metrics).collect();
        rules.sort_by(|one, other| one.rule.cmp(&other.rule));
        Self { labels: BTreeMap::new(), rules, compared: None }
    }

    /// Checks a draft and counts its findings.
    pub(super) fn take(&mut self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str, facts: &Facts) {
        let source = Source::new(id, labelled.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let Some(document) = parsed.only() else { return };
        let findings = linter.check_document(document, KindHint::Explicit, facts).findings;
        let measured: Vec<MeasuredFinding<'_>> = findings
            .iter()
            .map(|finding| MeasuredFinding {
                rule: &finding.rule,
                severity: finding.severity,
                field: field_of(finding),
                words: words_of(finding, &document, labelled.draft()),
            })
            .collect();
        let known = KnownOutcome {
            label: &labelled.label,
            field: &labelled.field,
            expected: &labelled.expect_any_of,
            tolerated: &labelled.tolerate,
        };
        self.count(known, id, &measured);
    }

    /// Counts the findings of a draft, which has an id in the results.
    pub fn count(&mut self, known: KnownOutcome<'_>, id: &str, findings: &[MeasuredFinding<'_>]) {
        self.count_rules(known, findings);
        let is_among = |list: &[String], finding: &MeasuredFinding<'_>| {
            let at = self.rules.binary_search_by(|metrics| (*metrics.rule).cmp(finding.rule));
            at.is_ok_and(|at| shares_a_name(&self.rules[at].concepts, list))
        };
        let group = self.labels.entry(known.label.to_owned()).or_default();
        group.drafts += 1;
        let loud = || findings.iter().filter(|finding| finding.severity > Severity::Info);
        let is_on = |finding: &&MeasuredFinding<'_>| known.field == WHOLE || finding.field == known.field;
        let on_field: Vec<_> = loud().filter(is_on).collect();
        let is_right = on_field.iter().any(|finding| is_among(known.expected, finding));
        group.count_faults(known, id, !on_field.is_empty(), is_right);
        if !known.expected.is_empty() {
            let is_right = loud().any(|finding| is_among(known.expected, finding));
            group.right_reason_anywhere.add(is_right);
        }
        let (mut has_errors, mut has_warnings) = (false, false);
        for finding in loud() {
            let is_tolerated = is_among(known.tolerated, finding);
            if finding.severity == Severity::Warning {
                group.warnings += 1;
                if is_tolerated {
                    group.tolerated_warnings += 1;
                } else {
                    has_warnings = true;
                    let drafts = group.untolerated_warnings.entry(finding.rule.to_owned()).or_default();
                    drafts.insert(id.to_owned());
                }
            } else if !is_tolerated {
                has_errors = true;
                group.add_error(finding, id);
            }
        }
        group.with_errors.add(has_errors);
        group.with_warnings.add(has_warnings && !has_errors);
    }

    /// Sorts the causes of errors, and removes their words unless texts of drafts may be printed. Call it after the
    /// last draft.
    pub(super) fn finish(&mut self, with_texts: bool) {
        for group in self.labels.values_mut() {
            group.error_causes.sort_by(|a, b| {
                let by_name = || (&a.rule, &a.field, &a.words).cmp(&(&b.rule, &b.field, &b.words));
                b.drafts.len().cmp(&a.drafts.len()).then_with(by_name)
            });
            if !with_texts {
                group.error_causes.iter_mut().for_each(|cause| cause.words = None);
            }
        }
    }

    fn count_rules(&mut self, known: KnownOutcome<'_>, findings: &[MeasuredFinding<'_>]) {
        let bad = match known.label {
            "bad" => true,
            "good" => false,
            _ => return,
        };
        // Of the findings of a rule, the last decides the severity.
        let mut severities: BTreeMap<&str, Severity> = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.severity > Severity::Info) {
            severities.insert(finding.rule, finding.severity);
        }
        for rule in severities.keys() {
            // A rule that was not named at the start.
            if let Err(at) = self.rules.binary_search_by(|metrics| (*metrics.rule).cmp(rule)) {
                let rule = Cow::Owned((*rule).to_owned());
                self.rules.insert(at, RuleMetrics { rule, ..RuleMetrics::default() });
            }
        }
        let soft: BTreeSet<&str> = findings.iter().map(|finding| finding.rule).collect();
        for metrics in &mut self.rules {
            let severity = severities.get(&*metrics.rule);
            let reports = severity.is_some();
            if reports {
                *(if bad { &mut metrics.bad } else { &mut metrics.good }) += 1;
                metrics.precision.add(bad);
                metrics.with_errors += usize::from(severity == Some(&Severity::Error));
            } else if soft.contains(&*metrics.rule) {
                metrics.info += 1;
            }
            if bad && shares_a_name(&metrics.concepts, known.expected) {
                metrics.recall.add(reports);
            }
        }
    }
}

impl LabelMetrics {
    fn count_faults(&mut self, known: KnownOutcome<'_>, id: &str, is_found: bool, is_right: bool) {
        self.detected.add(is_found);
        if !is_found {
            self.undetected.push(id.to_owned());
        }
        if let Some(first) = known.expected.first() {
            self.right_reason.add(is_right);
            let concept = self.concepts.entry(first.clone()).or_default();
            concept.detected.add(is_found);
            concept.right_reason.add(is_right);
            if is_found && !is_right {
                self.other_reason.push(id.to_owned());
            }
        }
    }

    fn add_error(&mut self, finding: &MeasuredFinding<'_>, id: &str) {
        let MeasuredFinding { rule, field, words, .. } = finding;
        let is_same =
            |cause: &&mut ErrorCause| cause.rule == *rule && cause.field == *field && cause.words == *words;
        match self.error_causes.iter_mut().find(is_same) {
            Some(cause) => _ = cause.drafts.insert(id.to_owned()),
            None => self.error_causes.push(ErrorCause {
                rule: (*rule).to_owned(),
                field: field.clone(),
                words: words.clone(),
                drafts: BTreeSet::from([id.to_owned()]),
            }),
        }
    }
}

/// The field at the top of the draft that a finding points at; empty for the whole draft.
pub(super) fn field_of(finding: &Finding) -> String {
    finding.pointer.tokens().next().unwrap_or_default()
}

/// The words that a finding points at, unless it points at the whole value or at nothing.
fn words_of(finding: &Finding, document: &Document<'_>, text: &str) -> Option<String> {
    let span = finding.span?;
    let value = document.root.as_ref().and_then(|root| root.at(&finding.pointer)).map(|node| node.span);
    // The span of a value includes its quotation marks, and that of a finding may leave them out.
    let is_whole = |value: Span| span.start <= value.start + 1 && value.end <= span.end + 1;
    let words = quoted(text.get(span.range()).unwrap_or_default().trim()).to_lowercase();
    (!words.is_empty() && !value.is_some_and(is_whole)).then_some(words)
}
