//! Asks what became of open attempts and of submissions under review, and stores what it learns.

use tollproof_core::{Format, Parsed, Source, Submission};
use tollproof_history::{Attempt, AttemptOperation, AttemptState, Stored, SubmissionSummary};

use super::answer::text_at;
use super::called::Called;
use super::decide::Wish;
use super::error::CallError;
use super::lists::{ListedItems, each_page};
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{AcceptedBy, CallOutcome};
use super::pursue::Pursued;
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
    /// Whether the status is another one than before.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.before.as_deref() != Some(self.submission.status.as_str())
    }
}

/// What a look learned.
#[derive(Debug)]
pub enum StatusItem {
    /// A submission.
    Submission(StatusSeen),
    /// An attempt, and what became of it. `None` if nothing arrived: its number is free again.
    Attempt(Box<Attempt>, Option<CallOutcome>),
    /// A submission that the provider has, and about which it cannot be asked: what to do, for people.
    Unfollowed(Box<Attempt>, String),
    /// The provider could not be asked about this id.
    Failed(String, CallOutcome),
}

impl CallSession<'_> {
    /// Settles an attempt by a look.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn settle_attempt(&mut self, attempt: &Attempt) -> Result<StatusItem, CallError> {
        let outcome = match self.pursue(&attempt.token, Wish::Settle)? {
            Pursued::Outcome(outcome) => Some(outcome),
            Pursued::Free | Pursued::Send(_) => None,
        };
        Ok(StatusItem::Attempt(Box::new(attempt.clone()), outcome))
    }

    /// The attempts of this provider whose outcome is not known, or whose record was not read yet; the oldest first.
    ///
    /// # Errors
    ///
    /// The history cannot be used.
    pub fn open_attempts(&mut self) -> Result<Vec<Attempt>, CallError> {
        let provider = self.api.provider().name();
        let mut attempts = self.store()?.attempts()?;
        attempts.retain(|it| it.provider == provider && it.state.is_open());
        attempts.reverse();
        Ok(attempts)
    }

    /// Reads the records of submissions that were accepted without one.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn read_missing_records(&mut self) -> Result<Vec<StatusItem>, CallError> {
        let provider = self.api.provider().name();
        let attempts = self.store()?.attempts()?;
        let reserved = self.store()?.reservations()?;
        let mut seen = Vec::new();
        for attempt in attempts.into_iter().rev() {
            let is_meant = attempt.provider == provider
                && attempt.operation == AttemptOperation::Submission
                && attempt.state == AttemptState::Accepted
                && reserved.iter().any(|(number, it)| it.is_endless() && is_same(number, &attempt.number));
            if !is_meant {
                continue;
            }
            let names = NumberNames::written(&attempt.number);
            let looked = match &attempt.id {
                Some(id) => self.fetch(id, &names)?,
                None => self.look(&names)?,
            };
            match looked {
                Looked::Records(records) => {
                    if let Some(record) = self.made_by(&attempt, records)? {
                        let id = Some(record.submission.id.as_str());
                        self.end_with(&attempt, id, Some(&record), AcceptedBy::Look)?;
                        let submission = record.submission;
                        seen.push(StatusItem::Submission(StatusSeen { submission, before: None }));
                    }
                }
                Looked::CannotAsk => {
                    let next = self.to_follow(&attempt);
                    seen.push(StatusItem::Unfollowed(Box::new(attempt), next));
                }
                Looked::Failed(called) => {
                    let stops = ends(&called);
                    seen.push(StatusItem::Failed(attempt.number.clone(), without_effect(called)));
                    if stops {
                        break;
                    }
                }
            }
        }
        Ok(seen)
    }

    /// The next step for a submission that cannot be followed.
    fn to_follow(&self, attempt: &Attempt) -> String {
        let (name, file, token) = (self.api.provider().name(), &self.api.settings_file, &attempt.token[..12]);
        format!(
            "it cannot be followed: set `paths: fetch` and `paths: find` of {name} in {file}, or note how its review \
             ended with `tollproof attempts resolve {token} --ended verified`, or `--ended rejected`"
        )
    }

    /// A submission about which the provider cannot be asked. One that has ended stays as it is.
    fn not_followed(&mut self, known: &SubmissionSummary) -> Result<StatusItem, CallError> {
        let SubmissionSummary { id, number, status, .. } = known.clone();
        if !known.is_open {
            let (before, provider) = (Some(status.clone()), Some(self.api.provider()));
            let submission =
                Submission { id, status, provider, numbers: vec![number], ..Submission::default() };
            return Ok(StatusItem::Submission(StatusSeen { submission, before }));
        }
        let sent = self.store()?.attempts()?.into_iter().find(|attempt| attempt.id.as_ref() == Some(&id));
        let attempt = sent.ok_or_else(|| self.api.not_offered("read a submission"))?;
        let next = self.to_follow(&attempt);
        Ok(StatusItem::Unfollowed(Box::new(attempt), next))
    }

    /// Fetches a submission and stores its record.
    ///
    /// # Errors
    ///
    /// The call cannot be made, or the history cannot be used.
    pub fn refresh(&mut self, known: &SubmissionSummary) -> Result<StatusItem, CallError> {
        let names = NumberNames::written(&known.number);
        let records = match self.fetch(&known.id, &names)? {
            Looked::Records(records) => records,
            Looked::CannotAsk => match self.look(&names)? {
                Looked::Records(records) => records,
                Looked::CannotAsk => return self.not_followed(known),
                Looked::Failed(called) => {
                    return Ok(StatusItem::Failed(known.id.clone(), without_effect(called)));
                }
            },
            Looked::Failed(called) => {
                return Ok(StatusItem::Failed(known.id.clone(), without_effect(called)));
            }
        };
        let same = |it: &Submission| it.id.eq_ignore_ascii_case(&known.id);
        let record = records.into_iter().find(|it| same(&it.submission));
        let before = Some(known.status.clone());
        let Some(record) = record else {
            return Ok(StatusItem::Failed(known.id.clone(), self.gone(&known.id, &known.number)?));
        };
        // An older answer does not set the status back.
        if record.submission.updated_at < known.updated_at {
            let submission = Submission { status: known.status.clone(), ..record.submission };
            return Ok(StatusItem::Submission(StatusSeen { submission, before }));
        }
        self.keep(std::slice::from_ref(&record))?;
        Ok(StatusItem::Submission(StatusSeen { submission: record.submission, before }))
    }

    /// Stores all submissions that the provider has, and calls `visit` with what each page changed.
    ///
    /// # Errors
    ///
    /// The provider has no list, the call cannot be made, or the history cannot be used.
    pub fn import(&mut self, visit: &mut dyn FnMut(&[Stored])) -> Result<Option<CallOutcome>, CallError> {
        let operation = self.api.file().operations.list.clone();
        let operation = operation.ok_or_else(|| self.api.not_offered("list all submissions"))?;
        let api = self.api;
        let mut unread = None;
        let failed = each_page(api, "list", &operation, &Variables::new(), &mut |items| {
            let unreadable = || Called::Unknown("a submission in the list cannot be read".to_owned());
            let items = match &operation.follow {
                None => items,
                Some(path) if items.iter().any(|item| text_at(item, path).is_none()) => {
                    unread = Some(unreadable());
                    return Ok(false);
                }
                Some(path) => match self.followed(&items, path)? {
                    ListedItems::Items(items) => items,
                    ListedItems::Failed(called) => {
                        unread = Some(called);
                        return Ok(false);
                    }
                },
            };
            let read: Vec<_> = items.iter().filter_map(|item| self.record(item)).collect();
            if read.len() < items.len() {
                unread = Some(unreadable());
            }
            let sent = read.into_iter().filter(|record| !record.is_unsent);
            let records: Vec<String> = sent.map(|record| record.text).collect();
            if !records.is_empty() {
                let source = Source::new("answer", format!("[{}]", records.join(",")));
                let parsed = Parsed::of(&source, Some(Format::Json));
                visit(&self.store()?.add_records(&parsed)?);
            }
            Ok(true)
        })?;
        Ok(failed.or(unread).map(without_effect))
    }
}

/// Whether the next request would fail in the same way.
fn ends(called: &Called) -> bool {
    matches!(called, Called::BadKey(_) | Called::Limited(_) | Called::NotSent(_) | Called::Barred(..))
}

fn is_same(one: &str, other: &str) -> bool {
    tollproof_core::NumberKey::of(one) == tollproof_core::NumberKey::of(other)
}
