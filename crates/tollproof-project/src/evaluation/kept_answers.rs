//! Answers of readers to labelled drafts, kept by the ids of the drafts and without quotes: they have no text of the drafts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use tollproof_core::{
    DraftReading, Facts, Format, KindHint, Linter, Parsed, ReadRequest, ReaderAnswers, Readings, Source,
};
use tollproof_history::name_of;

use super::dataset::LabelledDraft;
use super::error::EvaluationError;

/// The most characters that are quoted.
const QUOTED: usize = 40;

/// The answers by the ids of the drafts.
#[derive(Debug)]
pub struct KeptAnswers(BTreeMap<String, DraftAnswers>);

/// The answers about one draft.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DraftAnswers {
    id: String,
    /// By question.
    answers: BTreeMap<String, serde_json::Value>,
    /// The questions of which the reader is not sure.
    #[serde(default)]
    unsure: BTreeSet<String>,
    /// The questions with a quote.
    #[serde(default)]
    quoted: BTreeSet<String>,
}

impl KeptAnswers {
    /// Reads a file, one draft a line.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a line has another shape.
    pub fn read(path: &Path) -> Result<Self, EvaluationError> {
        let name = || name_of(path);
        let text = fs::read_to_string(path)
            .map_err(|error| EvaluationError::UnreadableAnswers { name: name(), error })?;
        let mut all = BTreeMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let answers: DraftAnswers = serde_json::from_str(line)
                .map_err(|_| EvaluationError::AnswersShape { name: name(), number: at + 1 })?;
            all.insert(answers.id.clone(), answers);
        }
        Ok(Self(all))
    }

    /// The readings of a draft. In place of the words that an answer quoted, it quotes how the first text of its question begins.
    pub(super) fn facts(&self, linter: &Linter, labelled: &LabelledDraft<'_>, id: &str) -> Facts {
        let source = Source::new(id, labelled.draft());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let requests = linter.read_requests(&parsed, KindHint::Explicit, &Facts::default(), true);
        let readings = requests.iter().filter_map(|request| self.reading(request, id));
        Facts { readings: Readings::new(readings).lowering_errors(), ..Facts::default() }
    }

    fn reading(&self, request: &ReadRequest, id: &str) -> Option<DraftReading> {
        let kept = self.0.get(id)?;
        let answer = |(question, answer): (&String, &serde_json::Value)| {
            let asked = request.questions.iter().find(|it| it.id == *question)?;
            let text = asked.fields.first().and_then(|role| request.fields.get(role));
            let text = text.filter(|_| kept.quoted.contains(question)).map_or("", String::as_str);
            let quote = beginning(text);
            let sure = !kept.unsure.contains(question);
            Some((question.clone(), json!({ "answer": answer, "quote": quote, "sure": sure })))
        };
        let answers: serde_json::Map<_, _> = kept.answers.iter().filter_map(answer).collect();
        let answers: ReaderAnswers = serde_json::from_value(json!({ "answers": answers })).ok()?;
        let (id, version, at) = (request.id.clone(), DraftReading::VERSION, Timestamp::UNIX_EPOCH);
        let (answers, _) = request.verify(&answers);
        Some(DraftReading { id, version, at, reader: "kept".to_owned(), model: None, answers })
    }
}

/// Whole words at the beginning of a text, which end before a placeholder.
fn beginning(text: &str) -> &str {
    let line = text.split(['\n', '[']).next().unwrap_or_default();
    let Some((end, _)) = line.char_indices().nth(QUOTED) else { return line };
    line[..end].rsplit_once(char::is_whitespace).map_or(&line[..end], |(words, _)| words)
}
