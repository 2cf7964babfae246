//! Measures rules on single sentences, each inside a clean draft.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};
use tollproof_core::{Facts, Finding, Kind, KindRole, Linter, Pointer, Severity, clean_document, role};

use super::dataset::{LabelledSentence, shares_a_name};
use super::metrics::field_of;
use super::share::Share;

/// Concepts that say that something is missing. A single clause does not have everything, so they do not count for it.
const ABSENCES: [&str; 6] = [
    BRAND_MISSING,
    "opt-in-missing-disclosure",
    "opt-in-vague",
    "summary-vague",
    "opt-out-missing",
    "no-sharing-clause",
];

/// The name of the clean draft's business is missing in every sentence about another business.
const BRAND_MISSING: &str = "brand-missing";

/// The results for some sentences.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentenceCounts {
    /// Of the sentences with expected concepts, those for which one was reported.
    pub right_reason: Share,
    /// Of the other sentences, the near misses, those with an error.
    pub false_errors: Share,
    /// Of the near misses, those with only a warning.
    pub false_warnings: Share,
}

/// All results of a run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SentenceMetrics {
    /// The results for all sentences.
    pub total: SentenceCounts,
    /// The results by mechanism.
    pub mechanisms: BTreeMap<String, SentenceCounts>,
    /// The results by language.
    pub languages: BTreeMap<String, SentenceCounts>,
    /// The sentences for which no expected concept was reported.
    pub missed: Vec<WrongSentence>,
    /// The near misses with an error or a warning.
    pub false_reports: Vec<WrongSentence>,
}

/// A sentence with an unexpected result.
#[derive(Debug, Serialize)]
pub struct WrongSentence {
    /// The name of the sentence.
    pub id: String,
    /// The concepts of which one was expected.
    pub expected: Vec<String>,
    /// The highest severity of the findings.
    pub severity: Option<&'static str>,
    /// The rules that reported something.
    pub rules: BTreeSet<String>,
    /// The text, if it may be printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A run over the sentences of a file.
pub(super) struct SentenceRun<'l> {
    linter: &'l Linter,
    /// The concepts of each rule.
    concepts: BTreeMap<&'l str, Vec<&'l str>>,
    clean: Map<String, Value>,
    /// The findings that the clean draft already has.
    known: BTreeSet<(String, Pointer)>,
    metrics: SentenceMetrics,
}

impl<'l> SentenceRun<'l> {
    pub(super) fn new(linter: &'l Linter) -> Self {
        let clean = match clean_document(submit_request()) {
            Value::Object(clean) => clean,
            _ => Map::new(),
        };
        let known =
            check(linter, clean.clone()).into_iter().map(|it| (it.rule.into_owned(), it.pointer)).collect();
        let concepts = linter.rules().iter().map(|rule| (rule.id.as_ref(), rule.text().concepts)).collect();
        Self { linter, concepts, clean, known, metrics: SentenceMetrics::default() }
    }

    /// Checks the clean draft with a sentence in it, and counts the findings that the sentence causes.
    pub(super) fn take(&mut self, sentence: &LabelledSentence, id: &str) {
        let mut findings = check(self.linter, self.draft_of(sentence));
        findings.retain(|finding| !self.known.contains(&(finding.rule.to_string(), finding.pointer.clone())));
        let has_concept = |finding: &Finding, list: &[String]| {
            self.concepts.get(finding.rule.as_ref()).is_some_and(|it| shares_a_name(it, list))
        };
        let mut counts = SentenceCounts::default();
        let is_near_miss = sentence.concepts.is_empty();
        let is_right = if is_near_miss {
            let fair = fair_concepts(sentence);
            findings.retain(|finding| field_of(finding) == sentence.field && !has_concept(finding, &fair));
            let worst = findings.iter().map(|it| it.severity).max();
            counts.false_errors.add(worst == Some(Severity::Error));
            counts.false_warnings.add(worst == Some(Severity::Warning));
            findings.is_empty()
        } else {
            let is_found = findings.iter().any(|it| has_concept(it, &sentence.concepts));
            counts.right_reason.add(is_found);
            is_found
        };
        let metrics = &mut self.metrics;
        let mechanism = metrics.mechanisms.entry(sentence.mechanism.clone()).or_default();
        let language = metrics.languages.entry(sentence.lang.clone()).or_default();
        for sum in [mechanism, language, &mut metrics.total] {
            sum.add(counts);
        }
        if !is_right {
            let list = if is_near_miss { &mut metrics.false_reports } else { &mut metrics.missed };
            list.push(WrongSentence {
                id: id.to_owned(),
                expected: sentence.concepts.clone(),
                severity: findings.iter().map(|it| it.severity).max().map(Severity::name),
                rules: findings.iter().map(|it| it.rule.to_string()).collect(),
                text: Some(sentence.text.clone()),
            });
        }
    }

    /// The results, with the texts of wrong sentences if they may be printed.
    pub(super) fn finish(self, with_texts: bool) -> SentenceMetrics {
        let mut metrics = self.metrics;
        if !with_texts {
            let all = metrics.missed.iter_mut().chain(&mut metrics.false_reports);
            all.for_each(|it| it.text = None);
        }
        metrics
    }

    /// The clean draft with the sentence, its context and the name of its business.
    fn draft_of(&self, sentence: &LabelledSentence) -> Map<String, Value> {
        let mut draft = self.clean.clone();
        draft.extend(sentence.context.iter().flatten().map(|(field, value)| (field.clone(), value.clone())));
        if let Some(brand) = brand(sentence).filter(|_| !names_business(sentence)) {
            draft.insert(business_name(), Value::from(brand));
        }
        let text = match draft.get(&sentence.field) {
            Some(Value::Array(_)) => Value::from(vec![sentence.text.clone()]),
            Some(Value::String(before)) if !sentence.is_whole_field() => {
                Value::from(format!("{before} {}", sentence.text).trim())
            }
            _ => Value::from(sentence.text.clone()),
        };
        draft.insert(sentence.field.clone(), text);
        draft
    }
}

impl SentenceCounts {
    fn add(&mut self, other: Self) {
        self.right_reason += other.right_reason;
        self.false_errors += other.false_errors;
        self.false_warnings += other.false_warnings;
    }
}

/// The concepts that may be reported on a near miss.
fn fair_concepts(sentence: &LabelledSentence) -> Vec<String> {
    let mut fair = sentence.tolerate.clone().unwrap_or_default();
    if !sentence.is_whole_field() {
        fair.extend(ABSENCES.map(str::to_owned));
    } else if brand(sentence).is_none() && !names_business(sentence) {
        fair.push(BRAND_MISSING.to_owned());
    }
    fair
}

/// The name of the business in the text.
fn brand(sentence: &LabelledSentence) -> Option<&str> {
    sentence.roles.as_ref()?.brand.first().map(String::as_str)
}

fn names_business(sentence: &LabelledSentence) -> bool {
    sentence.context.as_ref().is_some_and(|context| context.contains_key(&business_name()))
}

fn business_name() -> String {
    submit_request().field_name(role::BUSINESS_NAME).to_owned()
}

fn submit_request() -> Kind {
    Kind::of(KindRole::Submit)
}

/// The errors and warnings of a draft.
fn check(linter: &Linter, draft: Map<String, Value>) -> Vec<Finding> {
    let mut findings = linter.check_value(&Value::Object(draft), &Facts::default()).findings;
    findings.retain(|finding| finding.severity > Severity::Info);
    findings
}
