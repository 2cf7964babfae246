//! Withdraws a submission.

use super::api::Api;
use super::called::Called;
use super::error::CallError;
use super::numbers::NumberNames;
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::session::{CallSession, answered, without_effect};
use super::update::UpdateTarget;

impl Api {
    /// Whether a submission can be withdrawn by API, and whether that deletes it.
    #[must_use]
    pub fn cancels(&self) -> Option<bool> {
        self.file().operations.cancel.as_ref().map(|it| it.deletes)
    }
}

impl CallSession<'_> {
    /// Withdraws a submission. A withdrawal that arrived twice does nothing more, so it needs no attempt.
    ///
    /// # Errors
    ///
    /// The provider has no such call, the call cannot be made, or the history cannot be used.
    pub fn cancel(&mut self, target: &UpdateTarget) -> Result<CallOutcome, CallError> {
        let api = self.api;
        let operation = api.file().operations.cancel.as_ref();
        let operation = operation.ok_or_else(|| api.not_offered("withdraw a submission"))?;
        let mut variables = NumberNames::written(&target.number).variables();
        variables.insert("id".to_owned(), target.id.clone());
        let done = match api.call("cancel", operation, &variables, None)? {
            Called::Done(_) => AcceptedBy::Answer,
            // It is gone already: an earlier call arrived.
            Called::Refused(answer) if answer.is_missing => AcceptedBy::Earlier,
            Called::Refused(answer) => return Ok(CallOutcome::Refused(answered(answer, None))),
            Called::Unknown(why) => {
                let (token, can_ask) = (target.id.clone(), true);
                return Ok(CallOutcome::Unknown { token, why, until: None, can_ask });
            }
            other => return Ok(without_effect(other)),
        };
        self.store()?.end_submission(&target.id, true)?;
        let (id, number) = (Some(target.id.clone()), target.number.clone());
        Ok(CallOutcome::Accepted(Accepted { id, status: None, number, by: done }))
    }

    /// Notes that the provider does not have a submission any more, as a person says who has looked there. Its number is
    /// free then. Returns false if the history does not contain it.
    ///
    /// # Errors
    ///
    /// The history cannot be used.
    pub fn note_gone(&mut self, id: &str) -> Result<bool, CallError> {
        Ok(self.store()?.end_submission(id, false)?)
    }
}
