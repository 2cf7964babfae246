//! Compares what words find on labelled drafts with what readings find.

use std::collections::BTreeMap;

use serde::Serialize;
use tollproof_core::{Facts, Finding, Format, KindHint, Linter, Parsed, Severity, Source};

use super::dataset::{LabelledDraft, shares_a_name};
use super::share::Share;

/// The quality of one source's findings.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceMetrics {
    /// Of the bad drafts that expect a concept, those where a finding on any field has one that is expected.
    pub right_reason: Share,
    /// Good drafts with an error whose concept is not tolerated.
    pub with_errors: Share,
    /// Good drafts without such an error, but with a warning whose concept is not tolerated.
    pub with_warnings: Share,
}

/// The quality of answers to one question.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QuestionMetrics {
    /// Of the bad drafts that expect a concept of its rule, those where the answer is the defect.
    pub right: Share,
    /// Good drafts where the answer is the defect for sure, and that is not tolerated.
    pub wrong: Share,
    /// The same, but the reader is not sure.
    pub unsure: usize,
}

/// Results of words, of readings, and of both together.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingsMetrics<'r> {
    /// The totals of words.
    pub words: SourceMetrics,
    /// The totals of readings.
    pub readings: SourceMetrics,
    /// The totals of both together.
    pub both: SourceMetrics,
    /// Drafts that have no answer to some question.
    pub unread: usize,
    /// By question.
    pub questions: BTreeMap<&'r str, QuestionMetrics>,
    #[serde(skip)]
    concepts: BTreeMap<&'r str, (Option<&'r str>, Vec<&'r str>)>,
}

impl<'r> ReadingsMetrics<'r> {
    /// Counters that are all 0, for the rules of a linter.
    pub(super) fn new(linter: &'r Linter) -> Self {
        let concepts = linter.rules().iter().map(|rule| {
            let text = rule.text();
            (rule.id.as_ref(), (text.question.map(|it| it.id), text.concepts))
        });
        let concepts: BTreeMap<_, _> = concepts.collect();
        let questions =
            concepts.values().filter_map(|(question, _)| Some((*question.as_ref()?, Default::default())));
        Self { questions: questions.collect(), concepts, ..Self::default() }
    }

    /// Checks a draft in the three ways.
    pub(super) fn take(&mut self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str, facts: &Facts) {
        let source = Source::new(id, labelled.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let Some(document) = parsed.only() else { return };
        let words = linter.check_document(document, KindHint::Explicit, &Facts::default()).findings;
        let both = linter.check_document(document, KindHint::Explicit, facts).findings;
        let (readings, used) = linter.check_readings(&parsed, KindHint::Explicit, facts);
        self.unread += used.unread;
        let concepts = |finding: &Finding| -> &[&str] {
            self.concepts.get(&*finding.rule).map_or(&[], |(_, concepts)| concepts)
        };
        for (metrics, findings) in
            [(&mut self.words, &words), (&mut self.readings, &readings), (&mut self.both, &both)]
        {
            metrics.take(labelled, findings, &concepts);
        }
        for (rule, (question, concepts)) in &self.concepts {
            let Some(metrics) = question.as_ref().and_then(|it| self.questions.get_mut(it)) else { continue };
            let found: Vec<&Finding> = readings.iter().filter(|it| it.rule == *rule).collect();
            let is_expected = shares_a_name(concepts, &labelled.expect_any_of);
            match &*labelled.label {
                "bad" if is_expected => metrics.right.add(!found.is_empty()),
                "good" => {
                    let is_wrong = !shares_a_name(concepts, &labelled.tolerate);
                    let is_sure = |finding: &&Finding| {
                        !finding.label.as_deref().is_some_and(|label| label.ends_with("not sure"))
                    };
                    metrics.wrong.add(is_wrong && found.iter().any(is_sure));
                    metrics.unsure += usize::from(is_wrong && found.iter().any(|it| !is_sure(it)));
                }
                _ => {}
            }
        }
    }
}

impl SourceMetrics {
    fn take<'c>(
        &mut self,
        labelled: &LabelledDraft<'_>,
        findings: &[Finding],
        concepts: &dyn Fn(&Finding) -> &'c [&'c str],
    ) {
        let loud = || findings.iter().filter(|it| it.severity > Severity::Info);
        match &*labelled.label {
            "bad" if !labelled.expect_any_of.is_empty() => {
                self.right_reason
                    .add(loud().any(|finding| shares_a_name(concepts(finding), &labelled.expect_any_of)));
            }
            "good" => {
                let mut wrong =
                    loud().filter(|finding| !shares_a_name(concepts(finding), &labelled.tolerate)).peekable();
                let is_any = wrong.peek().is_some();
                let has_errors = wrong.any(|it| it.severity == Severity::Error);
                self.with_errors.add(has_errors);
                self.with_warnings.add(is_any && !has_errors);
            }
            _ => {}
        }
    }
}
