//! Changes a submission. What the provider has of it is read first, so that a lost answer can be told from a lost request.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use tollproof_core::{
    Facts, KindChoice, KindHint, KindRole, Linter, NumberKey, Outcome as Verdict, Parsed, Severity,
    Submission,
};
use tollproof_history::{Attempt, AttemptOperation, AttemptState, Begun, Decision, Gate, GateOptions, Query};

use super::body::DraftBody;
use super::decide::Wish;
use super::error::{CallError, Result};
use super::look::Looked;
use super::numbers::{NumberNames, Resolved};
use super::outcome::{Accepted, AcceptedBy, CallOutcome, OrOutcome};
use super::pursue::{NextAttempt, Pursued};
use super::record::ProviderRecord;
use super::session::{CallSession, accepted, without_look};

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

impl UpdateTarget {
    /// Refuses an approved submission that is to be changed or withdrawn without its own yes.
    ///
    /// # Errors
    ///
    /// The submission is approved, and `is_allowed` is false.
    pub fn permit(&self, operation: AttemptOperation, is_allowed: bool) -> Result<()> {
        if !self.is_approved || is_allowed {
            return Ok(());
        }
        let (why, wish) = match operation {
            AttemptOperation::Withdrawal => ("its number could no longer send", "withdraw"),
            _ => ("a change can cost the approval", "change"),
        };
        Err(CallError::Usage(format!(
            "submission {} of {} is approved, and {why}; use `--approved` to {wish} it",
            self.id, self.number
        )))
    }
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
    ) -> Result<OrOutcome<Box<UpdateTarget>>> {
        if self.api.file().operations.update.is_empty() {
            return Err(self.api.not_offered("update a submission"));
        }
        let known = number.map(|number| self.known_name(number)).transpose()?;
        if let (None, Some(number), Some(known)) = (id, number, &known)
            && let Some(outcome) = self.settle_submission(number, known)?
        {
            return Ok(Err(Box::new(outcome)));
        }
        let Some((id, number)) = self.known_target(id, known.as_deref())? else {
            return Err(CallError::Usage(
                "the submission that this update changes is unknown; name its id with `--id`".to_owned(),
            ));
        };
        let found = self.target(&id, number)?;
        match (&found, known) {
            (Ok(target), Some(named)) => {
                Ok(self.other_number(&named, target)?.map_or(found, |other| Err(Box::new(other))))
            }
            _ => Ok(found),
        }
    }

    /// Refuses the submission of another number than the one that is named, as far as their names can be compared. An
    /// outcome if the provider could not be asked for the other name of the number.
    fn other_number(&mut self, named: &str, target: &UpdateTarget) -> Result<Option<CallOutcome>> {
        let names_of = |submission: &Submission| submission.numbers.clone();
        let mut numbers = names_of(&target.record.submission);
        if numbers.is_empty() {
            let query = Query { numbers: Vec::new(), ids: vec![target.id.clone()] };
            numbers = self.past.look_up(&query)?.history.of_id(&target.id).map(names_of).unwrap_or_default();
        }
        let is_of = |names: &NumberNames| numbers.iter().any(|number| names.is(number));
        let mut names = NumberNames::written(named);
        if numbers.is_empty() || is_of(&names) {
            return Ok(None);
        }
        names = match self.complete(&names)? {
            Resolved::Names(names) => names,
            Resolved::NotOwned => return Ok(Some(without_look(self.not_owned()))),
            Resolved::Failed(called) => return Ok(Some(without_look(called))),
        };
        let is_comparable = |number: &String| {
            if NumberKey::of(number).is_e164() { names.e164.is_some() } else { names.id.is_some() }
        };
        if is_of(&names) || !numbers.iter().any(is_comparable) {
            return Ok(None);
        }
        Err(CallError::Usage(format!(
            "submission {} is of {}, and the draft is for {named}; name the submission of that number",
            target.id, target.number
        )))
    }

    /// The submission to withdraw, by its id or its number; or what became of an earlier withdrawal, or of a submission
    /// whose outcome was not known.
    ///
    /// # Errors
    ///
    /// The history does not contain it, the call cannot be made, or the history cannot be used.
    pub fn cancel_target(&mut self, name: &str) -> Result<OrOutcome<Box<UpdateTarget>>> {
        let known = self.known_name(name)?;
        if let Some(outcome) = self.settle_submission(name, &known)? {
            return Ok(Err(Box::new(outcome)));
        }
        let query = Query { numbers: vec![known.clone()], ids: vec![known.clone()] };
        let history = self.past.look_up(&query)?.history;
        let is_number = history.of_id(&known).is_none()
            && (NumberKey::of(name).is_e164() || history.of_number(&known).next().is_some());
        let named = Some(known.as_str());
        let (id, number) = if is_number { (None, named) } else { (named, None) };
        let Some((id, number)) = self.known_target(id, number)? else {
            return Err(CallError::Usage(format!(
                "the history has no submission of {name}; name the id of the submission, as `tollproof cancel ID`"
            )));
        };
        if let Some(open) = self.open_attempt_of(AttemptOperation::Withdrawal, &id)?
            && let Pursued::Outcome(outcome) = self.pursue(&open.token, Wish::Settle)?
        {
            return Ok(Err(Box::new(outcome)));
        }
        // A withdrawal that was noted may not have happened, so the provider is asked.
        let found = self.target(&id, number)?;
        let is_there = |found: &UpdateTarget| found.record.submission.outcome() != Verdict::Ended;
        if found.as_deref().is_ok_and(is_there) {
            return Ok(found);
        }
        Ok(match self.withdrawn_before(&id)? {
            Some(withdrawn) => Err(Box::new(withdrawn)),
            None => found,
        })
    }

    /// Settles an open submission of a number, which has two names. The outcome, unless the provider has it.
    fn settle_submission(&mut self, name: &str, known: &str) -> Result<Option<CallOutcome>> {
        let mut submits = self.submissions_of(name)?;
        if known != name {
            submits.extend(self.submissions_of(known)?);
        }
        let Some(open) = submits.into_iter().find(|attempt| attempt.state.is_open()) else { return Ok(None) };
        Ok(Some(self.settle_attempt(&open)?).filter(|outcome| !matches!(outcome, CallOutcome::Accepted(_))))
    }

    /// The id and the number of a submission, as far as they were given or the history knows them.
    fn known_target(
        &mut self,
        id: Option<&str>,
        number: Option<&str>,
    ) -> Result<Option<(String, Option<String>)>> {
        let query = Query {
            numbers: number.map(str::to_owned).into_iter().collect(),
            ids: id.map(str::to_owned).into_iter().collect(),
        };
        let known = self.past.look_up(&query)?.history;
        let of_number = || known.of_number(number?).max_by_key(|it| (it.is_open(), it.updated_at));
        let submission = id.and_then(|id| known.of_id(id)).or_else(of_number);
        let id = id.map(str::to_owned).or_else(|| submission.map(|submission| submission.id.clone()));
        let number = number.map(str::to_owned).or_else(|| submission?.numbers.first().cloned());
        Ok(id.map(|id| (id, number)))
    }

    /// Fetches and stores the record of a submission.
    fn target(&mut self, id: &str, number: Option<String>) -> Result<OrOutcome<Box<UpdateTarget>>> {
        let names = number.as_deref().map(NumberNames::written).unwrap_or_default();
        let record = match self.fetch(id, &names)? {
            // Where the number is what identifies it, the number may have another submission by now.
            Looked::Records(records) => {
                records.into_iter().find(|record| record.submission.id.eq_ignore_ascii_case(id.trim()))
            }
            Looked::CannotAsk => return Err(self.api.not_offered("read a submission")),
            Looked::Failed(called) => return Ok(Err(Box::new(without_look(called)))),
        };
        let Some(record) = record else {
            let query = Query { numbers: Vec::new(), ids: vec![id.to_owned()] };
            if self.past.look_up(&query)?.history.of_id(id).is_none() {
                let title = self.api.provider().title();
                return Err(CallError::Usage(format!(
                    "{title} has no submission {id}, and neither has the history; look at the id"
                )));
            }
            let gone = self.gone(id, number.as_deref().unwrap_or_default())?;
            return Ok(Err(Box::new(gone)));
        };
        self.keep(std::slice::from_ref(&record))?;
        let submission = &record.submission;
        let number = submission.numbers.first().cloned().or(number).unwrap_or_default();
        let is_approved = submission.outcome() == Verdict::Verified;
        let (id, status) = (submission.id.clone(), submission.status.clone());
        let target = UpdateTarget { id, number, status, is_approved, record };
        Ok(Ok(Box::new(target)))
    }

    /// Sends the only draft of a text as an update of a submission.
    ///
    /// # Errors
    ///
    /// The text is not one request of this provider, the submission is approved and must not be changed, the call cannot be
    /// made, or the history cannot be used.
    pub fn update(
        &mut self,
        linter: &Linter,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
        target: &UpdateTarget,
    ) -> Result<CallOutcome> {
        target.permit(AttemptOperation::Update, self.changes_approved)?;
        // The fields of an update and of a submission are the same at some providers, so the keys do not tell them apart.
        let role = KindRole::Update;
        let has_updates = self.api.provider().kind(role).is_some();
        let forced = KindChoice { provider: Some(self.api.provider()), role: Some(role) };
        let hint = if has_updates { KindHint::Forced(forced) } else { hint };
        let (kind, document) = self.request_of(parsed, hint)?;
        // Some providers take the fields of a submission again; the number of such a draft is not reserved a second time.
        let decision = if kind.is_submit() {
            self.checked(linter, parsed, hint, plan)
        } else {
            let plan = GateOptions { record_id: Some(target.id.clone()), ..plan.clone() };
            Gate::new(linter, self.past).decide(parsed, hint, &plan)?
        };
        let root = document.document().root.as_ref();
        let is_refused = if kind.is_submit() {
            decision.report.count(Severity::Error) > 0 || document.document().cut
        } else {
            matches!(decision.verdict, tollproof_history::Verdict::Refused)
        };
        let Some(root) = root.filter(|_| !is_refused) else {
            return Ok(CallOutcome::refused(decision));
        };
        let is_other = |number: &str| {
            let (one, other) = (NumberKey::of(number), NumberKey::of(&target.number));
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
        let next = |session: &mut Self| {
            if let Some(open) = session.open_attempt_of(AttemptOperation::Update, &target.id)? {
                let wish = if open.digest == body.digest() { Wish::GoOn } else { Wish::Replace };
                return Ok(NextAttempt::Pursue(open.token, wish));
            }
            if let Some(outcome) = session.updated_earlier(target, &body, None)? {
                return Ok(NextAttempt::Outcome(outcome));
            }
            // An update of a submission that has ended opens it again, so the number must not be submitted meanwhile.
            let seen = &target.record.submission;
            let mut names = vec![format!("update {}", target.id)];
            names.extend(seen.numbers.iter().filter(|_| !seen.is_open()).cloned());
            let (number, id) = (&target.number, Some(target.id.as_str()));
            let steps = BTreeMap::new();
            Ok(match session.begin(AttemptOperation::Update, number, names, body.digest(), id, steps)? {
                // Another program may have begun and ended one since the look above.
                Begun::Started(own) => match session.updated_earlier(target, &body, Some(&own.token))? {
                    Some(outcome) => {
                        session.give_up(&own, "another program sent it")?;
                        NextAttempt::Outcome(outcome)
                    }
                    None => NextAttempt::Pursue(own.token, Wish::GoOn),
                },
                Begun::Taken => NextAttempt::Outcome(CallOutcome::Busy { until: None }),
            })
        };
        let steps = self.api.file().operations.update.clone();
        self.operate(next, |session, attempt| {
            let mut variables = NumberNames::written(&target.number).variables();
            variables.insert("id".to_owned(), target.id.clone());
            session.send_steps("update", &steps, attempt, variables, &body).map(Some)
        })
    }

    /// The outcome of an update that was sent as it is, by another attempt than `own`.
    fn updated_earlier(
        &mut self,
        target: &UpdateTarget,
        body: &DraftBody,
        own: Option<&str>,
    ) -> Result<Option<CallOutcome>> {
        let attempts = self.store()?.attempts()?;
        let newest = attempts.iter().find(|attempt| {
            attempt.operation == AttemptOperation::Update
                && attempt.record.as_deref() == Some(&target.id)
                && attempt.state != AttemptState::Withdrawn
                && Some(attempt.token.as_str()) != own
        });
        let is_done =
            |attempt: &&Attempt| attempt.state == AttemptState::Accepted && attempt.digest == body.digest();
        let Some(done) = newest.filter(is_done).filter(|_| !self.sends_again) else { return Ok(None) };
        let earlier = Accepted { status: Some(target.status.clone()), ..accepted(done, AcceptedBy::Earlier) };
        // Just after the update, a record of before it is not its review.
        let age = self.store()?.now()?.duration_since(done.sent_at.unwrap_or(done.updated_at));
        let is_young = (SignedDuration::ZERO..self.lease_length()).contains(&age);
        let is_later = |record: &&Submission| record.updated_at.is_none_or(|at| at >= done.updated_at);
        let reviewed = Some(&target.record.submission).filter(|record| !is_young || is_later(record));
        Ok(Some(CallOutcome::earlier(earlier, reviewed)))
    }

    /// The record that an update changed and submitted again.
    pub(crate) fn changed_by(
        &mut self,
        update: &Attempt,
        records: Vec<ProviderRecord>,
    ) -> Result<Option<ProviderRecord>> {
        let known = self.known_before(update, &records)?;
        // Of several steps, the last one submits it, and is sent after the one before it was taken.
        let steps = &self.api.file().operations.update;
        let before_last = steps.len().checked_sub(2).map(|at| steps[at].step_name("update"));
        if before_last.is_some_and(|it| !update.steps.contains_key(&it)) {
            return Ok(None);
        }
        Ok(records.into_iter().find(|record| !record.is_unsent && known.is_changed(record)))
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
