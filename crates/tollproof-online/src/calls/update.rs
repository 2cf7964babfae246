//! Changes a submission. What the provider has of it is read first, so that a lost answer can be told from a lost request.

use jiff::Timestamp;
use tollproof_core::{
    Facts, KindChoice, KindHint, KindRole, Linter, NumberKey, Outcome as Verdict, Parsed, Severity,
};
use tollproof_history::{
    Attempt, AttemptOperation, AttemptState, Begun, Decision, Gate, GateOptions, NewAttempt, Query,
};

use super::body::DraftBody;
use super::error::CallError;
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::record::ProviderRecord;
use super::session::{CallSession, without_look};
use super::settle::accepted;

/// A submission that is to be changed.
#[derive(Clone, Debug)]
pub struct UpdateTarget {
    /// The id of the submission.
    pub id: String,
    /// Its number, as its record names it.
    pub number: String,
    /// The status that the provider returned just now.
    pub status: String,
    /// Whether it was approved: a change may cost the approval.
    pub is_approved: bool,
    /// The record that the provider returned just now.
    pub(crate) record: ProviderRecord,
}

/// The submission of an update, or why it cannot be changed now.
#[derive(Debug)]
pub enum UpdateTargetFound {
    /// The submission.
    Target(Box<UpdateTarget>),
    /// The provider did not answer, or does not have it.
    Failed(Box<CallOutcome>),
}

impl CallSession<'_> {
    /// The submission that an update changes: the one with an id, or the last one of a number in the history. Its record is
    /// fetched and stored.
    ///
    /// # Errors
    ///
    /// The history does not contain it, the call cannot be made, or the history cannot be used.
    pub fn update_target(
        &mut self,
        id: Option<&str>,
        number: Option<&str>,
    ) -> Result<UpdateTargetFound, CallError> {
        if self.api.file().operations.update.is_empty() {
            return Err(self.api.not_offered("update a submission"));
        }
        let query = Query {
            numbers: number.map(str::to_owned).into_iter().collect(),
            ids: id.map(str::to_owned).into_iter().collect(),
        };
        let known = self.past.look_up(&query)?.history;
        let of_number = || known.of_number(number?).max_by_key(|it| (it.is_open(), it.updated_at));
        let submission = id.and_then(|id| known.of_id(id)).or_else(of_number).cloned();
        let id = id.map(str::to_owned).or_else(|| submission.as_ref().map(|it| it.id.clone()));
        let number = number.map(str::to_owned).or_else(|| submission.as_ref()?.numbers.first().cloned());
        let Some(id) = id else {
            return Err(CallError::Usage(
                "the submission that this update changes is unknown; name its id with `--id`".to_owned(),
            ));
        };
        let names = number.as_deref().map(NumberNames::written).unwrap_or_default();
        let record = match self.fetch(&id, &names)? {
            // Where the number is what identifies it, the number may have another submission by now.
            Looked::Records(records) => {
                records.into_iter().find(|it| it.submission.id.eq_ignore_ascii_case(id.trim()))
            }
            Looked::CannotAsk => return Err(self.api.not_offered("read a submission")),
            Looked::Failed(called) => return Ok(UpdateTargetFound::Failed(Box::new(without_look(called)))),
        };
        let Some(record) = record else {
            let why = format!("{} does not have a submission `{id}`", self.api.provider().title());
            return Ok(UpdateTargetFound::Failed(Box::new(CallOutcome::NotFinished(why))));
        };
        self.keep(std::slice::from_ref(&record))?;
        let submission = &record.submission;
        let number = submission.numbers.first().cloned().or(number).unwrap_or_default();
        let is_approved = submission.outcome() == Verdict::Verified;
        let (id, status) = (submission.id.clone(), submission.status.clone());
        let target = UpdateTarget { id, number, status, is_approved, record };
        Ok(UpdateTargetFound::Target(Box::new(target)))
    }

    /// Sends the only draft of a text as an update of a submission.
    ///
    /// # Errors
    ///
    /// The text is not one request of this provider, the call cannot be made, or the history cannot be used.
    pub fn update(
        &mut self,
        linter: &Linter,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
        target: &UpdateTarget,
    ) -> Result<CallOutcome, CallError> {
        // The fields of an update and of a submission are the same at some providers, so the keys do not tell them apart.
        let role = KindRole::Update;
        let has_updates = self.api.provider().kind(role).is_some();
        let forced = KindChoice { provider: Some(self.api.provider()), role: Some(role) };
        let hint = if has_updates { KindHint::Forced(forced) } else { hint };
        let (kind, document) = self.request_of(parsed, hint)?;
        // Some providers take the fields of a submission again; the number of such a draft is not reserved a second time.
        let decision = match kind.is_submit() {
            true => self.checked(linter, parsed, hint, plan),
            false => {
                let plan = GateOptions { record_id: Some(target.id.clone()), ..plan.clone() };
                Gate::new(linter, self.past).decide(parsed, hint, &plan)?
            }
        };
        let root = document.document().root.as_ref();
        let is_refused = match kind.is_submit() {
            true => decision.report.count(Severity::Error) > 0 || document.document().cut,
            false => matches!(decision.verdict, tollproof_history::Verdict::Refused),
        };
        let Some(root) = root.filter(|_| !is_refused) else {
            return Ok(CallOutcome::RefusedByGate { decision: Box::new(decision), text: None });
        };
        let is_other = |it: &str| {
            let (one, other) = (NumberKey::of(it), NumberKey::of(&target.number));
            one.is_e164() == other.is_e164() && one != other
        };
        if kind.numbers(root).into_iter().filter_map(|it| it.as_str()).any(is_other) {
            return Err(CallError::Usage(format!(
                "the draft is for another number than the submission `{}`",
                target.id
            )));
        }
        self.use_values_of(kind, root)?;
        let body = DraftBody::of(root, kind)?;
        self.api.log_in()?;
        let attempts = self.store()?.attempts()?;
        let is_open = |it: &&Attempt| {
            it.operation == AttemptOperation::Update
                && it.record.as_deref() == Some(&target.id)
                && it.state.is_open()
        };
        if let Some(open) = attempts.iter().find(is_open) {
            let is_same = open.digest == body.digest();
            match self.settle_update(open)? {
                Some(CallOutcome::Accepted(_)) if !is_same => {}
                Some(outcome) => return Ok(outcome),
                None => {}
            }
        }
        let newest = attempts
            .iter()
            .find(|it| it.operation == AttemptOperation::Update && it.record.as_deref() == Some(&target.id));
        let is_done = |it: &&Attempt| it.state == AttemptState::Accepted && it.digest == body.digest();
        if let Some(done) = newest.filter(is_done).filter(|_| !self.sends_again) {
            let status = Some(target.status.clone());
            let earlier = Accepted { status, ..accepted(done, AcceptedBy::Earlier) };
            return Ok(match target.record.submission.outcome() {
                Verdict::Rejected => CallOutcome::RejectedEarlier(earlier),
                _ => CallOutcome::Accepted(earlier),
            });
        }
        let (now, until) = self.lease()?;
        // An update of a submission that has ended opens it again, so the number must not be submitted meanwhile.
        let seen = &target.record.submission;
        let mut names = vec![format!("update {}", target.id)];
        names.extend(seen.numbers.iter().filter(|_| !seen.is_open()).cloned());
        let new = NewAttempt {
            operation: AttemptOperation::Update,
            provider: self.api.provider().name().to_owned(),
            number: target.number.clone(),
            names,
            digest: body.digest().to_owned(),
            address: self.account(),
            holder: self.holder.clone(),
            until,
            record: Some(target.id.clone()),
            steps: Default::default(),
        };
        let mut attempt = match self.store()?.begin(&new, now)? {
            Begun::Started(attempt) => attempt,
            Begun::Taken => {
                return Ok(CallOutcome::NotFinished(
                    "another program is updating this submission, or its number was submitted again"
                        .to_owned(),
                ));
            }
        };
        self.keep_known(&mut attempt, std::slice::from_ref(&target.record))?;
        let mut variables = NumberNames::written(&target.number).variables();
        variables.insert("id".to_owned(), target.id.clone());
        let steps = self.api.file().operations.update.clone();
        self.send_steps("update", &steps, attempt, variables, &body)
    }

    /// What became of an earlier update. `None` if it is settled and nothing arrived.
    pub(crate) fn settle_update(&mut self, open: &Attempt) -> Result<Option<CallOutcome>, CallError> {
        let open = match self.still_open(open)? {
            StillOpen::Yes(open) => open,
            StillOpen::No(outcome) => return Ok(outcome),
        };
        let open = &*open;
        let id = open.record.clone().unwrap_or_default();
        if open.address != self.account() {
            return Ok(Some(self.other_account(open)));
        }
        // What this look cannot see must have been sent before it began.
        let now = self.store()?.now()?;
        let was_sent = open.state == AttemptState::Sent;
        let can_ask = match self.fetch(&id, &NumberNames::written(&open.number))? {
            Looked::Records(records) => {
                if let Some(record) = self.changed_by(open, records)?.filter(|_| was_sent) {
                    self.keep(std::slice::from_ref(&record))?;
                    let ended = self.store()?.adopt(&open.token, Some(&id), None, now)?;
                    if ended.state != AttemptState::Accepted {
                        return Ok(Some(ended_meanwhile()));
                    }
                    let status = Some(record.submission.status);
                    let found = Accepted { status, ..accepted(&ended, AcceptedBy::Look) };
                    return Ok(Some(CallOutcome::Accepted(found)));
                }
                true
            }
            Looked::CannotAsk => false,
            Looked::Failed(called) => return Ok(Some(self.not_looked(open, called))),
        };
        let why = "an update was sent, and its answer did not arrive";
        self.ended_without_effect(open, now, can_ask, why)
    }

    /// An attempt as it is now: it may have been sent or ended since it was read.
    pub(crate) fn still_open(&mut self, attempt: &Attempt) -> Result<StillOpen, CallError> {
        Ok(match self.store()?.attempt(&attempt.token)? {
            Some(it) if it.state.is_open() => StillOpen::Yes(Box::new(it)),
            Some(it) if it.state == AttemptState::Accepted => {
                StillOpen::No(Some(CallOutcome::Accepted(accepted(&it, AcceptedBy::Look))))
            }
            _ => StillOpen::No(None),
        })
    }

    /// The record that an update changed and submitted again.
    fn changed_by(
        &mut self,
        update: &Attempt,
        records: Vec<ProviderRecord>,
    ) -> Result<Option<ProviderRecord>, CallError> {
        let known = self.known_before(update, &records)?;
        // Of several steps, the last one submits it, and is sent after the one before it was taken.
        let steps = &self.api.file().operations.update;
        let before_last = steps.len().checked_sub(2).map(|at| steps[at].step_name("update"));
        if before_last.is_some_and(|it| !update.steps.contains_key(&it)) {
            return Ok(None);
        }
        Ok(records.into_iter().find(|it| !it.is_unsent && known.is_changed(it)))
    }

    /// Ends an attempt of which a look that began at `looked` saw nothing, if it can be ended. `None` if that is done.
    pub(crate) fn ended_without_effect(
        &mut self,
        open: &Attempt,
        looked: Timestamp,
        can_ask: bool,
        why: &str,
    ) -> Result<Option<CallOutcome>, CallError> {
        let unknown = |until: Option<Timestamp>| {
            let (token, why) = (open.token.clone(), why.to_owned());
            Ok(Some(CallOutcome::Unknown { token, why, until, can_ask }))
        };
        if looked < open.until {
            return unknown(Some(open.until).filter(|_| can_ask));
        }
        if open.state == AttemptState::Sent && !can_ask {
            return unknown(None);
        }
        if self.end_unsent(open, looked, "nothing arrived")? {
            return Ok(None);
        }
        // Another program sends it, or has ended it.
        match self.still_open(open)? {
            StillOpen::Yes(it) => unknown(Some(it.until).filter(|_| can_ask)),
            StillOpen::No(outcome) => Ok(outcome),
        }
    }

    /// The findings of a draft without its history.
    fn checked(
        &mut self,
        linter: &Linter,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
    ) -> Decision {
        let report = linter.check(parsed, hint, &Facts { now: plan.now, ..Facts::default() });
        Decision {
            verdict: tollproof_history::Verdict::Refused,
            report,
            why_taken: None,
            texts: Default::default(),
        }
    }
}

/// The outcome of a look at an attempt that another program has ended meanwhile.
pub(crate) fn ended_meanwhile() -> CallOutcome {
    CallOutcome::NotFinished("another program has worked on it meanwhile; run the command again".to_owned())
}

/// An attempt that was open when it was read.
pub(crate) enum StillOpen {
    /// As it is now.
    Yes(Box<Attempt>),
    /// Another program has ended it. `None` if nothing had arrived.
    No(Option<CallOutcome>),
}
