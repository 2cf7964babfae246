//! Asks a reader about drafts, and keeps what can be believed.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use tollproof_core::{AnswerProblem, ReadRequest, ReaderAnswers};
use tollproof_online::{Accept, ReadRun, Reader, ReaderKind, ReaderPrompt};

use super::super::online::Interrupt;
use crate::errors::{Failure, Result};
use crate::output::stderr::{self, say};
use crate::terminal::{count, one_line};

/// The interval of writing the answers to the disk, so that little is lost if the run is killed.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// From how many drafts on a bar shows how far the run is.
const MANY: usize = 4;

/// The approximate bytes per token. Servers count in tokens.
const BYTES_A_TOKEN: usize = 4;

/// The approximate tokens per answer.
const TOKENS_AN_ANSWER: usize = 8;

/// The most drafts without a reading that are named.
const NAMED: usize = 5;

/// Builds the prompt about one draft; again, if there is a reason.
pub(crate) fn prompt(request: &ReadRequest, again: Option<&str>) -> ReaderPrompt {
    let mut instructions = request.instructions();
    if let Some(why) = again {
        instructions += &format!(
            "\nYour answer could not be used: {why}. Answer again. An answer that only lacks its quote stays, with the quote.\n"
        );
    }
    let material = serde_json::json!({ "fields": request.fields }).to_string();
    let mut line = serde_json::to_value(request).expect("a request has JSON");
    line["task"] = ReadRequest::task().into();
    ReaderPrompt { instructions, material, schema: request.answer_schema(), line: line.to_string() }
}

/// About how many tokens are sent and answered.
pub(crate) fn cost(requests: &[&ReadRequest]) -> (usize, usize) {
    let bytes = |request: &&&ReadRequest| {
        let prompt = prompt(request, None);
        prompt.instructions.len() + prompt.material.len() + prompt.schema.to_string().len()
    };
    let questions: usize = requests.iter().map(|it| it.questions.len()).sum();
    (requests.iter().map(|it| bytes(&it)).sum::<usize>() / BYTES_A_TOKEN, questions * TOKENS_AN_ANSWER)
}

/// The reader that answered.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredBy {
    pub(crate) reader: String,
    pub(crate) model: Option<String>,
}

/// The file or output for answers.
pub(crate) trait AnswerSink {
    /// Takes the answers to the request of an index that can be believed. Returns what is wrong with the others.
    fn keep(&mut self, at: usize, answers: &ReaderAnswers, by: &AnsweredBy) -> Vec<(String, AnswerProblem)>;

    /// Writes what was taken, if it is written anywhere.
    fn write(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Asks, and passes on what can be believed. Returns whether all drafts have all answers.
pub(crate) fn ask(
    (reader, kind): (&Reader, ReaderKind),
    requests: &[&ReadRequest],
    sink: &mut dyn AnswerSink,
    jobs: usize,
    interrupt: &Interrupt,
) -> Result<bool> {
    let bar = bar(requests.len());
    let mut tokens = (0_u64, 0_u64);
    let mut incomplete: Vec<(usize, String)> = Vec::new();
    let mut asked_again = vec![false; requests.len()];
    let (mut written, mut unwritten) = (Instant::now(), None);
    let run = ReadRun {
        count: requests.len(),
        prompt: &|at, again| prompt(requests[at], again),
        jobs,
        stop: &|| interrupt.is_set(),
    };
    let result = reader.ask_all(&run, &mut |at, reply| {
        if let Some((sent, answered)) = reply.tokens {
            tokens = (tokens.0.saturating_add(sent), tokens.1.saturating_add(answered));
        }
        let by = AnsweredBy { reader: kind.to_string(), model: reply.model.clone() };
        let problem = match serde_json::from_str::<ReaderAnswers>(&reply.text) {
            Err(_) => Some("it is not JSON in the shape that was asked for".to_owned()),
            Ok(answers) => said(&sink.keep(at, &answers, &by)),
        };
        if unwritten.is_none() && written.elapsed() > WRITTEN_EVERY {
            unwritten = sink.write().err();
            written = Instant::now();
        }
        let Some(problem) = problem.filter(|_| !interrupt.is_set()) else {
            bar.iter().for_each(|it| it.inc(1));
            return Accept::Kept;
        };
        if std::mem::replace(&mut asked_again[at], true) {
            bar.iter().for_each(|it| it.inc(1));
            incomplete.push((at, problem));
            return Accept::Kept;
        }
        Accept::Again(problem)
    });
    bar.iter().for_each(ProgressBar::finish_and_clear);
    sink.write()?;
    if let Some(failure) = unwritten {
        return Err(failure);
    }
    incomplete.extend(result.failed.into_iter().map(|it| (it.index, it.why)));
    for (at, why) in incomplete.iter().take(NAMED) {
        say!("warning: request {} of {}: {}", at + 1, requests.len(), one_line(why));
    }
    if incomplete.len() > NAMED {
        say!("warning: {} more", count(incomplete.len() - NAMED, "request"));
    }
    if tokens != (0, 0) {
        say!("{} tokens were sent, {} answered.", tokens.0, tokens.1);
    }
    if let Some(error) = result.error {
        return Err(Failure::new(error));
    }
    if result.left > 0 {
        say!(
            "note: not answered, because the run was stopped: {}; run it again",
            count(result.left, "draft")
        );
    }
    Ok(incomplete.is_empty() && result.left == 0)
}

/// Lists the problems of answers, for the reader and for people.
fn said(problems: &[(String, AnswerProblem)]) -> Option<String> {
    let all: Vec<String> =
        problems.iter().map(|(question, problem)| format!("{question}: {problem}")).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn bar(requests: usize) -> Option<ProgressBar> {
    (requests >= MANY && stderr::is_terminal()).then(|| {
        let bar = ProgressBar::new(requests as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos} of {len} drafts, {eta} left") {
            bar.set_style(style);
        }
        bar
    })
}
