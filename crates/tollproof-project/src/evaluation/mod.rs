//! Rules measured on labelled drafts or sentences: what they find of what reviewers found, and what they report wrongly.

mod dataset;
mod error;
mod kept_answers;
mod metrics;
mod readings;
mod sentences;
mod share;

use std::path::Path;

use tollproof_core::{Facts, Format, KindHint, Linter, Parsed, ReadRequest, Readings, Source};

pub use self::dataset::Labelled;
use self::dataset::{each_draft, each_sentence};
pub use self::error::EvaluationError;
pub use self::kept_answers::KeptAnswers;
pub use self::metrics::{
    ConceptMetrics, ErrorCause, KnownOutcome, LabelMetrics, MeasuredFinding, Metrics, RuleMetrics,
};
pub use self::readings::{QuestionMetrics, ReadingsMetrics, SourceMetrics};
use self::sentences::SentenceRun;
pub use self::sentences::{SentenceCounts, SentenceMetrics, WrongSentence};
pub use self::share::Share;

/// The answers of readers about labelled drafts.
#[derive(Debug)]
pub enum KnownAnswers {
    /// Readings of their texts.
    Readings(Readings),
    /// Answers by the ids of the drafts.
    Kept(KeptAnswers),
}

/// The requests to a reader about labelled drafts, in their order.
///
/// # Errors
///
/// The file cannot be read, or has a line that is not a labelled draft.
pub fn questions_about(linter: &Linter, labelled: Labelled<'_>) -> Result<Vec<ReadRequest>, EvaluationError> {
    let mut requests = Vec::new();
    each_draft(labelled, |draft, id| {
        let source = Source::new(id, draft.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        requests.extend(linter.read_requests(&parsed, KindHint::Explicit, &Facts::default(), true));
    })?;
    Ok(requests)
}

/// Measures the rules of a linter on labelled drafts. `with_texts` says that the results may quote drafts.
///
/// # Errors
///
/// The file cannot be read, or has a line that is not a labelled draft.
pub fn measure_drafts<'l>(
    linter: &'l Linter,
    labelled: Labelled<'_>,
    answers: Option<&KnownAnswers>,
    with_texts: bool,
) -> Result<Metrics<'l>, EvaluationError> {
    let mut metrics = Metrics::of_linter(linter);
    let mut compared = answers.is_some().then(|| ReadingsMetrics::new(linter));
    each_draft(labelled, |draft, id| {
        let facts = match answers {
            None => Facts::default(),
            Some(KnownAnswers::Readings(readings)) => {
                Facts { readings: readings.clone(), ..Facts::default() }
            }
            Some(KnownAnswers::Kept(answers)) => answers.facts(linter, draft, id),
        };
        metrics.take(linter, draft, id, &facts);
        compared.iter_mut().for_each(|compared| compared.take(linter, draft, id, &facts));
    })?;
    metrics.compared = compared;
    metrics.finish(with_texts);
    Ok(metrics)
}

/// Measures the rules of a linter on the labelled sentences in a file, or in a split of it. `with_texts` says that the results
/// may quote sentences.
///
/// # Errors
///
/// The file cannot be read, has a line that is not a labelled sentence, or lacks the split.
pub fn measure_sentences(
    linter: &Linter,
    path: &Path,
    split: Option<&str>,
    with_texts: bool,
) -> Result<SentenceMetrics, EvaluationError> {
    let mut run = SentenceRun::new(linter);
    each_sentence(path, split, |sentence, id| run.take(sentence, id))?;
    Ok(run.finish(with_texts))
}
