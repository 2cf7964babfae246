//! Measures how often rules report findings on labelled drafts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use tollproof_core::document::{Document, Node};
use tollproof_core::{Facts, Finding, Format, KindHint, Linter, Parsed, Rule, Severity, Source};

use super::dataset::{LabelledDraft, WHOLE};

/// A part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) count: usize,
    pub(super) of: usize,
}

impl Share {
    fn add(&mut self, holds: bool) {
        self.of += 1;
        self.count += usize::from(holds);
    }

    /// In percent, rounded down so that 100 means all; `None` if the total is 0.
    pub(super) fn percent(self) -> Option<usize> {
        (self.count * 100).checked_div(self.of)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fraction {
            count: usize,
            of: usize,
            percent: Option<usize>,
        }
        Fraction { count: self.count, of: self.of, percent: self.percent() }.serialize(serializer)
    }
}

/// On how many drafts a rule reported findings.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleMetrics<'r> {
    pub(super) rule: &'r str,
    pub(super) concept: Option<&'r str>,
    /// Good drafts with an error or a warning of the rule.
    pub(super) good: usize,
    /// Bad drafts with an error or a warning of the rule.
    pub(super) bad: usize,
    /// Good or bad drafts with only infos of the rule.
    pub(super) info: usize,
    /// The share of bad drafts among the good and bad drafts with findings of the rule.
    pub(super) precision: Share,
    /// The share of drafts with findings of the rule among the bad drafts that expect its concept.
    pub(super) recall: Share,
}

/// The findings of all rules on the drafts with one label.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LabelMetrics {
    pub(super) drafts: usize,
    /// Drafts with an error or a warning on the labelled field.
    pub(super) detected: Share,
    /// Of the drafts that expect a concept, those where such a finding has the concept.
    pub(super) named: Share,
    /// Errors on any field whose concept is not tolerated.
    pub(super) errors: Vec<RuleHit>,
    /// Warnings on any field, of any concept.
    pub(super) warnings: usize,
    /// The warnings whose concept is not tolerated.
    pub(super) untolerated_warnings: Vec<RuleHit>,
    /// The ids of drafts without an error or a warning on the labelled field.
    pub(super) undetected: Vec<String>,
    /// The ids of drafts with such a finding, but not of an expected concept.
    pub(super) misnamed: Vec<String>,
}

/// A finding, as the ids of its draft and its rule.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RuleHit {
    pub(super) id: String,
    pub(super) rule: String,
}

/// All counts of a run.
#[derive(Debug, Serialize)]
pub(super) struct Metrics<'r> {
    /// By label.
    pub(super) labels: BTreeMap<String, LabelMetrics>,
    /// Sorted by id.
    pub(super) rules: Vec<RuleMetrics<'r>>,
}

impl<'r> Metrics<'r> {
    /// Counters that are all 0.
    pub(super) fn new(rules: &'r [Rule]) -> Self {
        let metrics = |rule: &'r Rule| RuleMetrics {
            rule: &rule.id,
            concept: rule.text().concept,
            ..RuleMetrics::default()
        };
        Self { labels: BTreeMap::new(), rules: rules.iter().map(metrics).collect() }
    }

    /// Checks a draft and counts its findings.
    pub(super) fn take(&mut self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str) {
        let source = Source::new(id, labelled.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let Some(document) = parsed.only() else { return };
        let findings = linter.check_document(document, KindHint::Explicit, &Facts::default()).findings;
        self.count_rules(labelled, &findings);
        let concept = |finding: &Finding| {
            let at = self.rules.binary_search_by(|it| it.rule.cmp(&finding.rule)).ok()?;
            self.rules[at].concept
        };
        let is_among = |list: &[String], finding: &Finding| {
            concept(finding).is_some_and(|it| list.iter().any(|name| name == it))
        };
        let group = self.labels.entry(labelled.label.to_string()).or_default();
        group.drafts += 1;
        let loud = || findings.iter().filter(|finding| finding.severity > Severity::Info);
        let on_field: Vec<_> =
            loud().filter(|finding| is_about(finding, &labelled.field, &document)).collect();
        let named = on_field.iter().any(|finding| is_among(&labelled.expect_any_of, finding));
        group.detected.add(!on_field.is_empty());
        if on_field.is_empty() {
            group.undetected.push(id.to_owned());
        }
        if !labelled.expect_any_of.is_empty() {
            group.named.add(named);
            if !named && !on_field.is_empty() {
                group.misnamed.push(id.to_owned());
            }
        }
        for finding in loud() {
            let place = || RuleHit { id: id.to_owned(), rule: finding.rule.to_string() };
            let tolerated = is_among(&labelled.tolerate, finding);
            if finding.severity == Severity::Warning {
                group.warnings += 1;
                group.untolerated_warnings.extend((!tolerated).then(place));
            } else {
                group.errors.extend((!tolerated).then(place));
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
            let expected =
                metrics.concept.is_some_and(|concept| labelled.expect_any_of.iter().any(|it| it == concept));
            if bad && expected {
                metrics.recall.add(reports);
            }
        }
    }
}

/// Whether a finding or one of its related locations is in a field of the draft.
fn is_about(finding: &Finding, field: &str, document: &Document<'_>) -> bool {
    let pointed =
        || finding.pointer.split('/').nth(1).map(|token| token.replace("~1", "/").replace("~0", "~"));
    let value = || document.root.as_ref().and_then(|root| root.get(field));
    let holds = |node: &Node<'_>| {
        let here = finding.related.iter().filter(|related| related.file.is_none());
        here.filter_map(|related| related.span)
            .any(|span| node.span.start <= span.start && span.end <= node.span.end)
    };
    field == WHOLE || pointed().as_deref() == Some(field) || value().is_some_and(holds)
}
