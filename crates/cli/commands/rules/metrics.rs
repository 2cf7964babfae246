//! Measures how often rules report findings on labelled drafts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tollproof_core::{Document, Facts, Finding, Format, KindHint, Linter, Parsed, Rule, Severity, Source};
use tollproof_core::{Span, quoted};

use super::dataset::{LabelledDraft, WHOLE, shares_a_name};
use super::readings::ReadingsMetrics;
use super::table::Share;

/// On how many drafts a rule reported findings.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleMetrics<'r> {
    pub(super) rule: &'r str,
    pub(super) concepts: Vec<&'r str>,
    /// Good drafts with an error or a warning of the rule.
    pub(super) good: usize,
    /// Bad drafts with an error or a warning of the rule.
    pub(super) bad: usize,
    /// Good or bad drafts with only infos of the rule.
    pub(super) info: usize,
    /// The share of bad drafts among the good and bad drafts with findings of the rule.
    pub(super) precision: Share,
    /// The share of drafts with findings of the rule among the bad drafts that expect one of its concepts.
    pub(super) recall: Share,
}

/// The findings of all rules on the drafts with one label.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LabelMetrics {
    pub(super) drafts: usize,
    /// Drafts with an error or a warning on the labelled field.
    pub(super) detected: Share,
    /// Of the drafts that expect a concept, those where such a finding has one that is expected.
    pub(super) right_reason: Share,
    /// Of the drafts that expect a concept, those where a finding on any field has one that is expected.
    pub(super) right_reason_anywhere: Share,
    /// The ids of drafts without an error or a warning on the labelled field.
    pub(super) undetected: Vec<String>,
    /// The ids of drafts with such a finding, but not of an expected concept.
    pub(super) other_reason: Vec<String>,
    /// The same shares by the first concept that a draft expects.
    pub(super) concepts: BTreeMap<String, ConceptMetrics>,
    /// Drafts with an error on any field whose concept is not tolerated.
    pub(super) with_errors: Share,
    /// Drafts without such an error, but with a warning on any field whose concept is not tolerated.
    pub(super) with_warnings: Share,
    /// These errors, by what causes them; the most frequent cause is first.
    pub(super) error_causes: Vec<ErrorCause>,
    /// Warnings on any field, of any concept.
    pub(super) warnings: usize,
    /// Those whose concept is tolerated.
    pub(super) tolerated_warnings: usize,
    /// The ids of drafts with other warnings, by rule.
    pub(super) untolerated_warnings: BTreeMap<String, BTreeSet<String>>,
}

/// How many of the drafts with one fault were found.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConceptMetrics {
    pub(super) detected: Share,
    pub(super) right_reason: Share,
}

/// Errors of one rule that point at the same words. One sentence can be in many drafts.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ErrorCause {
    pub(super) rule: String,
    pub(super) field: String,
    /// The words, in lower case; `None` if the errors point at whole values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<String>,
    /// The ids of the drafts.
    pub(super) drafts: BTreeSet<String>,
}

/// All counts of a run.
#[derive(Debug, Serialize)]
pub(super) struct Metrics<'r> {
    /// By label.
    pub(super) labels: BTreeMap<String, LabelMetrics>,
    /// Sorted by id.
    pub(super) rules: Vec<RuleMetrics<'r>>,
    /// With readings, how words and readings compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compared: Option<ReadingsMetrics<'r>>,
}

impl<'r> Metrics<'r> {
    /// Counters that are all 0.
    pub(super) fn new(rules: &'r [Rule]) -> Self {
        let metrics = |rule: &'r Rule| RuleMetrics {
            rule: &rule.id,
            concepts: rule.text().concepts,
            ..RuleMetrics::default()
        };
        Self { labels: BTreeMap::new(), rules: rules.iter().map(metrics).collect(), compared: None }
    }

    /// Checks a draft and counts its findings.
    pub(super) fn take(&mut self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str, facts: &Facts) {
        let source = Source::new(id, labelled.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let Some(document) = parsed.only() else { return };
        let findings = linter.check_document(document, KindHint::Explicit, facts).findings;
        self.count_rules(labelled, &findings);
        let is_among = |list: &[String], finding: &Finding| {
            let at = self.rules.binary_search_by(|it| it.rule.cmp(&finding.rule));
            at.is_ok_and(|at| shares_a_name(&self.rules[at].concepts, list))
        };
        let group = self.labels.entry(labelled.label.to_string()).or_default();
        group.drafts += 1;
        let loud = || findings.iter().filter(|finding| finding.severity > Severity::Info);
        let on_field: Vec<_> = loud().filter(|finding| is_on(finding, &labelled.field)).collect();
        let is_right = on_field.iter().any(|finding| is_among(&labelled.expect_any_of, finding));
        group.count_faults(labelled, id, !on_field.is_empty(), is_right);
        if !labelled.expect_any_of.is_empty() {
            let is_right = loud().any(|finding| is_among(&labelled.expect_any_of, finding));
            group.right_reason_anywhere.add(is_right);
        }
        let (mut has_errors, mut has_warnings) = (false, false);
        for finding in loud() {
            let is_tolerated = is_among(&labelled.tolerate, finding);
            if finding.severity == Severity::Warning {
                group.warnings += 1;
                if is_tolerated {
                    group.tolerated_warnings += 1;
                } else {
                    has_warnings = true;
                    let drafts = group.untolerated_warnings.entry(finding.rule.to_string()).or_default();
                    drafts.insert(id.to_owned());
                }
            } else if !is_tolerated {
                has_errors = true;
                group.add_error(finding, words_of(finding, &document, labelled.draft()), id);
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

    fn count_rules(&mut self, labelled: &LabelledDraft<'_>, findings: &[Finding]) {
        let bad = match labelled.label.as_ref() {
            "bad" => true,
            "good" => false,
            _ => return,
        };
        let with = |loud: bool| -> BTreeSet<&str> {
            let of = findings.iter().filter(|it| (it.severity > Severity::Info) == loud);
            of.map(|finding| finding.rule.as_ref()).collect()
        };
        let (loud, soft) = (with(true), with(false));
        for metrics in &mut self.rules {
            let reports = loud.contains(metrics.rule);
            if reports {
                *(if bad { &mut metrics.bad } else { &mut metrics.good }) += 1;
                metrics.precision.add(bad);
            } else if soft.contains(metrics.rule) {
                metrics.info += 1;
            }
            if bad && shares_a_name(&metrics.concepts, &labelled.expect_any_of) {
                metrics.recall.add(reports);
            }
        }
    }
}

impl LabelMetrics {
    fn count_faults(&mut self, labelled: &LabelledDraft<'_>, id: &str, is_found: bool, is_right: bool) {
        self.detected.add(is_found);
        if !is_found {
            self.undetected.push(id.to_owned());
        }
        if let Some(first) = labelled.expect_any_of.first() {
            self.right_reason.add(is_right);
            let concept = self.concepts.entry(first.clone()).or_default();
            concept.detected.add(is_found);
            concept.right_reason.add(is_right);
            if is_found && !is_right {
                self.other_reason.push(id.to_owned());
            }
        }
    }

    fn add_error(&mut self, finding: &Finding, words: Option<String>, id: &str) {
        let field = field_of(finding);
        let is_same =
            |it: &&mut ErrorCause| it.rule == finding.rule && it.field == field && it.words == words;
        match self.error_causes.iter_mut().find(is_same) {
            Some(cause) => _ = cause.drafts.insert(id.to_owned()),
            None => {
                let drafts = BTreeSet::from([id.to_owned()]);
                self.error_causes.push(ErrorCause { rule: finding.rule.to_string(), field, words, drafts });
            }
        }
    }
}

/// The field at the top of the draft that a finding points at; empty for the whole draft.
pub(super) fn field_of(finding: &Finding) -> String {
    finding.pointer.tokens().next().unwrap_or_default()
}

/// Whether a finding points at a field. Locations that only explain it do not count.
fn is_on(finding: &Finding, field: &str) -> bool {
    field == WHOLE || field_of(finding) == field
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
