//! Submissions as the provider has them, for people and programs.

use tollproof_core::{Outcome, Submission};
use tollproof_online::{Api, StatusSeen};

use crate::output::calls::{JsonSubmission, ReviewOutcome};
use crate::terminal::one_line;

/// A submission for programs.
pub(crate) fn shown(api: &Api, seen: &StatusSeen) -> JsonSubmission {
    let submission = &seen.submission;
    JsonSubmission {
        provider: api.provider().name(),
        host: api.address(),
        id: submission.id.clone(),
        numbers: submission.numbers.clone(),
        before: seen.before.clone(),
        status: submission.status.clone(),
        outcome: outcome(submission),
        message: Some(format!("{}\n{}", submission.reason, submission.message).trim().to_owned())
            .filter(|text| !text.is_empty()),
        answer_by: submission.answer_by().map(|until| format!("{until:.0}")),
        changed: seen.is_changed(),
    }
}

/// A submission for people, with what the reviewers wrote and what to do about it.
pub(crate) fn lines(shown: &JsonSubmission) -> String {
    let numbers = if shown.numbers.is_empty() { "-".to_owned() } else { shown.numbers.join(", ") };
    let mut line = format!("{}  {}  ", one_line(&numbers), one_line(&shown.id));
    if let Some(before) = shown.before.as_ref().filter(|status| shown.changed && !status.is_empty()) {
        line += &format!("{} -> ", one_line(before));
    }
    line += &one_line(&shown.status);
    let until = shown.answer_by.as_ref().map(|it| format!(" before {it}")).unwrap_or_default();
    match shown.outcome {
        ReviewOutcome::AnswerNeeded => line += &format!("; answer with `tollproof update`{until}"),
        ReviewOutcome::Rejected if shown.answer_by.is_some() => {
            line += &format!("; fix the draft and run `tollproof update`{until}");
        }
        _ => {}
    }
    let is_against = matches!(shown.outcome, ReviewOutcome::AnswerNeeded | ReviewOutcome::Rejected);
    for message in shown.message.iter().filter(|_| is_against).flat_map(|it| it.lines()) {
        line += &format!("\n  {}", one_line(message));
    }
    line
}

/// Interprets a submission's status.
fn outcome(submission: &Submission) -> ReviewOutcome {
    match submission.outcome() {
        Outcome::Open if submission.waits_for_answer() => ReviewOutcome::AnswerNeeded,
        Outcome::Open => ReviewOutcome::Open,
        Outcome::Verified => ReviewOutcome::Verified,
        Outcome::Rejected => ReviewOutcome::Rejected,
        Outcome::Ended => ReviewOutcome::Ended,
    }
}
