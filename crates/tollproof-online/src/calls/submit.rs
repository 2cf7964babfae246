//! Submits a draft: check, reserve, write the attempt, look, send, record.

use tollproof_core::document::Node;
use tollproof_core::{
    Facts, Kind, KindHint, Linter, NumberKey, Outcome as Verdicted, Parsed, Severity, Source, SourceDocument,
    kind_of, role,
};
use tollproof_history::{
    Attempt, AttemptOperation, AttemptOptions, AttemptState, Gate, GateOptions, Query, Verdict,
};

use super::body::DraftBody;
use super::error::CallError;
use super::look::Looked;
use super::numbers::{NumberNames, Resolved, resolve};
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::record::ProviderRecord;
use super::session::{CallSession, has_begun, without_look};
use super::settle::{Settled, accepted};

/// How often a draft is begun again, after another attempt for its number has ended meanwhile.
const TRIES: usize = 3;

/// A draft that is to be sent.
pub(crate) struct Sending<'d> {
    pub(crate) linter: &'d Linter,
    pub(crate) parsed: &'d Parsed<'d>,
    pub(crate) hint: KindHint,
    pub(crate) plan: &'d GateOptions,
    pub(crate) number: String,
    /// The other numbers of the draft.
    pub(crate) further: Vec<String>,
    pub(crate) body: DraftBody,
    pub(crate) digest: String,
}

impl CallSession<'_> {
    /// Submits the only draft of a text; `hint` is the source of its kind. Nothing is sent twice, whatever happens.
    ///
    /// # Errors
    ///
    /// The text is not one submit request of this provider, the call cannot be made, or the history cannot be used.
    pub fn submit(
        &mut self,
        linter: &Linter,
        draft: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
    ) -> Result<CallOutcome, CallError> {
        if self.api.file().operations.submit.is_empty() {
            return Err(self.api.not_offered("submit a verification"));
        }
        match self.with_id(linter, draft, hint)? {
            WithId::AsWritten => self.submit_text(linter, draft, hint, plan),
            WithId::Failed(outcome) => Ok(outcome),
            WithId::Text(text) => {
                let source = Source::new(draft.source().name(), text.as_str());
                let parsed = Parsed::of(&source, Some(draft.format()));
                let outcome = self.submit_text(linter, &parsed, hint, plan)?;
                Ok(match outcome {
                    CallOutcome::RefusedByGate { decision, .. } => {
                        CallOutcome::RefusedByGate { decision, text: Some(text.clone()) }
                    }
                    outcome => outcome,
                })
            }
        }
    }

    fn submit_text(
        &mut self,
        linter: &Linter,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
    ) -> Result<CallOutcome, CallError> {
        let (kind, document) = self.request_of(parsed, hint)?;
        if !kind.is_submit() {
            return Err(CallError::Usage("this is not a submit request; use `tollproof update`".to_owned()));
        }
        let Some(root) = document.document().root.as_ref() else {
            return self.refused_unread(linter, parsed, hint, plan);
        };
        let mut numbers = kind.numbers(root).into_iter().filter_map(|it| it.as_str());
        let number = plan.number.as_deref().or_else(|| numbers.next()).unwrap_or_default().trim().to_owned();
        let further = numbers.map(|it| it.trim().to_owned()).collect();
        if numbers_of(plan, kind, root) > 1 {
            return Err(CallError::Usage(
                "a draft with several numbers is not sent; write one for each".to_owned(),
            ));
        }
        self.use_values_of(kind, root)?;
        let body = DraftBody::of(root, kind)?;
        let digest = body.digest().to_owned();
        let draft = Sending { linter, parsed, hint, plan, number, further, body, digest };
        for _ in 0..TRIES {
            if let Some(outcome) = self.begun_earlier(&draft)? {
                match outcome {
                    Some(outcome) => return Ok(outcome),
                    None => continue,
                }
            }
            if let Some(outcome) = self.begin(&draft)? {
                return Ok(outcome);
            }
        }
        Ok(CallOutcome::NotFinished("other programs are submitting this number".to_owned()))
    }

    /// What became of earlier attempts for the number. The inner `None` means to look again.
    fn begun_earlier(&mut self, draft: &Sending<'_>) -> Result<Option<Option<CallOutcome>>, CallError> {
        if draft.number.is_empty() {
            return Ok(None);
        }
        let attempts = self.store()?.attempts_of(&draft.number)?;
        let provider = self.api.provider().name();
        let is_own = |it: &&Attempt| it.operation == AttemptOperation::Submission && it.provider == provider;
        let submits = || attempts.iter().filter(is_own);
        if let Some(open) = submits().find(|it| it.state.is_open()) {
            return self.go_on(draft, open).map(Some);
        }
        // The newest: an earlier one with the same body may have been rejected since.
        let Some(newest) = submits().find(|it| it.state == AttemptState::Accepted) else { return Ok(None) };
        if newest.digest != draft.digest {
            return Ok(None);
        }
        let ids = newest.id.clone().into_iter().collect();
        let known = self.past.look_up(&Query { numbers: vec![draft.number.clone()], ids })?.history;
        let submission = newest.id.as_deref().and_then(|id| known.of_id(id)).or(known.open(&draft.number));
        // One that was withdrawn may be sent again.
        if submission.is_some_and(|it| it.outcome() == Verdicted::Ended) {
            return Ok(None);
        }
        let is_rejected = submission.is_some_and(|it| it.outcome() == Verdicted::Rejected);
        if is_rejected && self.sends_again {
            return Ok(None);
        }
        let mut accepted = accepted(newest, AcceptedBy::Earlier);
        accepted.status = submission.map(|it| it.status.clone());
        let outcome = if is_rejected { CallOutcome::RejectedEarlier } else { CallOutcome::Accepted };
        Ok(Some(Some(outcome(accepted))))
    }

    /// Goes on with an attempt that was not finished.
    fn go_on(&mut self, draft: &Sending<'_>, open: &Attempt) -> Result<Option<CallOutcome>, CallError> {
        match self.settle(open)? {
            // Without an earlier step, the draft passes the gate once more.
            Settled::Nothing(attempt) if attempt.digest == draft.digest && has_begun(&attempt) => {
                self.send(draft, attempt).map(Some)
            }
            Settled::Nothing(attempt) => self.discard(&attempt),
            Settled::Ended => Ok(None),
            Settled::Adopted(_) if open.digest != draft.digest => Ok(None),
            settled => Ok(Some(self.unsettled(open, settled))),
        }
    }

    /// Passes the gate with a new attempt, looks, and sends. `None` means to begin again.
    fn begin(&mut self, draft: &Sending<'_>) -> Result<Option<CallOutcome>, CallError> {
        self.api.log_in()?;
        let attempt = AttemptOptions {
            address: self.account(),
            holder: self.holder.clone(),
            lease: self.lease_length(),
        };
        let plan = GateOptions { attempt: Some(attempt), ..draft.plan.clone() };
        let decision = Gate::new(draft.linter, self.past).decide(draft.parsed, draft.hint, &plan)?;
        let attempt = match decision.verdict {
            Verdict::Go(ref permit) => permit.attempt.clone(),
            Verdict::Refused => None,
        };
        let Some(mut attempt) = attempt else {
            return Ok(Some(CallOutcome::RefusedByGate { decision: Box::new(decision), text: None }));
        };
        // Somebody may have filed a number in the console.
        for number in [&draft.number].into_iter().chain(&draft.further) {
            match self.look(&NumberNames::written(number)) {
                Ok(Looked::CannotAsk) => break,
                Ok(Looked::Records(records)) => {
                    let is_news = self.keep(&records)?;
                    if let Some(open) = records.iter().find(|it| !it.is_unsent && it.submission.is_open()) {
                        return self.is_open_elsewhere(&attempt, open, number).map(Some);
                    }
                    // The gate has not seen these.
                    if is_news {
                        self.give_up(&attempt, "the history has changed")?;
                        return Ok(None);
                    }
                    self.keep_known(&mut attempt, &records)?;
                }
                Ok(Looked::Failed(called)) => {
                    self.give_up(&attempt, "the provider could not be asked")?;
                    return Ok(Some(without_look(called)));
                }
                Err(error) => {
                    self.give_up(&attempt, "the provider could not be asked")?;
                    return Err(error);
                }
            }
        }
        self.send(draft, attempt).map(Some)
    }

    fn is_open_elsewhere(
        &mut self,
        attempt: &Attempt,
        open: &ProviderRecord,
        number: &str,
    ) -> Result<CallOutcome, CallError> {
        if !self.give_up(attempt, "the number has an open submission")? {
            return Ok(CallOutcome::NotFinished("another program is submitting this number".to_owned()));
        }
        Ok(CallOutcome::OpenElsewhere(Accepted {
            id: Some(open.submission.id.clone()),
            status: Some(open.submission.status.clone()),
            number: number.to_owned(),
            by: AcceptedBy::Look,
        }))
    }

    /// Ends an attempt of this session of which nothing was sent. False if another program holds it by now.
    pub(crate) fn give_up(&mut self, attempt: &Attempt, why: &str) -> Result<bool, CallError> {
        let now = self.store()?.now()?;
        let holder = self.holder.clone();
        Ok(self.store()?.give_up(&attempt.token, &holder, why, now)?)
    }

    /// The only request of a text, which must be for this provider.
    pub(crate) fn request_of<'p>(
        &self,
        parsed: &'p Parsed<'_>,
        hint: KindHint,
    ) -> Result<(Kind, SourceDocument<'p>), CallError> {
        let name = parsed.source().name();
        let Some(document) = parsed.only() else {
            let count: usize = parsed.blocks().map(|block| block.documents().count()).sum();
            return Err(CallError::Usage(format!(
                "`{name}` contains {count} documents; send one draft at a time"
            )));
        };
        let kind = kind_of(&document, hint).filter(|it| it.is_request());
        let Some(kind) = kind else {
            return Err(CallError::Usage(format!("`{name}` is not a draft that can be sent")));
        };
        if kind.provider() != self.api.provider() {
            let (of, to) = (kind.provider().title(), self.api.provider().title());
            return Err(CallError::Usage(format!("`{name}` is a draft for {of}, not for {to}")));
        }
        Ok((kind, document))
    }

    fn refused_unread(
        &mut self,
        linter: &Linter,
        parsed: &Parsed<'_>,
        hint: KindHint,
        plan: &GateOptions,
    ) -> Result<CallOutcome, CallError> {
        let decision = Gate::new(linter, self.past).decide(parsed, hint, plan)?;
        Ok(CallOutcome::RefusedByGate { decision: Box::new(decision), text: None })
    }

    /// The text with the id of its number, if it has the number in E.164 and the provider wants the id.
    fn with_id(&mut self, linter: &Linter, draft: &Parsed<'_>, hint: KindHint) -> Result<WithId, CallError> {
        if !self.api.names_numbers_by_id() {
            return Ok(WithId::AsWritten);
        }
        let Ok((kind, document)) = self.request_of(draft, hint) else { return Ok(WithId::AsWritten) };
        let Some(root) = document.document().root.as_ref() else { return Ok(WithId::AsWritten) };
        let written = kind.numbers(root).into_iter().find_map(|it| Some((it.span, it.as_str()?)));
        let Some((span, number)) = written.filter(|it| NumberKey::of(it.1).is_e164()) else {
            return Ok(WithId::AsWritten);
        };
        // What the gate refuses anyway is not looked up.
        let report = linter.check(draft, hint, &Facts::default());
        let is_number = |pointer: &str| kind.role_at(pointer) == Some(role::PHONE_NUMBERS);
        if report.findings.iter().any(|it| it.severity == Severity::Error && !is_number(&it.pointer)) {
            return Ok(WithId::AsWritten);
        }
        Ok(match resolve(self.api, NumberNames::written(number))? {
            Resolved::Names(NumberNames { id: Some(id), .. }) => {
                let mut text = draft.source().text().to_owned();
                text.replace_range(span.range(), &serde_json::Value::from(id).to_string());
                WithId::Text(text)
            }
            Resolved::Names(_) | Resolved::NotOwned => WithId::Failed(CallOutcome::NotFinished(format!(
                "the account at {} does not have the number {number}",
                self.api.provider().title()
            ))),
            Resolved::Failed(called) => WithId::Failed(without_look(called)),
        })
    }
}

/// How many numbers a draft has.
fn numbers_of(plan: &GateOptions, kind: Kind, root: &Node<'_>) -> usize {
    kind.numbers(root).len() + usize::from(plan.number.is_some())
}

/// Whether the number of a draft was replaced by its id.
enum WithId {
    AsWritten,
    Text(String),
    Failed(CallOutcome),
}
