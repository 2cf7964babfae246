//! The calls of one user to one API, with the history that they are written to.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tollproof_core::Kind;
use tollproof_core::document::Node;
use tollproof_history::{Attempt, AttemptOperation, Begun, HistorySet, NewAttempt, Store};

use super::api::Api;
use super::called::{ApiAnswer, Called};
use super::error::{CallError, Result};
use super::fields::ReadFile;
use super::kept::has_begun;
use super::outcome::{Accepted, AcceptedBy, CallOutcome, NextStep, Refusal};
use super::template::Variables;

/// The time a request to a provider counts as on its way.
const SETTLING: SignedDuration = SignedDuration::from_mins(5);

/// Calls of one user to one API. What is sent is written to the only store of the history first.
///
/// ```
/// use std::time::Duration;
///
/// use tollproof_core::{KindHint, Linter, Parsed, Provider, Source};
/// use tollproof_history::{Access, GateOptions, HistorySet, Location};
/// use tollproof_online::{Api, ApiOptions, CallOutcome, CallSession, UserSettings};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = tollproof_sandbox::Sandbox::start(tollproof_sandbox::SandboxOptions::default())?.url();
/// # let folder = std::env::temp_dir().join(format!("tollproof-submit-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let history = format!("sqlite:{}/history.db", folder.display());
/// # let draft = include_str!("../../schemas/telnyx/samples/submit-request.json");
/// let options = ApiOptions {
///     api: None,
///     sandbox: Some(sandbox.parse()?), // `None` for the provider itself
///     hosts: Default::default(),
///     values: Default::default(),
///     timeout: Duration::from_secs(30),
///     environment: &|name| std::env::var(name).ok(),
/// };
/// let api = Api::open(Provider::named("telnyx")?, &UserSettings::load()?, &options)?;
/// let location: Location = history.parse()?; // such as sqlite:history.db
/// let mut past = HistorySet::open(&[location], Access::Create)?.at(api.host().clone());
/// let mut session = CallSession::new(&api, &mut past, false)?;
///
/// let source = Source::new("draft.json", draft);
/// let parsed = Parsed::of(&source, None);
/// match session.submit(&Linter::builtin(), &parsed, KindHint::Explicit, &GateOptions::default())? {
///     CallOutcome::Accepted(it) => println!("{}: {:?}", it.number, it.status),
///     CallOutcome::RefusedByGate { rules, .. } => println!("errors: {rules:?}"),
///     CallOutcome::Refused(it) => println!("status {}: {}", it.status, it.message),
///     CallOutcome::Unknown { token, .. } => println!("submit it again later: {token}"),
///     other => println!("{other:?}"),
/// }
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
pub struct CallSession<'s> {
    pub(crate) api: &'s Api,
    pub(crate) past: &'s mut HistorySet,
    /// The holder of this session's attempts.
    pub(crate) holder: String,
    /// Whether to wait for the outcome of an attempt that is not settled yet.
    pub(crate) waits: bool,
    /// Whether to send a draft again that was rejected as it is.
    pub(crate) sends_again: bool,
    /// Whether to change or withdraw a submission that is approved.
    pub(crate) changes_approved: bool,
    /// The values of the account that the draft has.
    pub(crate) own: Variables,
    /// Reads the files that drafts name.
    pub(crate) files: Option<ReadFile<'s>>,
}

impl<'s> CallSession<'s> {
    /// Calls with a history whose only store is written to. `waits` is whether to wait until it is known what became of an
    /// earlier attempt, instead of returning [`CallOutcome::Unknown`].
    ///
    /// # Errors
    ///
    /// The history has no store, or several, or it is open at another host than that of the API.
    pub fn new(api: &'s Api, past: &'s mut HistorySet, waits: bool) -> Result<Self> {
        let kept_at = past.store()?.host();
        if kept_at != api.host() {
            return Err(CallError::Usage(format!(
                "the history is open at {kept_at}, and the API is at {}",
                api.host()
            )));
        }
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).map_err(|error| {
            CallError::Usage(format!("cannot get random numbers from the operating system: {error}"))
        })?;
        let mut holder = String::new();
        for byte in bytes {
            let _ = write!(holder, "{byte:02x}");
        }
        Ok(Self {
            api,
            past,
            holder,
            waits,
            sends_again: false,
            changes_approved: false,
            own: Variables::new(),
            files: None,
        })
    }

    /// Reads files that drafts name with this function.
    #[must_use]
    pub fn with_files(self, read: ReadFile<'s>) -> Self {
        Self { files: Some(read), ..self }
    }

    /// Whether to send a draft again that was rejected as it is.
    #[must_use]
    pub fn sending_again(self, sends_again: bool) -> Self {
        Self { sends_again, ..self }
    }

    /// Whether to change or withdraw a submission that is approved, which may cost the approval.
    #[must_use]
    pub fn changing_approved(self, changes_approved: bool) -> Self {
        Self { changes_approved, ..self }
    }

    /// The server and the account there. What was sent to one is not looked for in another.
    pub(crate) fn account(&self) -> String {
        let mut values = self.api.values.clone();
        values.extend(self.own.clone());
        let values = values.iter().map(|(name, value)| format!(" {name} {value}"));
        self.api.address() + &values.collect::<String>()
    }

    /// Takes the values of the account that a draft has, which must not be others than those that are set.
    pub(crate) fn use_values_of(&mut self, kind: Kind, root: &Node<'_>) -> Result<()> {
        let own = self.api.values_of(kind, root);
        let other =
            own.iter().find(|(name, value)| self.api.values.get(*name).is_some_and(|it| it != *value));
        // In a sandbox, what is not set has a value of its own.
        if let Some((name, _)) = other.filter(|(name, _)| self.api.is_set(name)) {
            return Err(CallError::Usage(format!(
                "the draft has another {name} than your settings; remove one of them"
            )));
        }
        self.own = own;
        Ok(())
    }

    pub(crate) fn store(&mut self) -> Result<&mut Store> {
        Ok(self.past.store()?)
    }

    /// The time of the store, and until when a request that is sent now may still arrive.
    ///
    /// A request ends after its time-out. What is on its way then may still arrive, and lists of a provider may show it
    /// later still.
    pub(crate) fn lease(&mut self) -> Result<(Timestamp, Timestamp)> {
        let now = self.store()?.now()?;
        Ok((now, now.checked_add(self.lease_length()).unwrap_or(Timestamp::MAX)))
    }

    /// Writes down an attempt of this session and reserves its names, before anything is sent.
    pub(crate) fn begin(
        &mut self,
        operation: AttemptOperation,
        number: &str,
        names: Vec<String>,
        digest: &str,
        record: Option<&str>,
        steps: BTreeMap<String, String>,
    ) -> Result<Begun> {
        let (now, until) = self.lease()?;
        let new = NewAttempt {
            operation,
            provider: self.api.provider().name().to_owned(),
            number: number.to_owned(),
            names,
            digest: digest.to_owned(),
            address: self.account(),
            holder: self.holder.clone(),
            until,
            record: record.map(str::to_owned),
            steps,
        };
        Ok(self.store()?.begin(&new, now)?)
    }

    /// Ends an attempt of this session of which nothing was sent. False if another program holds it by now.
    pub(crate) fn give_up(&mut self, attempt: &Attempt, why: &str) -> Result<bool> {
        let (now, holder) = (self.store()?.now()?, self.holder.clone());
        Ok(self.store()?.give_up(&attempt.token, &holder, why, now)?)
    }

    /// Lets others go on with an attempt of this session, as soon as nothing of it is on its way.
    pub(crate) fn let_go(&mut self, attempt: &Attempt) -> Result<()> {
        let (now, holder) = (self.store()?.now()?, self.holder.clone());
        self.store()?.let_go(&attempt.token, &holder, now)?;
        Ok(())
    }

    /// Notes that nothing of the current step arrived: without an earlier step the number is free again, else the attempt
    /// waits to be continued.
    pub(crate) fn take_back(&mut self, attempt: &Attempt, why: &str) -> Result<()> {
        let known = self.store()?.attempt(&attempt.token)?;
        if !known.is_some_and(|known| has_begun(&known)) {
            return self.give_up(attempt, why).map(drop);
        }
        let holder = self.holder.clone();
        self.store()?.mark_unsent(&attempt.token, &holder)?;
        self.let_go(attempt)
    }

    /// The open attempt of an operation for a submission.
    pub(crate) fn open_attempt_of(
        &mut self,
        operation: AttemptOperation,
        record: &str,
    ) -> Result<Option<Attempt>> {
        let attempts = self.store()?.attempts()?;
        Ok(attempts.into_iter().find(|attempt| {
            attempt.operation == operation
                && attempt.state.is_open()
                && attempt.record.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(record))
        }))
    }

    pub(crate) fn lease_length(&self) -> SignedDuration {
        let patience = SignedDuration::try_from(self.api.timeout() * 3).unwrap_or(SETTLING);
        if self.api.is_sandbox() { patience } else { patience.max(SETTLING) }
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
        Called::NotSent(why) | Called::Unknown(why) => CallOutcome::unsent(why, NextStep::RunAgain),
        Called::Barred(why, next) => CallOutcome::unsent(why, next),
    }
}

/// The outcome of a look that did not succeed, before anything was sent.
pub(crate) fn without_look(called: Called) -> CallOutcome {
    match called {
        Called::Refused(_) => {
            let why = format!("the provider could not be asked: {}", called.reason());
            CallOutcome::unsent(why, NextStep::CheckAccount)
        }
        called => without_effect(called),
    }
}

pub(crate) fn answered(answer: ApiAnswer, step: Option<String>) -> Refusal {
    let ApiAnswer { status, message, text, .. } = answer;
    Refusal { status, message, body: text, step }
}

/// The provider's side, as an attempt shows it.
pub(crate) fn accepted(attempt: &Attempt, by: AcceptedBy) -> Accepted {
    Accepted { id: attempt.id.clone(), status: None, number: attempt.number.clone(), by }
}

/// Waits until a time of the store, `now` there.
pub(crate) fn sleep_until(until: Timestamp, now: Timestamp) {
    let left = Duration::try_from(until.duration_since(now)).unwrap_or_default();
    std::thread::sleep(left + Duration::from_millis(10));
}
