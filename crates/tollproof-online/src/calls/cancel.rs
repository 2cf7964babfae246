//! Withdraws a submission.

use std::collections::BTreeMap;

use tollproof_core::Outcome;
use tollproof_history::{Attempt, AttemptOperation, AttemptState, Begun, Query, digest_of};

use super::api::Api;
use super::decide::Wish;
use super::error::{CallError, Result};
use super::numbers::NumberNames;
use super::operation::ApiOperation;
use super::outcome::{AcceptedBy, CallOutcome};
use super::pursue::{NextAttempt, Pursued};
use super::session::{CallSession, accepted};
use super::steps::StepDone;
use super::update::UpdateTarget;

impl Api {
    /// Whether a submission can be withdrawn by API, and whether that deletes it.
    #[must_use]
    pub fn cancels(&self) -> Option<bool> {
        self.file().operations.cancel.as_ref().map(|it| it.deletes)
    }
}

impl CallSession<'_> {
    /// Withdraws a submission.
    ///
    /// # Errors
    ///
    /// The provider has no such call, the submission is approved and must not be withdrawn, the call cannot be made, or the
    /// history cannot be used.
    pub fn cancel(&mut self, target: &UpdateTarget) -> Result<CallOutcome> {
        target.permit(AttemptOperation::Withdrawal, self.changes_approved)?;
        let operation = self.api.file().operations.cancel.clone();
        let operation = operation.ok_or_else(|| self.api.not_offered("withdraw a submission"))?;
        self.api.log_in()?;
        let next = |session: &mut Self| {
            if let Some(open) = session.open_attempt_of(AttemptOperation::Withdrawal, &target.id)? {
                return Ok(NextAttempt::Pursue(open.token, Wish::GoOn));
            }
            let name = format!("cancel {}", target.id);
            let (digest, id, steps) = (digest_of(name.as_bytes()), Some(target.id.as_str()), BTreeMap::new());
            let operation = AttemptOperation::Withdrawal;
            Ok(match session.begin(operation, &target.number, vec![name], &digest, id, steps)? {
                Begun::Started(attempt) => NextAttempt::Pursue(attempt.token, Wish::GoOn),
                Begun::Taken => NextAttempt::Again,
            })
        };
        self.operate(next, |session, attempt| session.send_withdrawal(&operation, &attempt).map(Some))
    }

    /// The outcome of an earlier withdrawal of a submission. `None` if there is none, or if nothing of it arrived.
    pub(crate) fn withdrawn_earlier(&mut self, id: &str) -> Result<Option<CallOutcome>> {
        let Some(open) = self.open_attempt_of(AttemptOperation::Withdrawal, id)? else {
            return self.withdrawn_before(id);
        };
        Ok(match self.pursue(&open.token, Wish::Settle)? {
            Pursued::Outcome(outcome) => Some(outcome),
            Pursued::Free | Pursued::Send(_) => None,
        })
    }

    /// A withdrawal that has ended, unless the provider has shown the submission since.
    pub(crate) fn withdrawn_before(&mut self, id: &str) -> Result<Option<CallOutcome>> {
        let query = Query { numbers: Vec::new(), ids: vec![id.to_owned()] };
        let known = self.past.look_up(&query)?.history;
        if !known.of_id(id).is_some_and(|submission| matches!(submission.outcome(), Outcome::Ended)) {
            return Ok(None);
        }
        let is_it = |attempt: &Attempt| {
            attempt.operation == AttemptOperation::Withdrawal
                && attempt.state == AttemptState::Accepted
                && attempt.record.as_deref().is_some_and(|record| record.eq_ignore_ascii_case(id))
        };
        let earlier = self.store()?.attempts()?.into_iter().find(is_it);
        Ok(earlier.map(|attempt| CallOutcome::Accepted(accepted(&attempt, AcceptedBy::Earlier))))
    }

    fn send_withdrawal(&mut self, operation: &ApiOperation, attempt: &Attempt) -> Result<CallOutcome> {
        let id = attempt.record.clone().unwrap_or_default();
        let mut variables = NumberNames::written(&attempt.number).variables();
        variables.insert("id".to_owned(), id.clone());
        let request = self.api.request("cancel", operation, &variables, None)?;
        match self.send_one(&request, operation, attempt)? {
            StepDone::Taken(Some(answer)) if answer.is_missing => {
                // The look of before showed it, so one answer does not say that it is gone.
                let looked = self.pursue(&attempt.token, Wish::Settle)?;
                self.let_go(attempt)?;
                match looked {
                    Pursued::Outcome(outcome) => Ok(outcome),
                    Pursued::Free | Pursued::Send(_) => Ok(CallOutcome::Busy { until: None }),
                }
            }
            StepDone::Taken(_) => {
                let now = self.store()?.now()?;
                let noted = self.past.store().and_then(|store| {
                    store.end_submission(&id, true)?;
                    store.accept(&attempt.token, Some(&id), None, now)
                });
                let ended = noted.map_err(|error| self.unrecorded(Some(id), error))?;
                Ok(CallOutcome::Accepted(accepted(&ended, AcceptedBy::Answer)))
            }
            StepDone::Ended(outcome) => Ok(outcome),
        }
    }

    /// Notes that the provider does not have a submission any more, as a person says who has looked there. Its number is
    /// free then. Returns false if the history does not contain it.
    ///
    /// # Errors
    ///
    /// It was sent with another account, or the history cannot be used.
    pub fn note_gone(&mut self, id: &str) -> Result<bool> {
        if let CallOutcome::OtherAccount { sent_to, asked, .. } = self.gone(id, "")? {
            return Err(CallError::Usage(format!(
                "submission {id} was sent to {sent_to}, and {asked} does not show what that account has"
            )));
        }
        if let Some(open) = self.open_attempt_of(AttemptOperation::Withdrawal, id)? {
            let now = self.store()?.now()?;
            self.store()?.accept(&open.token, Some(id), None, now)?;
        }
        while let Some(open) = self.open_attempt_of(AttemptOperation::Update, id)? {
            let now = self.store()?.now()?;
            self.store()?.withdraw(&open.token, "the submission does not exist any more", now)?;
        }
        Ok(self.store()?.end_submission(id, false)?)
    }
}
