//! Submissions that the provider took and does not show: their records are looked for, or a person says that there is none.

use tollproof_history::Attempt;

use super::error::Result;
use super::look::Looked;
use super::numbers::NumberNames;
use super::outcome::{AcceptedBy, CallOutcome, NextStep};
use super::session::{CallSession, without_effect};
use super::status::{StatusItem, StatusSeen, called_for, is_named};

impl CallSession<'_> {
    /// The submissions of this provider that were accepted without a record; the oldest first.
    pub(crate) fn without_records(&mut self) -> Result<Vec<Attempt>> {
        let provider = self.api.provider().name();
        let mut attempts = self.store()?.unrecorded()?;
        attempts.retain(|attempt| attempt.provider == provider);
        Ok(attempts)
    }

    /// The submission of this provider that was accepted without a record, by its number or id.
    ///
    /// # Errors
    ///
    /// The history cannot be used.
    pub fn unlisted_of(&mut self, name: &str) -> Result<Option<Attempt>> {
        let names = [name.to_owned(), self.known_name(name)?];
        let is_it = |attempt: &Attempt| names.iter().any(|name| is_named(attempt, name));
        Ok(self.without_records()?.into_iter().find(is_it))
    }

    /// Reads the record of a submission that was accepted without one: by its id, or else by its number, as a person may have
    /// written another id.
    pub(crate) fn read_missing(&mut self, attempt: &Attempt) -> Result<StatusItem> {
        let names = NumberNames::written(&attempt.number);
        let by_id = match attempt.id.as_deref().filter(|id| !id.trim().is_empty()) {
            Some(id) => self.fetch(id, &names)?,
            None => Looked::Records(Vec::new()),
        };
        let looked = match by_id {
            Looked::Records(records) => match self.made_by(attempt, records)? {
                Some(record) => Looked::Records(vec![record]),
                None => self.look(&names)?,
            },
            other => other,
        };
        let outcome = match looked {
            Looked::Records(records) => {
                let Some(record) = self.made_by(attempt, records)? else {
                    return Ok(StatusItem::Call(called_for(attempt, self.unlisted(attempt)?)));
                };
                let id = Some(record.submission.id.as_str());
                self.end_with(attempt, id, Some(&record), AcceptedBy::Look)?;
                let submission = record.submission;
                return Ok(StatusItem::Submission(StatusSeen { submission, before: None }));
            }
            Looked::CannotAsk => self.unfollowed(attempt),
            Looked::Failed(called) => without_effect(called),
        };
        Ok(StatusItem::Call(called_for(attempt, outcome)))
    }

    /// The outcome of a submission that the provider took and does not show. Just after it was sent, its lists may lag.
    fn unlisted(&mut self, attempt: &Attempt) -> Result<CallOutcome> {
        let age = self.store()?.now()?.duration_since(attempt.updated_at);
        if age < self.lease_length() {
            let why = "it was accepted, and the provider does not list it yet".to_owned();
            return Ok(CallOutcome::unsent(why, NextStep::RunAgain));
        }
        let token = &attempt.token[..12];
        let why = format!(
            "it was accepted, and the provider does not list it. If its console has it, note its id: `tollproof attempts resolve \
             {token} --arrived ID`; if not, free the number: `tollproof attempts resolve {token} --nothing-arrived`"
        );
        Ok(CallOutcome::unsent(why, NextStep::AsSaid))
    }

    /// The outcome of a submission that cannot be followed.
    pub(super) fn unfollowed(&self, attempt: &Attempt) -> CallOutcome {
        let (name, file, token) = (self.api.provider().name(), &self.api.settings_file, &attempt.token[..12]);
        let why = format!(
            "it cannot be followed: set `paths: fetch` and `paths: find` of {name} in {file}, or note how its review \
             ended with `tollproof attempts resolve {token} --ended verified`, or `--ended rejected`"
        );
        CallOutcome::NotFollowed { token: attempt.token.clone(), id: attempt.id.clone(), why }
    }
}
