//! The calls of one user to one API, with the history that they are written to.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tollproof_history::{Attempt, HistorySet, Store};

use super::api::Api;
use super::called::{ApiAnswer, Called};
use super::error::CallError;
use super::fields::ReadFile;
use super::outcome::{CallOutcome, Refusal};

/// Where an attempt keeps the reference of a draft that has its own.
pub(crate) const REFERENCE: &str = "token";

/// Where an attempt keeps which submissions there were before it was sent.
pub(crate) const KNOWN: &str = "known";

/// Whether the provider took an earlier step of an attempt.
pub(crate) fn has_begun(attempt: &Attempt) -> bool {
    attempt.steps.keys().any(|it| it != REFERENCE && it != KNOWN)
}

/// Calls of one user to one API. What is sent is written to the only store of the history first.
pub struct CallSession<'s> {
    pub(crate) api: &'s Api,
    pub(crate) past: &'s mut HistorySet,
    /// Who holds the attempts that this session works on.
    pub(crate) holder: String,
    /// Whether to wait for the outcome of an attempt that is not settled yet.
    pub(crate) waits: bool,
    /// How files are read that drafts name.
    pub(crate) files: Option<ReadFile<'s>>,
}

impl<'s> CallSession<'s> {
    /// Calls with a history whose only store is written to. `waits` is whether to wait until it is known what became of an
    /// earlier attempt, instead of returning [`CallOutcome::Unknown`].
    ///
    /// # Errors
    ///
    /// The history has no store, or several.
    pub fn new(api: &'s Api, past: &'s mut HistorySet, waits: bool) -> Result<Self, CallError> {
        past.store()?;
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|error| {
            CallError::Usage(format!("cannot get random numbers from the operating system: {error}"))
        })?;
        let mut holder = String::new();
        for byte in bytes {
            let _ = write!(holder, "{byte:02x}");
        }
        Ok(Self { api, past, holder, waits, files: None })
    }

    /// Reads files that drafts name with this function.
    #[must_use]
    pub fn with_files(self, read: ReadFile<'s>) -> Self {
        Self { files: Some(read), ..self }
    }

    pub(crate) fn store(&mut self) -> Result<&mut Store, CallError> {
        Ok(self.past.store()?)
    }

    /// The time of the store, and until when a request that is sent now may still arrive.
    ///
    /// With its repeats, a request ends after two time-outs. A third one is for what is on its way then.
    pub(crate) fn lease(&mut self) -> Result<(Timestamp, Timestamp), CallError> {
        let now = self.store()?.now()?;
        Ok((now, now.checked_add(self.lease_length()).unwrap_or(Timestamp::MAX)))
    }

    pub(crate) fn lease_length(&self) -> SignedDuration {
        SignedDuration::try_from(self.api.timeout() * 3).unwrap_or(SignedDuration::from_mins(1))
    }
}

impl std::fmt::Debug for CallSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallSession").field("api", &self.api).finish_non_exhaustive()
    }
}

/// The outcome of a call with which nothing could arrive.
pub(crate) fn without_effect(called: Called) -> CallOutcome {
    match called {
        Called::BadKey(answer) => CallOutcome::BadKey(answered(answer, None)),
        Called::Limited(answer) => CallOutcome::Limited { retry_after: answer.retry_after },
        Called::Refused(answer) | Called::Done(answer) => CallOutcome::Refused(answered(answer, None)),
        Called::NotSent(why) | Called::Unknown(why) => CallOutcome::NotFinished(why),
    }
}

pub(crate) fn answered(answer: ApiAnswer, step: Option<String>) -> Refusal {
    let ApiAnswer { status, message, text, .. } = answer;
    Refusal { status, message, body: text, step }
}

/// Waits until a time of the store, `now` there.
pub(crate) fn sleep_until(until: Timestamp, now: Timestamp) {
    let left = Duration::try_from(until.duration_since(now)).unwrap_or_default();
    std::thread::sleep(left + Duration::from_millis(10));
}
