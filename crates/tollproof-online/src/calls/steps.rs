//! Sends the steps of an operation; what each returned is committed before the next.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::Value;
use tollproof_history::{Attempt, AttemptOperation, HistoryError};

use super::answer::text_at;
use super::body::DraftBody;
use super::called::{ApiAnswer, Called};
use super::error::{CallError, Result};
use super::fields::{FileValue, fields_of, read_files};
use super::kept::{KNOWN, REFERENCE, has_begun};
use super::known::KnownRecords;
use super::lists::list;
use super::numbers::{NumberNames, Resolved};
use super::operation::ApiOperation;
use super::outcome::{CallOutcome, NextStep};
use super::requests::ApiRequest;
use super::session::{CallSession, answered, without_effect, without_look};
use super::submit::Sending;
use super::template::Variables;
use crate::client::HttpRequest;

/// A step's outcome.
pub(crate) enum StepDone {
    /// The provider took it; its answer, if it was asked.
    Taken(Option<ApiAnswer>),
    /// The operation ends here.
    Ended(CallOutcome),
}

/// A request that was noted before it was sent.
enum NotedRequest {
    /// Its outcome, and the time until which it may arrive.
    Called(Called, Timestamp),
    /// Another program holds the attempt; nothing was sent.
    Unheld,
    /// Too much time has passed since it was noted; nothing was sent.
    TooSlow,
}

/// The most tries of a request of which nothing arrived.
const TRIES: usize = 3;

/// The first pause between two tries.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

impl CallSession<'_> {
    /// Sends what is left of a submission. This session holds the attempt.
    pub(crate) fn send(&mut self, draft: &Sending<'_>, attempt: Attempt) -> Result<CallOutcome> {
        let sent = self.send_draft(draft, attempt.clone());
        if sent.as_ref().is_err_and(|error| !matches!(error, CallError::Unrecorded { .. })) {
            self.take_back(&attempt, "it could not be sent")?;
        }
        sent
    }

    fn send_draft(&mut self, draft: &Sending<'_>, attempt: Attempt) -> Result<CallOutcome> {
        let names = match self.complete(&NumberNames::written(&draft.number))? {
            Resolved::Names(names) => names,
            Resolved::NotOwned => {
                self.take_back(&attempt, "the account does not have the number")?;
                return Ok(without_look(self.not_owned()));
            }
            Resolved::Failed(called) => {
                self.take_back(&attempt, "the provider could not be asked")?;
                return Ok(without_look(called));
            }
        };
        let steps = self.api.file().operations.submit.clone();
        let attempt = self.with_own_reference(attempt, &steps, &draft.body)?;
        self.send_steps("submit", &steps, attempt, names.variables(), &draft.body)
    }

    /// Keeps the reference of the draft, if it has one where the token of the attempt would be: the submission is found by
    /// that then.
    fn with_own_reference(
        &mut self,
        mut attempt: Attempt,
        steps: &[ApiOperation],
        body: &DraftBody,
    ) -> Result<Attempt> {
        let added = steps.iter().filter_map(|it| it.draft.as_ref()).flatten();
        let field = added.filter(|(_, value)| *value == "{token}").map(|(name, _)| name).next();
        let Some(own) = field.and_then(|it| body.own(it)) else { return Ok(attempt) };
        if !attempt.steps.contains_key(REFERENCE) {
            let holder = self.holder.clone();
            self.store()?.keep_step(&attempt.token, &holder, REFERENCE, &own)?;
            attempt.steps.insert(REFERENCE.to_owned(), own);
        }
        Ok(attempt)
    }

    /// Sends the steps of an operation that were not done yet.
    pub(crate) fn send_steps(
        &mut self,
        name: &str,
        steps: &[ApiOperation],
        attempt: Attempt,
        mut variables: Variables,
        body: &DraftBody,
    ) -> Result<CallOutcome> {
        if let Err(error) = read_files(steps, body, self.files) {
            self.take_back(&attempt, "a file could not be read")?;
            return Err(error);
        }
        variables.insert("token".to_owned(), attempt.token.clone());
        variables.extend(self.own.clone());
        variables.extend(attempt.steps.clone());
        let mut id = None;
        let mut record = None;
        for (at, step) in steps.iter().enumerate() {
            let step_name = step.step_name(name);
            if attempt.steps.contains_key(&step_name) {
                continue;
            }
            let done = match self.send_step(name, step, &attempt, &variables, body) {
                Ok(StepDone::Taken(done)) => done,
                Ok(StepDone::Ended(outcome)) => return Ok(outcome),
                Err(error) => {
                    self.take_back(&attempt, "it could not be sent")?;
                    return Err(error);
                }
            };
            let returned = done.as_ref().and_then(|answer| text_at(&answer.value, &step.path_of("id")?));
            let is_last = at + 1 == steps.len();
            if !is_last && (done.is_some() || step.each.is_some()) {
                let kept = returned.clone().unwrap_or_else(|| "done".to_owned());
                let holder = self.holder.clone();
                let shown = done.as_ref().and_then(|answer| self.record(&answer.value));
                let is_update = attempt.operation == AttemptOperation::Update;
                // The next step would submit what another number's draft has.
                if !is_update && shown.is_some() && self.is_of_another(&attempt, &variables, &kept) {
                    return self.foreign(&attempt);
                }
                // What this step has changed is not what the last one changes.
                let known = shown.filter(|_| is_update);
                let known = known.map(|record| KnownRecords::of([record.submission].iter()).to_text());
                let written = self.past.store().and_then(|store| {
                    if let Some(known) = &known {
                        store.keep_step(&attempt.token, &holder, KNOWN, known)?;
                    }
                    store.keep_step(&attempt.token, &holder, &step_name, &kept)
                });
                written.map_err(|error| self.unrecorded(returned.clone(), error))?;
                variables.insert(step_name, kept);
            }
            if is_last {
                id = returned;
                record = done.and_then(|it| self.record(&it.value));
            }
        }
        let first = steps.iter().find_map(|step| variables.get(step.keeps.as_ref()?)).cloned();
        let id = id.or_else(|| variables.get("id").cloned()).or(first);
        self.end(&attempt, &variables, id.as_deref(), record).map_err(|error| match error {
            CallError::History(error) => self.unrecorded(id, error),
            error => error,
        })
    }

    fn send_step(
        &mut self,
        name: &str,
        step: &ApiOperation,
        attempt: &Attempt,
        variables: &Variables,
        body: &DraftBody,
    ) -> Result<StepDone> {
        let mut variables = variables.clone();
        let fields = fields_of(&body.value());
        if let Some(file) = &step.file {
            match file.read(&fields, self.files)? {
                FileValue::Absent => return Ok(StepDone::Taken(None)),
                FileValue::Content(content) => {
                    variables.insert("file".to_owned(), content);
                }
                FileValue::Id(id) => {
                    let path = step.item.get("id").cloned().unwrap_or_default();
                    let value = Value::Object([(path, Value::from(id))].into_iter().collect());
                    let answer = ApiAnswer { value, ..ApiAnswer::default() };
                    return Ok(StepDone::Taken(Some(answer)));
                }
            }
        }
        let Some(each) = &step.each else {
            let request = self.api.request(name, step, &variables, Some(body))?;
            let done = self.send_one(&request, step, attempt)?;
            return self.arrived_for(done, step, attempt, &variables);
        };
        for field in &fields {
            let Some(members) = each.members(field, &variables) else { continue };
            variables.insert("field".to_owned(), field.0.clone());
            let mut request = self.api.request(name, step, &variables, None)?;
            request.add_members(&members);
            if let StepDone::Ended(outcome) = self.send_one(&request, step, attempt)? {
                return Ok(StepDone::Ended(outcome));
            }
        }
        Ok(StepDone::Taken(None))
    }

    /// A code which says that a step was done before is believed if it was done for what this attempt made.
    fn arrived_for(
        &mut self,
        done: StepDone,
        step: &ApiOperation,
        attempt: &Attempt,
        variables: &Variables,
    ) -> Result<StepDone> {
        let find = self.api.file().operations.find.as_ref();
        let owner = find.and_then(|find| find.follow.as_ref()).zip(step.arrived_for.as_ref());
        let (mut answer, (path, name), find) = match (done, owner, find) {
            (StepDone::Taken(Some(answer)), Some(owner), Some(find)) if answer.status >= 400 => {
                (answer, owner, find)
            }
            (done, ..) => return Ok(done),
        };
        let called = match list(self.api, "find", find, variables)? {
            Ok(items) => {
                // A provider may ignore the filter.
                let id = |item: &&Value| text_at(item, find.item.get("id")?);
                let own = items.iter().filter(|item| id(item).as_ref() == variables.get("number-id"));
                let owners: Vec<String> = own.filter_map(|item| text_at(item, path)).collect();
                match owners.iter().find(|owner| variables.get(name) != Some(*owner)) {
                    None if !owners.is_empty() => return Ok(StepDone::Taken(Some(answer))),
                    other => {
                        let other = other.map_or("another submission", String::as_str);
                        answer.message = format!(
                            "the number belongs to {other}; if that is not in use, withdraw it: `tollproof cancel {other}`"
                        );
                        // The body names only a code.
                        answer.text.clear();
                        Called::Refused(answer)
                    }
                }
            }
            Err(called) => Called::Unknown(called.reason()),
        };
        let (_, until) = self.lease()?;
        self.done(NotedRequest::Called(called, until), step, attempt)
    }

    /// Sends one request, after noting that; again after a pause if not a byte was sent, or if there were too many.
    pub(crate) fn send_one(
        &mut self,
        request: &ApiRequest,
        step: &ApiOperation,
        attempt: &Attempt,
    ) -> Result<StepDone> {
        let mut pause = FIRST_PAUSE;
        for _ in 1..TRIES {
            let done = self.send_noted(request, step, attempt)?;
            let again = match &done {
                NotedRequest::Called(Called::NotSent(_), _) => Some(pause),
                NotedRequest::Called(Called::Limited(answer), _) => Some(answer.retry_after.unwrap_or(pause)),
                _ => None,
            };
            let Some(again) = again.filter(|it| *it <= self.api.timeout()) else {
                return self.done(done, step, attempt);
            };
            std::thread::sleep(again);
            pause *= 2;
        }
        let done = self.send_noted(request, step, attempt)?;
        self.done(done, step, attempt)
    }

    /// Notes that a request is about to be sent, and sends it once.
    fn send_noted(
        &mut self,
        request: &ApiRequest,
        step: &ApiOperation,
        attempt: &Attempt,
    ) -> Result<NotedRequest> {
        let (begun, begun_at) = (Instant::now(), Timestamp::now());
        let (now, until) = self.lease()?;
        let holder = self.holder.clone();
        if !self.store()?.mark_sent(&attempt.token, &holder, now, until)? {
            return Ok(NotedRequest::Unheld);
        }
        // A machine that slept meanwhile must not send what another may send by now.
        let slept = Duration::try_from(Timestamp::now().duration_since(begun_at)).unwrap_or(Duration::MAX);
        if begun.elapsed().max(slept) > self.api.timeout() {
            return Ok(NotedRequest::TooSlow);
        }
        Ok(NotedRequest::Called(self.api.send(request, step)?, until))
    }

    /// The outcome of an attempt of this session whose answer did not say enough.
    pub(crate) fn unknown(&mut self, attempt: &Attempt, why: &str, until: Timestamp) -> Result<CallOutcome> {
        self.let_go(attempt)?;
        let can_ask = self.can_ask(attempt);
        let (token, until) = (attempt.token.clone(), Some(until));
        Ok(CallOutcome::Unknown { token, why: why.to_owned(), until, can_ask })
    }

    fn done(&mut self, noted: NotedRequest, step: &ApiOperation, attempt: &Attempt) -> Result<StepDone> {
        let (called, until) = match noted {
            NotedRequest::Called(called, until) => (called, until),
            NotedRequest::Unheld => return Ok(StepDone::Ended(CallOutcome::Busy { until: None })),
            NotedRequest::TooSlow => {
                self.take_back(attempt, "this machine was too slow")?;
                let why = "this machine was too slow; nothing was sent".to_owned();
                return Ok(StepDone::Ended(CallOutcome::unsent(why, NextStep::RunAgain)));
            }
        };
        Ok(match called {
            Called::Done(answer) if answer.status < 300 && step.is_unsaid(&answer.value) => {
                let why = "the answer does not say what was made";
                StepDone::Ended(self.unknown(attempt, why, until)?)
            }
            Called::Done(answer) => StepDone::Taken(Some(answer)),
            Called::Unknown(why) => StepDone::Ended(self.unknown(attempt, &why, until)?),
            Called::Refused(answer)
                if answer.is_missing && attempt.operation == AttemptOperation::Withdrawal =>
            {
                StepDone::Taken(Some(answer))
            }
            // What an order bought before stays, and the rest can be bought later.
            Called::Refused(answer)
                if attempt.operation == AttemptOperation::Purchase && has_begun(attempt) =>
            {
                self.take_back(attempt, "the provider refused it")?;
                StepDone::Ended(CallOutcome::Refused(answered(answer, None)))
            }
            Called::Refused(answer) => {
                let (now, holder) = (self.store()?.now()?, self.holder.clone());
                let why = format!("status {}", answer.status);
                // What its first steps made would keep the number from the next draft.
                let begun = self.store()?.attempt(&attempt.token)?;
                let begun = begun.filter(|begun| begun.operation == AttemptOperation::Submission);
                match begun.map(|begun| self.remove_refused(&begun)).transpose()? {
                    Some(false) => self.take_back(attempt, &why)?,
                    _ => drop(self.store()?.refuse(&attempt.token, &holder, &why, now)?),
                }
                StepDone::Ended(CallOutcome::Refused(answered(answer, step.name.clone())))
            }
            other => {
                self.take_back(attempt, "the provider did not take it")?;
                StepDone::Ended(without_effect(other))
            }
        })
    }

    /// The error of a history that could not be written after the provider took a request.
    pub(crate) fn unrecorded(&self, id: Option<String>, error: HistoryError) -> CallError {
        let provider = self.api.provider().title().to_owned();
        CallError::Unrecorded { provider, id, error: Box::new(error) }
    }

    /// Whether the provider can tell what became of an attempt.
    fn can_ask(&self, attempt: &Attempt) -> bool {
        let operations = &self.api.file().operations;
        let (name, operation) = match attempt.operation {
            AttemptOperation::Submission => ("find", &operations.find),
            AttemptOperation::Purchase => return self.can_ask_for(attempt),
            AttemptOperation::Update | AttemptOperation::Withdrawal => ("fetch", &operations.fetch),
        };
        self.api.can(name, operation.as_ref())
    }
}

impl HttpRequest {
    /// Adds members to a JSON body.
    pub(crate) fn add_members(&mut self, members: &Value) {
        let Some(body) = self.body.as_mut() else { return };
        if let (Ok(Value::Object(mut all)), Some(new)) =
            (serde_json::from_slice(&body.bytes), members.as_object())
        {
            all.extend(new.clone());
            body.bytes = Value::Object(all).to_string().into_bytes();
        }
    }
}
