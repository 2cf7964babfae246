//! Submits a draft: check, reserve, write the attempt, look, send, record.

use tollproof_core::document::Node;
use tollproof_core::{
    Facts, Kind, KindHint, Linter, NumberKey, Outcome as Verdicted, Parsed, Severity, Source, SourceDocument,
    Submission, kind_of, role,
};
use tollproof_history::{
    Attempt, AttemptOperation, AttemptOptions, AttemptState, Gate, GateOptions, Query, Verdict,
};

use super::body::DraftBody;
use super::decide::Wish;
use super::error::{CallError, Result};
use super::look::Looked;
use super::numbers::{NumberNames, Resolved, resolve};
use super::outcome::{Accepted, AcceptedBy, CallOutcome, NextStep};
use super::pursue::NextAttempt;
use super::session::{CallSession, accepted, without_look};

/// A draft that is to be sent.
pub(crate) struct Sending<'d> {
    pub(crate) linter: &'d Linter,
    pub(crate) parsed: &'d Parsed<'d>,
    pub(crate) hint: KindHint,
    pub(crate) plan: &'d GateOptions,
    pub(crate) number: String,
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
    ) -> Result<CallOutcome> {
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
                    CallOutcome::RefusedByGate { rules, decision, .. } => {
                        CallOutcome::RefusedByGate { rules, decision, text: Some(text.clone()) }
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
    ) -> Result<CallOutcome> {
        let (kind, document) = self.request_of(parsed, hint)?;
        if !kind.is_submit() {
            return Err(CallError::Usage("this is not a submit request; use `tollproof update`".to_owned()));
        }
        let Some(root) = document.document().root.as_ref() else {
            return self.refused_unread(linter, parsed, hint, plan);
        };
        let mut numbers = kind.numbers(root).into_iter().filter_map(|it| it.as_str());
        let number = plan.number.as_deref().or_else(|| numbers.next()).unwrap_or_default().trim().to_owned();
        if numbers_of(plan, kind, root) > 1 {
            return Err(CallError::Usage(
                "a draft with several numbers is not sent; write one for each".to_owned(),
            ));
        }
        self.use_values_of(kind, root)?;
        let body = DraftBody::of(root, kind)?;
        let digest = body.digest().to_owned();
        let draft = Sending { linter, parsed, hint, plan, number, body, digest };
        let next = |session: &mut Self| {
            let submits = session.submissions_of(&draft.number)?;
            if let Some(open) = submits.iter().find(|attempt| attempt.state.is_open()) {
                let wish = if open.digest == draft.digest { Wish::GoOn } else { Wish::Replace };
                return Ok(NextAttempt::Pursue(open.token.clone(), wish));
            }
            if let Some(outcome) = session.submitted_earlier(&draft, &submits)? {
                return Ok(NextAttempt::Outcome(outcome));
            }
            Ok(match session.reserve(&draft)? {
                Ok(token) => NextAttempt::Pursue(token, Wish::GoOn),
                // The findings may be about what another program has sent since.
                Err(_) if session.submissions_of(&draft.number)? != submits => NextAttempt::Again,
                Err(refused) => NextAttempt::Outcome(refused),
            })
        };
        self.operate(next, |session, attempt| session.send(&draft, attempt).map(Some))
    }

    /// The attempts to submit a number here, the newest first.
    pub(crate) fn submissions_of(&mut self, number: &str) -> Result<Vec<Attempt>> {
        let provider = self.api.provider().name();
        let mut attempts = if number.is_empty() { Vec::new() } else { self.store()?.attempts_of(number)? };
        attempts.retain(|attempt| {
            attempt.operation == AttemptOperation::Submission && attempt.provider == provider
        });
        Ok(attempts)
    }

    /// The outcome of a draft that was submitted as it is.
    fn submitted_earlier(&mut self, draft: &Sending<'_>, submits: &[Attempt]) -> Result<Option<CallOutcome>> {
        // The newest: an earlier one with the same body may have been rejected since.
        let newest = submits.iter().find(|attempt| attempt.state == AttemptState::Accepted);
        let Some(newest) = newest.filter(|attempt| attempt.digest == draft.digest) else { return Ok(None) };
        match newest.id.as_deref().map(|id| self.withdrawn_earlier(id)).transpose()?.flatten() {
            Some(CallOutcome::Accepted(_)) => return Ok(None),
            Some(outcome) => return Ok(Some(outcome)),
            None => {}
        }
        let ids = newest.id.clone().into_iter().collect();
        let known = self.past.look_up(&Query { numbers: vec![draft.number.clone()], ids })?.history;
        let submission = newest.id.as_deref().and_then(|id| known.of_id(id)).or(known.open(&draft.number));
        match submission.map(Submission::outcome) {
            // One that was withdrawn may be sent again.
            Some(Verdicted::Ended) => return Ok(None),
            Some(Verdicted::Rejected) if self.sends_again => return Ok(None),
            _ => {}
        }
        if let Some(gone) = self.gone_since(newest)? {
            return Ok(Some(gone));
        }
        let earlier = Accepted {
            status: submission.map(|submission| submission.status.clone()),
            ..accepted(newest, AcceptedBy::Earlier)
        };
        Ok(Some(CallOutcome::earlier(earlier, submission)))
    }

    /// Whether the provider does not have a submission any more, or only a draft of it. Just after it was sent, a provider
    /// may not show it yet.
    fn gone_since(&mut self, attempt: &Attempt) -> Result<Option<CallOutcome>> {
        let now = self.store()?.now()?;
        let is_young = now.duration_since(attempt.updated_at) < self.lease_length();
        let Some(id) = attempt.id.clone().filter(|_| !is_young) else { return Ok(None) };
        Ok(match self.fetch(&id, &NumberNames::written(&attempt.number))? {
            Looked::Records(records) if records.iter().all(|record| record.is_unsent) => {
                Some(self.gone(&id, &attempt.number)?)
            }
            _ => None,
        })
    }

    /// Passes the gate with a new attempt, which reserves the number. Returns its token.
    fn reserve(&mut self, draft: &Sending<'_>) -> Result<Result<String, CallOutcome>> {
        self.api.log_in()?;
        let names = match self.names_to_reserve(draft)? {
            Ok(names) => names,
            Err(outcome) => return Ok(Err(outcome)),
        };
        let attempt = names.map(|names| AttemptOptions {
            names,
            address: self.account(),
            holder: self.holder.clone(),
            lease: self.lease_length(),
        });
        let plan = GateOptions { attempt, ..draft.plan.clone() };
        let decision = Gate::new(draft.linter, self.past).decide(draft.parsed, draft.hint, &plan)?;
        let token = match &decision.verdict {
            Verdict::Go(permit) => permit.attempt.as_ref().map(|attempt| attempt.token.clone()),
            Verdict::Refused => None,
        };
        Ok(token.ok_or_else(|| CallOutcome::refused(decision)))
    }

    /// Both names of a number, where drafts and records have either. `None` if the gate refuses the draft anyway.
    fn names_to_reserve(&mut self, draft: &Sending<'_>) -> Result<Result<Option<Vec<String>>, CallOutcome>> {
        if !self.api.file().number.both {
            return Ok(Ok(Some(Vec::new())));
        }
        let facts = Facts { now: draft.plan.now, ..Facts::default() };
        if draft.linter.check(draft.parsed, draft.hint, &facts).count(Severity::Error) > 0 {
            return Ok(Ok(None));
        }
        Ok(match self.complete(&NumberNames::written(&draft.number))? {
            Resolved::Names(NumberNames { e164, id }) => Ok(Some([e164, id].into_iter().flatten().collect())),
            Resolved::NotOwned => Err(without_look(self.not_owned())),
            Resolved::Failed(called) => Err(without_look(called)),
        })
    }

    /// The only request of a text, which must be for this provider.
    pub(crate) fn request_of<'p>(
        &self,
        parsed: &'p Parsed<'_>,
        hint: KindHint,
    ) -> Result<(Kind, SourceDocument<'p>)> {
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
    ) -> Result<CallOutcome> {
        let decision = Gate::new(linter, self.past).decide(parsed, hint, plan)?;
        Ok(CallOutcome::refused(decision))
    }

    /// The text with the id of its number, if it has the number in E.164 and the provider wants the id.
    fn with_id(&mut self, linter: &Linter, draft: &Parsed<'_>, hint: KindHint) -> Result<WithId> {
        if !self.api.names_numbers_by_id() {
            return Ok(WithId::AsWritten);
        }
        let Ok((kind, document)) = self.request_of(draft, hint) else { return Ok(WithId::AsWritten) };
        let Some(root) = document.document().root.as_ref() else { return Ok(WithId::AsWritten) };
        let written = kind.numbers(root).into_iter().find_map(|node| Some((node.span, node.as_str()?)));
        let Some((span, number)) = written.filter(|written| NumberKey::of(written.1).is_e164()) else {
            return Ok(WithId::AsWritten);
        };
        // What the gate refuses anyway is not looked up.
        let report = linter.check(draft, hint, &Facts::default());
        let is_number = |pointer: &str| kind.role_at(pointer) == Some(role::PHONE_NUMBERS);
        if report
            .findings
            .iter()
            .any(|finding| finding.severity == Severity::Error && !is_number(&finding.pointer))
        {
            return Ok(WithId::AsWritten);
        }
        Ok(match resolve(self.api, NumberNames::written(number))? {
            Resolved::Names(NumberNames { id: Some(id), .. }) => {
                let mut text = draft.source().text().to_owned();
                text.replace_range(span.range(), &serde_json::Value::from(id).to_string());
                WithId::Text(text)
            }
            Resolved::Names(_) | Resolved::NotOwned => {
                let title = self.api.provider().title();
                let why = format!("the account at {title} does not have the number {number}");
                WithId::Failed(CallOutcome::unsent(why, NextStep::CheckAccount))
            }
            Resolved::Failed(called) => WithId::Failed(without_look(called)),
        })
    }
}

/// Counts the draft's numbers.
fn numbers_of(plan: &GateOptions, kind: Kind, root: &Node<'_>) -> usize {
    kind.numbers(root).len() + usize::from(plan.number.is_some())
}

/// Whether the number of a draft was replaced by its id.
enum WithId {
    AsWritten,
    Text(String),
    Failed(CallOutcome),
}
