//! Looks for what attempts did: each operation has its own way to look, and its own way to end with what was found.

use tollproof_core::{Format, Outcome as Verdict, Parsed, Source};
use tollproof_history::{Attempt, AttemptOperation, AttemptState};

use super::called::Called;
use super::decide::{Phase, Seen};
use super::error::Result;
use super::kept::REFERENCE;
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::record::ProviderRecord;
use super::session::{CallSession, accepted};

/// The result of a look, with what the next step needs of it.
pub(crate) struct Sight {
    pub(crate) seen: Seen,
    /// The provider's records of the number or submission.
    pub(crate) records: Vec<ProviderRecord>,
    /// The submission that the attempt made or changed.
    pub(crate) found: Option<ProviderRecord>,
    /// The number that was bought.
    pub(crate) number: Option<NumberNames>,
    /// The id of what a first step made.
    pub(crate) begun: Option<String>,
    /// Reason the provider was not asked.
    pub(crate) failed: Option<Called>,
    /// The outcome, if that is why the attempt is not sent.
    pub(crate) outcome: Option<CallOutcome>,
}

impl Sight {
    pub(crate) fn of(seen: Seen) -> Self {
        let (records, found, number, begun) = (Vec::new(), None, None, None);
        Self { seen, records, found, number, begun, failed: None, outcome: None }
    }

    pub(crate) fn failed(called: Called) -> Self {
        Self { failed: Some(called), ..Self::of(Seen::Failed) }
    }

    pub(crate) fn obstacle(outcome: Option<CallOutcome>) -> Self {
        Self { outcome, ..Self::of(Seen::Obstacle) }
    }

    fn gone(outcome: CallOutcome) -> Self {
        Self { outcome: Some(outcome), ..Self::of(Seen::Gone) }
    }

    /// The reason an attempt ends after this look, in the history.
    pub(crate) fn why(&self) -> &'static str {
        match (self.seen, &self.outcome) {
            (Seen::Failed, _) => "the provider could not be asked",
            (Seen::Obstacle, None) => "the history has changed",
            (Seen::Obstacle, Some(_)) => "it was not needed, and not sent",
            (Seen::Gone, _) => "the submission does not exist any more",
            _ => "nothing arrived",
        }
    }
}

impl CallSession<'_> {
    /// Looks for what an attempt did.
    pub(crate) fn sight(&mut self, attempt: &Attempt) -> Result<Sight> {
        match attempt.operation {
            AttemptOperation::Submission => self.sight_of_submission(attempt),
            AttemptOperation::Purchase => self.sight_of_purchase(attempt),
            AttemptOperation::Update | AttemptOperation::Withdrawal => self.sight_of_change(attempt),
        }
    }

    /// By its token, else by its number.
    fn sight_of_submission(&mut self, attempt: &Attempt) -> Result<Sight> {
        let was_sent = attempt.sent_at.is_some();
        // A draft with a reference of its own has no token at the provider.
        let has_token = !attempt.steps.contains_key(REFERENCE);
        let mut begun = None;
        match (has_token && was_sent).then(|| self.look_by_token(&attempt.token)).transpose()?.flatten() {
            Some(Looked::Records(records)) => {
                begun =
                    records.iter().find(|record| record.is_unsent).map(|record| record.submission.id.clone());
                if let Some(record) = records.into_iter().find(|record| !record.is_unsent) {
                    return Ok(Sight { found: Some(record), ..Sight::of(Seen::Done) });
                }
            }
            Some(Looked::Failed(called)) => return Ok(Sight::failed(called)),
            Some(Looked::CannotAsk) | None => {}
        }
        let records = match self.look(&NumberNames::written(&attempt.number))? {
            Looked::Failed(called) => return Ok(Sight::failed(called)),
            Looked::CannotAsk if begun.is_some() => Vec::new(),
            Looked::CannotAsk => return Ok(Sight::of(Seen::CannotAsk)),
            Looked::Records(records) => records,
        };
        if !was_sent {
            return self.sight_before(attempt, records);
        }
        if !has_token {
            let known = self.known_before(attempt, &records)?;
            let is_new = |record: &&ProviderRecord| record.is_unsent && !known.contains(record);
            begun = records.iter().find(is_new).map(|record| record.submission.id.clone());
        }
        let found = self.made_by(attempt, records.clone())?;
        let seen = match (&found, &begun) {
            (Some(_), _) => Seen::Done,
            (None, Some(_)) => Seen::Begun,
            (None, None) => Seen::Nothing,
        };
        Ok(Sight { records, found, begun, ..Sight::of(seen) })
    }

    /// The submissions of a number before it is submitted: somebody may have filed one in the console.
    fn sight_before(&mut self, attempt: &Attempt, records: Vec<ProviderRecord>) -> Result<Sight> {
        let is_news = self.keep(&records)?;
        let is_open = |record: &&ProviderRecord| !record.is_unsent && record.submission.is_open();
        if let Some(open) = records.iter().find(is_open) {
            return Ok(Sight::obstacle(Some(CallOutcome::OpenElsewhere(Accepted {
                id: Some(open.submission.id.clone()),
                status: Some(open.submission.status.clone()),
                number: attempt.number.clone(),
                by: AcceptedBy::Look,
            }))));
        }
        // The gate has not seen these.
        if is_news {
            return Ok(Sight::obstacle(None));
        }
        Ok(Sight { records, ..Sight::of(Seen::Nothing) })
    }

    /// The state of the submission that an update changes, or a withdrawal removes.
    fn sight_of_change(&mut self, attempt: &Attempt) -> Result<Sight> {
        let id = attempt.record.clone().unwrap_or_default();
        let records = match self.fetch(&id, &NumberNames::written(&attempt.number))? {
            Looked::Records(records) => records,
            Looked::CannotAsk => return Ok(Sight::of(Seen::CannotAsk)),
            Looked::Failed(called) => return Ok(Sight::failed(called)),
        };
        let is_it = |record: &&ProviderRecord| record.submission.id.eq_ignore_ascii_case(id.trim());
        let is_there = records
            .iter()
            .find(is_it)
            .is_some_and(|record| record.is_unsent || !matches!(record.submission.outcome(), Verdict::Ended));
        let may_end = match attempt.operation {
            AttemptOperation::Withdrawal => Phase::of(attempt) == Phase::Unsent,
            _ => Phase::of(attempt) != Phase::Sent,
        };
        if !is_there && may_end {
            let withdrawn = match attempt.operation {
                AttemptOperation::Withdrawal => self.withdrawn_before(&id)?,
                _ => None,
            };
            return Ok(Sight::gone(match withdrawn {
                Some(outcome) => outcome,
                None => self.gone(&id, &attempt.number)?,
            }));
        }
        if attempt.operation == AttemptOperation::Withdrawal {
            let seen = if is_there { Seen::Nothing } else { Seen::Done };
            return Ok(Sight { records, ..Sight::of(seen) });
        }
        let found = match attempt.state {
            AttemptState::Sent => self.changed_by(attempt, records.clone())?,
            _ => None,
        };
        let seen = if found.is_some() { Seen::Done } else { Seen::Nothing };
        Ok(Sight { records, found, ..Sight::of(seen) })
    }

    /// Ends an attempt with what a look has found. `None` if it has ended meanwhile, because nothing had arrived, or if it
    /// is a purchase of more numbers.
    pub(crate) fn adopt(&mut self, attempt: &Attempt, sight: &Sight) -> Result<Option<Accepted>> {
        let now = self.store()?.now()?;
        let record = sight.found.as_ref();
        let ended = match (attempt.operation, record) {
            (AttemptOperation::Purchase, _) => return self.adopt_purchase(attempt, sight.number.as_ref()),
            (AttemptOperation::Submission, Some(record)) => {
                let source = Source::new("answer", record.text.as_str());
                let parsed = Parsed::of(&source, Some(Format::Json));
                let id = Some(record.submission.id.as_str());
                self.store()?.adopt(&attempt.token, id, Some(&parsed), now)?
            }
            (AttemptOperation::Withdrawal, _) => {
                let id = attempt.record.clone().unwrap_or_default();
                self.store()?.end_submission(&id, true)?;
                self.store()?.adopt(&attempt.token, Some(&id), None, now)?
            }
            (_, record) => {
                self.keep(record.map(std::slice::from_ref).unwrap_or_default())?;
                self.store()?.adopt(&attempt.token, attempt.record.as_deref(), None, now)?
            }
        };
        let status = record.map(|record| record.submission.status.clone());
        let is_adopted = ended.state == AttemptState::Accepted;
        Ok(is_adopted.then(|| Accepted { status, ..accepted(&ended, AcceptedBy::Look) }))
    }

    /// The outcome for a submission that the provider does not have, or that another account has.
    pub(crate) fn gone(&mut self, id: &str, number: &str) -> Result<CallOutcome> {
        let is_its = |attempt: &Attempt| {
            attempt.operation == AttemptOperation::Submission
                && attempt.id.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(id.trim()))
        };
        let sent = self.store()?.attempts()?.into_iter().find(is_its);
        let asked = self.account();
        Ok(match sent.filter(|sent| sent.address != asked) {
            Some(sent) => CallOutcome::OtherAccount { token: sent.token, sent_to: sent.address, asked },
            None => CallOutcome::Gone { id: id.to_owned(), number: number.to_owned(), asked },
        })
    }
}
