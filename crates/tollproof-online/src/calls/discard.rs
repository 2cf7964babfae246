//! Discards an attempt that a draft with other texts takes the place of.

use tollproof_history::Attempt;

use super::called::Called;
use super::error::CallError;
use super::kept::has_begun;
use super::numbers::NumberNames;
use super::outcome::CallOutcome;
use super::session::{CallSession, without_effect};

impl CallSession<'_> {
    /// Discards an attempt of this session that was not submitted, with what its first steps made at the provider: the
    /// number could not be used for another draft otherwise. `None` if that is done.
    pub(crate) fn discard(&mut self, attempt: &Attempt) -> Result<Option<CallOutcome>, CallError> {
        let operations = &self.api.file().operations;
        let made = operations.submit.first().and_then(|it| attempt.steps.get(it.keeps.as_ref()?));
        if let Some((id, cancel)) = made.zip(operations.cancel.as_ref()).filter(|_| has_begun(attempt)) {
            let mut variables = NumberNames::written(&attempt.number).variables();
            variables.insert("id".to_owned(), id.clone());
            match self.api.call("cancel", cancel, &variables, None)? {
                // It is gone already if an earlier call arrived.
                Called::Done(_) | Called::Refused(_) => {}
                other => return Ok(Some(without_effect(other))),
            }
        }
        self.give_up(attempt, "another draft took its place")?;
        Ok(None)
    }
}
