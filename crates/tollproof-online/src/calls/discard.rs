//! Discards an attempt that a draft with other texts takes the place of.

use tollproof_history::Attempt;

use super::called::Called;
use super::error::Result;
use super::kept::has_begun;
use super::look::Looked;
use super::numbers::NumberNames;
use super::operation::ApiOperation;
use super::outcome::CallOutcome;
use super::session::{CallSession, without_effect};

impl CallSession<'_> {
    /// Discards an attempt of this session that was not submitted, with what its first steps made at the provider: the
    /// number could not be used for another draft otherwise. `None` if that is done.
    pub(crate) fn discard(&mut self, attempt: &Attempt) -> Result<Option<CallOutcome>> {
        if let Some(failed) = self.remove_begun(attempt)? {
            return Ok(Some(failed));
        }
        self.give_up(attempt, "another draft took its place")?;
        Ok(None)
    }

    /// Removes what the first steps of a submission made, after a later one was refused. False if that is not certain, or
    /// if it was submitted.
    pub(crate) fn remove_refused(&mut self, attempt: &Attempt) -> Result<bool> {
        let Some((id, _)) = self.begun(attempt) else { return Ok(true) };
        Ok(match self.fetch(&id, &NumberNames::written(&attempt.number))? {
            Looked::Records(records) if records.iter().all(|record| record.is_unsent) => {
                self.remove_begun(attempt)?.is_none()
            }
            _ => false,
        })
    }

    /// The id of what the first steps of a submission made, and the call that removes it.
    fn begun(&self, attempt: &Attempt) -> Option<(String, ApiOperation)> {
        let operations = &self.api.file().operations;
        let first = operations.submit.first().filter(|_| has_begun(attempt))?;
        let id = attempt.steps.get(first.keeps.as_ref()?)?;
        Some((id.clone(), operations.cancel.clone()?))
    }

    fn remove_begun(&mut self, attempt: &Attempt) -> Result<Option<CallOutcome>> {
        if let Some((id, cancel)) = self.begun(attempt) {
            let mut variables = NumberNames::written(&attempt.number).variables();
            variables.insert("id".to_owned(), id);
            match self.api.call("cancel", &cancel, &variables, None)? {
                // It is gone already if an earlier call arrived.
                Called::Done(_) | Called::Refused(_) => {}
                other => return Ok(Some(without_effect(other))),
            }
        }
        Ok(None)
    }
}
