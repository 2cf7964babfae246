//! Asks a provider once what became of attempts and submissions.

use std::collections::BTreeMap;

use jiff::Timestamp;
use tollproof_core::{NumberKey, Outcome, Submission};
use tollproof_history::{Attempt, SubmissionSummary};
use tollproof_online::{Api, CallOutcome, StatusItem, StatusSeen};

use super::calls::{of_outcome, withheld};
use super::connection::ProviderConnection;
use super::known::{named, unfinished};
use crate::errors::Failure;
use crate::output::calls::{CallResult, JsonCall, JsonSubmission, ReviewOutcome};
use crate::terminal::one_line;

/// What a provider answered.
#[derive(Debug, Default)]
pub(in crate::commands) struct StatusRound {
    /// Attempts that were settled, and what could not be asked.
    pub(in crate::commands) calls: Vec<JsonCall>,
    /// The submissions that were asked about.
    pub(in crate::commands) seen: Vec<AskedSubmission>,
    /// Names that are not in the history.
    pub(in crate::commands) unknown: Vec<String>,
}

/// A submission after it was asked about.
#[derive(Debug)]
pub(in crate::commands) struct AskedSubmission {
    pub(in crate::commands) submission: Submission,
    pub(in crate::commands) shown: JsonSubmission,
}

impl StatusRound {
    /// Settles attempts and asks about submissions: those with the names, or all that are not at their end.
    pub(in crate::commands) fn ask(
        connection: &mut ProviderConnection,
        names: &[String],
        waits: bool,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let mut round = Self::default();
        let attempts = attempts(connection, names)?;
        for attempt in &attempts {
            let item = connection.session(waits)?.settle_attempt(attempt)?;
            if !round.take(&connection.api, item) {
                return Ok(round);
            }
        }
        let mut followed = attempts.clone();
        for item in connection.session(waits)?.read_missing_records()? {
            if let StatusItem::Unfollowed(attempt, _) = &item {
                if !names.is_empty() && !names.iter().any(|name| is_named(attempt, name)) {
                    continue;
                }
                followed.push(attempt.as_ref().clone());
            }
            if !round.take(&connection.api, item) {
                return Ok(round);
            }
        }
        let asked = match names {
            [] => unfinished(&mut connection.past, connection.api.provider(), now)?,
            names => {
                let (found, unknown) = named(connection, names)?;
                let is_settled = |name: &String| followed.iter().any(|submission| is_named(submission, name));
                round.unknown = unknown.into_iter().filter(|it| !is_settled(it)).collect();
                found
            }
        };
        for submission in asked {
            if round.seen.iter().any(|it| it.submission.id.eq_ignore_ascii_case(&submission.id)) {
                continue;
            }
            let item = connection.session(waits)?.refresh(&summary(&submission))?;
            if !round.take(&connection.api, item) {
                break;
            }
        }
        Ok(round)
    }

    /// Takes what a look learned. Returns whether to ask on.
    fn take(&mut self, api: &Api, item: StatusItem) -> bool {
        match item {
            StatusItem::Submission(seen) => self.seen.push(AskedSubmission::new(api, seen)),
            StatusItem::Attempt(attempt, Some(outcome)) => {
                let call = of_outcome(api, None, &attempt.number, &outcome);
                let id = call.id.clone().or(attempt.record.clone());
                self.calls.push(JsonCall { id, ..call });
                return goes_on(&outcome);
            }
            StatusItem::Attempt(attempt, None) => {
                let call = withheld(api, None, &attempt.number, CallResult::NothingArrived);
                self.calls.push(JsonCall { attempt: Some(attempt.token), ..call });
            }
            StatusItem::Unfollowed(attempt, next) => {
                let call = withheld(api, None, &attempt.number, CallResult::NotFollowed);
                let (attempt, id, reason) = (Some(attempt.token), attempt.id, Some(next));
                self.calls.push(JsonCall { attempt, id, reason, ..call });
            }
            StatusItem::Failed(id, outcome) => {
                let call = of_outcome(api, None, "", &outcome);
                self.calls.push(JsonCall { id: Some(id), ..call });
                return goes_on(&outcome);
            }
        }
        true
    }

    /// The numbers with several open submissions, and their ids.
    pub(in crate::commands) fn doubles(&self) -> Vec<(String, Vec<String>)> {
        let mut of_numbers: BTreeMap<&String, Vec<String>> = BTreeMap::new();
        for submission in
            self.seen.iter().map(|asked| &asked.submission).filter(|submission| submission.is_open())
        {
            for number in &submission.numbers {
                of_numbers.entry(number).or_default().push(submission.id.clone());
            }
        }
        let doubles = of_numbers.into_iter().filter(|(_, ids)| ids.len() > 1);
        doubles.map(|(number, ids)| (number.clone(), ids)).collect()
    }

    /// The ids of the submissions whose review has not ended.
    pub(in crate::commands) fn open(&self) -> Vec<String> {
        let open = self.seen.iter().filter(|it| it.shown.outcome == ReviewOutcome::Open);
        open.map(|it| it.submission.id.clone()).collect()
    }
}

impl AskedSubmission {
    fn new(api: &Api, seen: StatusSeen) -> Self {
        let changed = seen.is_changed();
        let StatusSeen { submission, before } = seen;
        let shown = JsonSubmission {
            provider: api.provider().name(),
            host: api.address(),
            id: submission.id.clone(),
            numbers: submission.numbers.clone(),
            before,
            status: submission.status.clone(),
            outcome: outcome(&submission),
            message: Some(format!("{}\n{}", submission.reason, submission.message).trim().to_owned())
                .filter(|text| !text.is_empty()),
            answer_by: submission.answer_by().map(|it| format!("{it:.0}")),
            changed,
        };
        Self { submission, shown }
    }
}

/// Whether the next request would not fail in the same way.
fn goes_on(outcome: &CallOutcome) -> bool {
    !matches!(outcome, CallOutcome::BadKey(_) | CallOutcome::Limited { .. })
}

/// A submission for people, with what the reviewers wrote and what to do about it.
pub(in crate::commands) fn lines(shown: &JsonSubmission) -> String {
    let numbers = if shown.numbers.is_empty() { "-".to_owned() } else { shown.numbers.join(", ") };
    let mut line = format!("{}  {}  ", one_line(&numbers), one_line(&shown.id));
    if let Some(before) = shown.before.as_ref().filter(|it| shown.changed && !it.is_empty()) {
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

/// What a submission's status means.
pub(in crate::commands) fn outcome(submission: &Submission) -> ReviewOutcome {
    match submission.outcome() {
        Outcome::Open if submission.waits_for_answer() => ReviewOutcome::AnswerNeeded,
        Outcome::Open => ReviewOutcome::Open,
        Outcome::Verified => ReviewOutcome::Verified,
        Outcome::Rejected => ReviewOutcome::Rejected,
        Outcome::Ended => ReviewOutcome::Ended,
    }
}

/// The attempts whose outcome is not known: of the names, or all.
fn attempts(connection: &mut ProviderConnection, names: &[String]) -> Result<Vec<Attempt>, Failure> {
    let mut attempts = connection.session(false)?.open_attempts()?;
    if !names.is_empty() {
        attempts.retain(|it| names.iter().any(|name| is_named(it, name)));
    }
    Ok(attempts)
}

/// Whether a name is the number of an attempt, the submission that it changes, or its token.
fn is_named(attempt: &Attempt, name: &str) -> bool {
    let is_number = !attempt.number.is_empty() && NumberKey::of(&attempt.number) == NumberKey::of(name);
    is_number || attempt.record.as_deref() == Some(name) || attempt.token == name
}

fn summary(submission: &Submission) -> SubmissionSummary {
    SubmissionSummary {
        number: submission.numbers.first().cloned().unwrap_or_default(),
        id: submission.id.clone(),
        status: submission.status.clone(),
        updated_at: submission.updated_at,
        notified_at: submission.notified_at,
        name: None,
        is_open: submission.is_open(),
    }
}
