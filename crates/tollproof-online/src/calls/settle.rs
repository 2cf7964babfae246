//! What became of an attempt whose outcome is not known: a look at the provider decides.

use jiff::Timestamp;
use tollproof_core::{Format, Parsed, Source};
use tollproof_history::{Attempt, AttemptState};

use super::called::Called;
use super::error::CallError;
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::record::ProviderRecord;
use super::session::{CallSession, REFERENCE, sleep_until, without_look};

/// What a look says about an attempt.
#[derive(Debug)]
pub(crate) enum Settled {
    /// The provider has it; it is in the history now.
    Adopted(Accepted),
    /// Nothing arrived. This session holds the attempt and may send.
    Nothing(Attempt),
    /// The number has a submission that the attempt did not make.
    Elsewhere(Accepted),
    /// It is too early to say: another program may be sending, or what it sent may be on its way.
    InFlight { until: Timestamp, was_sent: bool },
    /// Another program has ended the attempt.
    Ended,
    /// The provider cannot be asked.
    CannotAsk,
    /// It was sent to another server or account.
    OtherAccount,
    /// The provider did not answer.
    Failed(Called),
}

/// What the provider has for an attempt.
enum FoundRecord {
    /// A submission.
    Record(ProviderRecord),
    /// None; what the number has besides, and the id of a record that the first step of the attempt made.
    None {
        others: Vec<ProviderRecord>,
        unsent: Option<String>,
    },
    CannotAsk,
    Failed(Called),
}

impl CallSession<'_> {
    /// Settles an attempt to submit, and waits for that if the session waits.
    pub(crate) fn settle(&mut self, attempt: &Attempt) -> Result<Settled, CallError> {
        loop {
            let settled = self.settle_now(&attempt.token)?;
            let Settled::InFlight { until, .. } = settled else { return Ok(settled) };
            let now = self.store()?.now()?;
            if !self.waits || now >= until {
                return Ok(settled);
            }
            sleep_until(until, now);
        }
    }

    fn settle_now(&mut self, token: &str) -> Result<Settled, CallError> {
        let Some(attempt) = self.store()?.attempt(token)? else { return Ok(Settled::Ended) };
        match attempt.state {
            AttemptState::Accepted => return Ok(Settled::Adopted(accepted(&attempt, AcceptedBy::Look))),
            AttemptState::Refused | AttemptState::Withdrawn => return Ok(Settled::Ended),
            AttemptState::Prepared | AttemptState::Sent => {}
        }
        if attempt.address != self.account() {
            return Ok(Settled::OtherAccount);
        }
        let was_sent = attempt.state == AttemptState::Sent;
        // What this look cannot see must have been sent before it began.
        let now = self.store()?.now()?;
        let in_flight = Settled::InFlight { until: attempt.until, was_sent };
        let is_others = now < attempt.until && attempt.holder != self.holder;
        let (can_ask, others, unsent) = match self.found(&attempt)? {
            FoundRecord::Failed(called) => return Ok(Settled::Failed(called)),
            FoundRecord::CannotAsk => (false, Vec::new(), None),
            FoundRecord::None { others, unsent } => (true, others, unsent),
            // The other program may have sent it since.
            FoundRecord::Record(_) if attempt.sent_at.is_none() && is_others => return Ok(in_flight),
            FoundRecord::Record(record) if attempt.sent_at.is_none() => {
                return self.elsewhere(&attempt, &record, now);
            }
            FoundRecord::Record(record) => {
                let id = record.submission.id.clone();
                let ended = self.adopt(&attempt, &id, &record)?;
                return Ok(ended.map_or(Settled::Ended, Settled::Adopted));
            }
        };
        if is_others || was_sent && now < attempt.until {
            return Ok(in_flight);
        }
        if was_sent && !can_ask {
            return Ok(Settled::CannotAsk);
        }
        self.take(&attempt, now, unsent, &others)
    }

    /// Makes this session the holder of an attempt of which nothing arrived, as a look that began at `looked` saw.
    fn take(
        &mut self,
        attempt: &Attempt,
        looked: Timestamp,
        unsent: Option<String>,
        others: &[ProviderRecord],
    ) -> Result<Settled, CallError> {
        let (_, until) = self.lease()?;
        let holder = self.holder.clone();
        let was_sent = attempt.state == AttemptState::Sent;
        let step = self.api.file().operations.submit.first().and_then(|it| it.keeps.clone());
        let store = self.store()?;
        if store.take_over(&attempt.token, &holder, looked, until)?.is_none() {
            return Ok(Settled::InFlight { until, was_sent });
        }
        store.mark_unsent(&attempt.token, &holder)?;
        // The next step continues with what the first one made.
        if let Some((name, id)) = step.zip(unsent).filter(|(name, _)| !attempt.steps.contains_key(name)) {
            store.keep_step(&attempt.token, &holder, &name, &id)?;
        }
        let Some(mut attempt) = store.attempt(&attempt.token)? else { return Ok(Settled::Ended) };
        self.keep(others)?;
        self.keep_known(&mut attempt, others)?;
        Ok(Settled::Nothing(attempt))
    }

    /// Ends an attempt of which nothing arrived, as a look that began at `looked` saw. False if it has ended, or if
    /// another program may have sent it since.
    pub(crate) fn end_unsent(
        &mut self,
        attempt: &Attempt,
        looked: Timestamp,
        why: &str,
    ) -> Result<bool, CallError> {
        let (now, until) = self.lease()?;
        let holder = self.holder.clone();
        let store = self.store()?;
        Ok(store.take_over(&attempt.token, &holder, looked, until)?.is_some()
            && store.give_up(&attempt.token, &holder, why, now)?)
    }

    /// Ends an attempt that was never sent, because somebody else has submitted the number.
    fn elsewhere(
        &mut self,
        attempt: &Attempt,
        record: &ProviderRecord,
        looked: Timestamp,
    ) -> Result<Settled, CallError> {
        self.keep(std::slice::from_ref(record))?;
        if !self.end_unsent(attempt, looked, "the number has another submission")? {
            return Ok(Settled::InFlight { until: attempt.until, was_sent: false });
        }
        let submission = &record.submission;
        Ok(Settled::Elsewhere(Accepted {
            id: Some(submission.id.clone()),
            status: Some(submission.status.clone()),
            ..accepted(attempt, AcceptedBy::Look)
        }))
    }

    /// What the provider has for an attempt: by its token, else by its number.
    fn found(&mut self, attempt: &Attempt) -> Result<FoundRecord, CallError> {
        let mut unsent = None;
        // A draft with a reference of its own has no token at the provider.
        let has_token = !attempt.steps.contains_key(REFERENCE);
        match has_token.then(|| self.look_by_token(&attempt.token)).transpose()?.flatten() {
            Some(Looked::Records(records)) => {
                unsent = records.iter().find(|it| it.is_unsent).map(|it| it.submission.id.clone());
                if let Some(record) = records.into_iter().find(|it| !it.is_unsent) {
                    return Ok(FoundRecord::Record(record));
                }
            }
            Some(Looked::Failed(called)) => return Ok(FoundRecord::Failed(called)),
            Some(Looked::CannotAsk) | None => {}
        }
        let records = match self.look(&NumberNames::written(&attempt.number))? {
            Looked::Failed(called) => return Ok(FoundRecord::Failed(called)),
            Looked::CannotAsk => return Ok(FoundRecord::CannotAsk),
            Looked::Records(records) => records,
        };
        if !has_token && attempt.sent_at.is_some() {
            let known = self.known_before(attempt, &records)?;
            let is_new = |it: &&ProviderRecord| it.is_unsent && !known.contains(it);
            unsent = records.iter().find(is_new).map(|it| it.submission.id.clone());
        }
        let found = match attempt.sent_at {
            Some(_) => self.made_by(attempt, records.clone())?,
            None => records.iter().find(|it| !it.is_unsent && it.submission.is_open()).cloned(),
        };
        Ok(match found {
            Some(record) => FoundRecord::Record(record),
            None => FoundRecord::None { others: records, unsent },
        })
    }

    /// Ends an attempt with the submission that a look has found. `None` if it has ended meanwhile, because nothing had
    /// arrived: another attempt made the submission.
    fn adopt(
        &mut self,
        attempt: &Attempt,
        id: &str,
        record: &ProviderRecord,
    ) -> Result<Option<Accepted>, CallError> {
        let now = self.store()?.now()?;
        let source = Source::new("answer", record.text.as_str());
        let parsed = Parsed::of(&source, Some(Format::Json));
        let ended = self.store()?.adopt(&attempt.token, Some(id), Some(&parsed), now)?;
        let status = Some(record.submission.status.clone());
        let is_adopted = ended.state == AttemptState::Accepted;
        Ok(is_adopted.then(|| Accepted { status, ..accepted(&ended, AcceptedBy::Look) }))
    }

    /// Ends an attempt that the provider accepted; the number is released with the record.
    pub(crate) fn end_with(
        &mut self,
        attempt: &Attempt,
        id: Option<&str>,
        record: Option<&ProviderRecord>,
        by: AcceptedBy,
    ) -> Result<Accepted, CallError> {
        let now = self.store()?.now()?;
        let source = record.map(|it| Source::new("answer", it.text.as_str()));
        let parsed = source.as_ref().map(|it| Parsed::of(it, Some(Format::Json)));
        let ended = self.store()?.accept(&attempt.token, id, parsed.as_ref(), now)?;
        let status = record.map(|it| it.submission.status.clone());
        Ok(Accepted { status, ..accepted(&ended, by) })
    }

    /// The outcome of an attempt that is not settled, for a draft that must wait for it.
    pub(crate) fn unsettled(&self, attempt: &Attempt, settled: Settled) -> CallOutcome {
        let token = attempt.token.clone();
        let unknown = |until, can_ask| {
            let why = "a request was sent, and its answer did not arrive".to_owned();
            CallOutcome::Unknown { token, why, until, can_ask }
        };
        let busy = || CallOutcome::NotFinished("another program is submitting this number".to_owned());
        match settled {
            Settled::Adopted(accepted) => CallOutcome::Accepted(accepted),
            Settled::Elsewhere(accepted) => CallOutcome::OpenElsewhere(accepted),
            Settled::InFlight { until, was_sent: true } => unknown(Some(until), true),
            Settled::InFlight { .. } | Settled::Ended | Settled::Nothing(_) => busy(),
            Settled::CannotAsk => unknown(None, false),
            Settled::OtherAccount => self.other_account(attempt),
            Settled::Failed(called) => self.not_looked(attempt, called),
        }
    }
}

impl CallSession<'_> {
    /// The outcome of an attempt about which the provider could not be asked: that says nothing about what was sent.
    pub(crate) fn not_looked(&self, attempt: &Attempt, called: Called) -> CallOutcome {
        if attempt.state != AttemptState::Sent {
            return without_look(called);
        }
        let why =
            format!("its answer did not arrive, and the provider could not be asked: {}", called.reason());
        CallOutcome::Unknown { token: attempt.token.clone(), why, until: Some(attempt.until), can_ask: true }
    }
}

impl CallSession<'_> {
    /// The outcome of an attempt that was made with another account: this one cannot be asked about it.
    pub(crate) fn other_account(&self, attempt: &Attempt) -> CallOutcome {
        let why = format!("it was sent to another account or server, {}; use that", attempt.address);
        CallOutcome::Unknown { token: attempt.token.clone(), why, until: None, can_ask: false }
    }
}

pub(crate) fn accepted(attempt: &Attempt, by: AcceptedBy) -> Accepted {
    Accepted { id: attempt.id.clone(), status: None, number: attempt.number.clone(), by }
}
