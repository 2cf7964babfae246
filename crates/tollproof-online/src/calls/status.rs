//! Asks what became of open attempts and of submissions under review, and stores what it learns.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::{Format, NumberKey, Outcome as Verdict, Parsed, Provider, Source, Submission};
use tollproof_history::{Attempt, AttemptOperation, Stored, SubmissionSummary};

use super::answer::text_at;
use super::bought::attempted_number;
use super::called::Called;
use super::decide::Wish;
use super::error::Result;
use super::lists::{each_page, list};
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::CallOutcome;
use super::pursue::Pursued;
use super::record::ProviderRecord;
use super::session::{CallSession, without_effect};
use super::template::Variables;

/// A submission after a look.
#[derive(Clone, Debug)]
pub struct StatusSeen {
    /// The record as it is now. Its status is empty if the provider does not have the submission any more.
    pub submission: Submission,
    /// The status in the history before.
    pub before: Option<String>,
}

impl StatusSeen {
    fn of(stored: Stored, provider: Provider) -> Self {
        let Stored { id, numbers, status, before, .. } = stored;
        let submission =
            Submission { id, numbers, status, provider: Some(provider), ..Submission::default() };
        Self { submission, before }
    }

    /// Whether the status is another one than before.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.before.as_deref() != Some(self.submission.status.as_str())
    }

    /// Whether it was rejected, or waits for an answer.
    #[must_use]
    pub fn is_against(&self) -> bool {
        !self.is_waited_for() && matches!(self.submission.outcome(), Verdict::Open | Verdict::Rejected)
    }

    /// Whether only the reviewers can go on.
    #[must_use]
    pub fn is_waited_for(&self) -> bool {
        self.submission.is_open() && !self.submission.waits_for_answer()
    }
}

/// A call that a look was about, and its outcome.
#[derive(Debug)]
pub struct StatusCall {
    /// The operation; `None` if it is a submission that the provider could not be asked about.
    pub operation: Option<AttemptOperation>,
    /// The number; empty if it is not known.
    pub number: String,
    /// The id of the submission.
    pub id: Option<String>,
    /// The outcome.
    pub outcome: CallOutcome,
}

/// A look's result.
#[derive(Debug)]
pub enum StatusItem {
    /// A submission.
    Submission(StatusSeen),
    /// An attempt, or a submission about which the provider could not be asked.
    Call(StatusCall),
}

/// The results of looks for several attempts and submissions.
#[derive(Debug, Default)]
pub struct StatusRound {
    /// Attempts that were settled, and what could not be asked.
    pub calls: Vec<StatusCall>,
    /// The submissions that were asked about.
    pub seen: Vec<StatusSeen>,
    /// Names that are not in the history.
    pub unknown: Vec<String>,
    /// The count of submissions that were left, because they were sent with another account.
    pub elsewhere: usize,
}

/// The pauses between two looks, by the age of the youngest submission.
const PAUSES: [(SignedDuration, Duration); 3] = [
    (SignedDuration::from_mins(10), Duration::from_secs(60)),
    (SignedDuration::from_hours(24), Duration::from_secs(15 * 60)),
    (SignedDuration::from_hours(72), Duration::from_secs(60 * 60)),
];

/// The longest pause after a look without an answer.
const UNANSWERED: Duration = Duration::from_secs(60);

/// The pause for older submissions.
const LONGEST: Duration = Duration::from_secs(3 * 60 * 60);

impl StatusRound {
    /// Takes what a look learned. Returns whether the next look would not fail in the same way.
    fn take(&mut self, item: StatusItem) -> bool {
        match item {
            StatusItem::Submission(seen) => self.seen.push(seen),
            StatusItem::Call(call) => {
                let ends = matches!(call.outcome, CallOutcome::BadKey(_) | CallOutcome::Limited { .. });
                self.calls.push(call);
                return !ends;
            }
        }
        true
    }

    /// The numbers with several open submissions, and their ids: an answer came later than is assumed, or one was filed
    /// elsewhere.
    #[must_use]
    pub fn doubles(&self) -> Vec<(String, Vec<String>)> {
        let mut of_numbers: BTreeMap<&String, Vec<String>> = BTreeMap::new();
        for submission in self.seen.iter().map(|seen| &seen.submission).filter(|seen| seen.is_open()) {
            for number in &submission.numbers {
                of_numbers.entry(number).or_default().push(submission.id.clone());
            }
        }
        let doubles = of_numbers.into_iter().filter(|(_, ids)| ids.len() > 1);
        doubles.map(|(number, ids)| (number.clone(), ids)).collect()
    }

    /// The names to ask about again, of those that were asked about: the submissions whose review has not ended, and those
    /// about which the provider did not answer.
    #[must_use]
    pub fn open(&self, asked: &[String]) -> Vec<String> {
        let open = self.seen.iter().filter(|seen| seen.is_waited_for());
        let mut open: Vec<String> = open.map(|seen| seen.submission.id.clone()).collect();
        if self.is_unanswered() {
            let is_answered = |name: &&String| {
                self.unknown.contains(name)
                    || self.seen.iter().any(|seen| seen.submission.id.eq_ignore_ascii_case(name))
            };
            open.extend(asked.iter().filter(|name| !is_answered(name)).cloned());
        }
        for call in self.calls.iter().filter(|call| call.outcome.may_change()) {
            let number = Some(&call.number).filter(|number| !number.is_empty());
            open.extend(call.id.as_ref().or(number).filter(|name| !open.contains(name)).cloned());
        }
        open
    }

    /// Whether the end of a review cannot be seen, so that a wait for it does not end with one.
    #[must_use]
    pub fn is_unfollowed(&self) -> bool {
        use CallOutcome::{Gone, NotFollowed, OtherAccount};
        let is_lost =
            |outcome: &CallOutcome| matches!(outcome, NotFollowed { .. } | Gone { .. } | OtherAccount { .. });
        self.calls.iter().any(|call| is_lost(&call.outcome))
    }

    /// Whether the provider did not answer about something that it may answer about later.
    fn is_unanswered(&self) -> bool {
        self.calls.iter().any(|call| call.outcome.may_change())
    }

    /// The pause until the next round: by the ages of the submissions, and so that the end of a time in a record is not
    /// missed. `waited` is the age of those that do not say theirs.
    #[must_use]
    pub fn pause(&self, now: Timestamp, waited: Duration) -> Duration {
        let waited = SignedDuration::try_from(waited).unwrap_or(SignedDuration::MAX);
        let pause = |seen: &StatusSeen| {
            let until = seen.submission.edit_until.map(|until| until.duration_since(now));
            let until =
                until.filter(SignedDuration::is_positive).and_then(|left| Duration::try_from(left).ok());
            pause_at(seen.submission.updated_at.map_or(waited, |changed| now.duration_since(changed)))
                .min(until.unwrap_or(LONGEST))
        };
        let longest = if self.is_unanswered() { UNANSWERED } else { LONGEST };
        self.seen.iter().filter(|seen| seen.is_waited_for()).map(pause).fold(longest, Duration::min)
    }
}

/// The pause after a look at a submission of an age.
fn pause_at(age: SignedDuration) -> Duration {
    PAUSES.iter().find(|(until, _)| age < *until).map_or(LONGEST, |(_, pause)| *pause)
}

impl CallSession<'_> {
    /// Settles attempts and asks about submissions: those with the names, or all that are not at their end.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn status(&mut self, names: &[String], now: Timestamp) -> Result<StatusRound> {
        let mut round = StatusRound::default();
        // The provider's id of a number may be all that is known of what was sent for it.
        let by_id = self.api.names_numbers_by_id();
        let both =
            |name: &String| Ok([name.clone(), if by_id { self.known_name(name)? } else { name.clone() }]);
        let meant: Vec<[String; 2]> = names.iter().map(both).collect::<Result<_>>()?;
        let is_one =
            |attempt: &Attempt, names: &[String; 2]| names.iter().any(|name| is_named(attempt, name));
        let is_meant =
            |attempt: &Attempt| meant.is_empty() || meant.iter().any(|names| is_one(attempt, names));
        let mut followed = self.open_attempts()?;
        followed.retain(&is_meant);
        for attempt in &followed {
            let outcome = self.settle_attempt(attempt)?;
            if !round.take(StatusItem::Call(called_for(attempt, outcome))) {
                return Ok(round);
            }
        }
        let mut accepted = self.without_records()?;
        accepted.retain(&is_meant);
        for attempt in accepted {
            let item = self.read_missing(&attempt)?;
            if !round.take(item) {
                return Ok(round);
            }
            followed.push(attempt);
        }
        let asked = match names {
            [] => {
                let (others, all) = (self.sent_elsewhere()?, self.unfinished(now)?);
                let (elsewhere, asked): (Vec<_>, Vec<_>) = all
                    .into_iter()
                    .partition(|submission| others.contains(&submission.id.to_ascii_lowercase()));
                // Where this account has none, the one that has them is named.
                if asked.is_empty() {
                    elsewhere
                } else {
                    round.elsewhere = elsewhere.len();
                    asked
                }
            }
            names => {
                let (found, mut unknown) = self.named(names)?;
                let is_followed =
                    |names: &&[String; 2]| followed.iter().any(|attempt| is_one(attempt, names));
                let known: Vec<&String> = meant.iter().filter(is_followed).map(|names| &names[0]).collect();
                unknown.retain(|name| !known.contains(&name));
                round.unknown = unknown;
                found
            }
        };
        for submission in asked {
            let is_it = |seen: &StatusSeen| seen.submission.id.eq_ignore_ascii_case(&submission.id);
            if !round.seen.iter().any(is_it) && !round.take(self.refresh(&summary_of(&submission))?) {
                break;
            }
        }
        Ok(round)
    }

    /// The ids of submissions that were sent with another account, in small letters.
    fn sent_elsewhere(&mut self) -> Result<BTreeSet<String>> {
        let account = self.account();
        let others = self.store()?.attempts()?.into_iter().filter(|attempt| attempt.address != account);
        let sent = others.filter(|attempt| attempt.operation == AttemptOperation::Submission);
        Ok(sent.filter_map(|attempt| attempt.id).map(|id| id.to_ascii_lowercase()).collect())
    }

    /// Settles an attempt by a look.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn settle_attempt(&mut self, attempt: &Attempt) -> Result<CallOutcome> {
        Ok(match self.pursue(&attempt.token, Wish::Settle)? {
            Pursued::Outcome(outcome) => outcome,
            Pursued::Free | Pursued::Send(_) => CallOutcome::NothingArrived { token: attempt.token.clone() },
        })
    }

    /// The attempts of this provider whose outcome is not known, or whose record was not read yet; the oldest first.
    ///
    /// # Errors
    ///
    /// The history cannot be used.
    pub fn open_attempts(&mut self) -> Result<Vec<Attempt>> {
        let provider = self.api.provider().name();
        let mut attempts = self.store()?.attempts()?;
        attempts.retain(|attempt| attempt.provider == provider && attempt.state.is_open());
        attempts.reverse();
        Ok(attempts)
    }

    /// A submission about which the provider cannot be asked. One that has ended stays as it is.
    fn not_followed(&mut self, known: &SubmissionSummary) -> Result<StatusItem> {
        let SubmissionSummary { id, number, status, .. } = known.clone();
        if !known.is_open {
            let (before, provider) = (Some(status.clone()), Some(self.api.provider()));
            let submission =
                Submission { id, status, provider, numbers: vec![number], ..Submission::default() };
            return Ok(StatusItem::Submission(StatusSeen { submission, before }));
        }
        let sent = self.store()?.attempts()?.into_iter().find(|attempt| attempt.id.as_ref() == Some(&id));
        let attempt = sent.ok_or_else(|| self.api.not_offered("read a submission"))?;
        Ok(StatusItem::Call(called_for(&attempt, self.unfollowed(&attempt))))
    }

    /// Fetches a submission and stores its record.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn refresh(&mut self, known: &SubmissionSummary) -> Result<StatusItem> {
        let names = NumberNames::written(&known.number);
        let records = match self.fetch(&known.id, &names)? {
            Looked::Records(records) => records,
            Looked::CannotAsk => match self.look(&names)? {
                Looked::Records(records) => records,
                Looked::CannotAsk => return self.not_followed(known),
                Looked::Failed(called) => return Ok(failed(known, without_effect(called))),
            },
            Looked::Failed(called) => return Ok(failed(known, without_effect(called))),
        };
        let same = |record: &ProviderRecord| record.submission.id.eq_ignore_ascii_case(&known.id);
        let before = Some(known.status.clone());
        let record = records.into_iter().find(same);
        let Some(record) = record else {
            let Some(outcome) = self.withdrawn_before(&known.id)? else {
                return Ok(failed(known, self.gone(&known.id, &known.number)?));
            };
            let (number, id) = (known.number.clone(), Some(known.id.clone()));
            let operation = Some(AttemptOperation::Withdrawal);
            return Ok(StatusItem::Call(StatusCall { operation, number, id, outcome }));
        };
        // An older answer does not set the status back.
        if record.submission.updated_at < known.updated_at {
            let submission = Submission { status: known.status.clone(), ..record.submission };
            return Ok(StatusItem::Submission(StatusSeen { submission, before }));
        }
        self.keep(std::slice::from_ref(&record))?;
        Ok(StatusItem::Submission(StatusSeen { submission: record.submission, before }))
    }

    /// Stores all submissions that the provider has, and calls `visit` with each.
    ///
    /// # Errors
    ///
    /// The provider has no list, the call cannot be made, or the history cannot be used.
    pub fn import(&mut self, visit: &mut dyn FnMut(StatusSeen)) -> Result<Option<CallOutcome>> {
        let operation = self.api.file().operations.list.clone();
        let operation = operation.ok_or_else(|| self.api.not_offered("list all submissions"))?;
        let api = self.api;
        let numbers = match self.registered_numbers()? {
            Ok(numbers) => numbers,
            Err(called) => return Ok(Some(without_effect(called))),
        };
        let mut unread = None;
        let failed = each_page(api, "list", &operation, &Variables::new(), &mut |items| {
            let unreadable = || Called::Unknown("a submission in the list cannot be read".to_owned());
            let listed = items.len();
            let items = match &operation.follow {
                None => items,
                Some(path) if items.iter().any(|item| text_at(item, path).is_none()) => {
                    unread = Some(unreadable());
                    return Ok(false);
                }
                Some(path) => match self.followed(&items, path)? {
                    Ok(items) => items,
                    Err(called) => {
                        unread = Some(called);
                        return Ok(false);
                    }
                },
            };
            let read: Vec<_> = items.iter().filter_map(|item| self.record(item)).collect();
            if read.len() < listed {
                unread = Some(unreadable());
            }
            let sent = read.into_iter().filter(|record| !record.is_unsent);
            let records: Vec<String> = sent.map(|record| record.text).collect();
            if !records.is_empty() {
                let source = Source::new("answer", format!("[{}]", records.join(",")));
                let parsed = Parsed::of(&source, Some(Format::Json));
                let stored = self.store()?.add_records_of(&parsed, &numbers)?;
                stored.into_iter().map(|stored| StatusSeen::of(stored, api.provider())).for_each(&mut *visit);
            }
            Ok(true)
        })?;
        Ok(failed.or(unread).map(without_effect))
    }

    /// The numbers of each submission, where the provider's list of numbers shows that, and records do not.
    fn registered_numbers(&self) -> Result<Result<BTreeMap<String, Vec<String>>, Called>> {
        let mut numbers: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let owned = self.api.file().operations.owned.as_ref();
        let Some((owned, path)) = owned.and_then(|owned| Some((owned, owned.item.get("submission")?))) else {
            return Ok(Ok(numbers));
        };
        Ok(list(self.api, "owned", owned, &Variables::new())?.map(|items| {
            for item in items {
                let number = NumberNames::listed(owned, &item).e164;
                if let Some((id, number)) = text_at(&item, path).zip(number) {
                    numbers.entry(id).or_default().push(number);
                }
            }
            numbers
        }))
    }
}

pub(super) fn called_for(attempt: &Attempt, outcome: CallOutcome) -> StatusCall {
    let (operation, number) = (Some(attempt.operation), attempted_number(attempt));
    StatusCall { operation, number, id: attempt.record.clone(), outcome }
}

/// A submission about which the provider could not be asked.
fn failed(known: &SubmissionSummary, outcome: CallOutcome) -> StatusItem {
    let id = Some(known.id.clone());
    StatusItem::Call(StatusCall { operation: None, number: String::new(), id, outcome })
}

fn is_same(one: &str, other: &str) -> bool {
    NumberKey::of(one) == NumberKey::of(other)
}

/// Whether a name is the number of an attempt, its submission, or its token.
pub(super) fn is_named(attempt: &Attempt, name: &str) -> bool {
    let is_number = !attempt.number.is_empty() && is_same(&attempt.number, name);
    let is_id = [&attempt.record, &attempt.id].into_iter().any(|id| id.as_deref() == Some(name));
    is_number || is_id || attempt.token == name
}

fn summary_of(submission: &Submission) -> SubmissionSummary {
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

#[cfg(test)]
mod tests {
    use super::super::outcome::NextStep;
    use super::*;

    #[test]
    fn older_submissions_are_asked_about_less_often() {
        let minutes = |age| pause_at(SignedDuration::from_mins(age)).as_secs() / 60;
        assert_eq!([0, 9, 10, 1439, 1440, 4320].map(minutes), [1, 1, 15, 15, 60, 180]);
    }

    #[test]
    fn what_was_not_answered_is_asked_about_again_within_a_minute() {
        let call = |id: &str, outcome| StatusCall {
            operation: None,
            number: String::new(),
            id: Some(id.to_owned()),
            outcome,
        };
        let down = CallOutcome::unsent("503", NextStep::RunAgain);
        let gone = CallOutcome::Gone { id: "2".to_owned(), number: String::new(), asked: String::new() };
        let round = StatusRound { calls: vec![call("1", down), call("2", gone)], ..StatusRound::default() };
        assert_eq!(round.open(&[]), ["1"]);
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(round.pause(now, Duration::ZERO), Duration::from_secs(60));
    }
}
