//! One program of a storm.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::{Value, json};
use tollproof_history::{Attempt, AttemptOperation, SubmissionSummary};
use tollproof_online::{CallError, CallOutcome, Refusal};

use super::random::Random;
use super::{Storm, numbers_of, open};
use crate::walk::{ApiWalk, PROVIDERS, control};

/// The faults, and their operations.
const FAULTS: [&str; 6] = ["lost-answer", "cut-body", "500-after", "500-before", "429", "slow=4"];
const OPERATIONS: [&str; 8] = ["submit", "submit", "buy", "update", "delete", "numbers", "list", "fetch"];

/// The operations that change nothing.
const READS: [&str; 3] = ["numbers", "list", "fetch"];

/// The time the end of a storm may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// One program.
pub(super) struct Caller<'s> {
    storm: &'s Storm,
    walks: BTreeMap<&'static str, ApiWalk>,
    random: Random,
    refused: Vec<RefusedSubmission>,
}

/// A submission that the provider refused.
#[expect(dead_code, reason = "the refusal is printed if it should not have happened")]
#[derive(Clone, Debug)]
pub(super) struct RefusedSubmission {
    pub(super) provider: String,
    pub(super) number: String,
    /// Start and end of the command.
    pub(super) during: (Timestamp, Timestamp),
    pub(super) refusal: Refusal,
}

impl<'s> Caller<'s> {
    pub(super) fn new(storm: &'s Storm, seed: u64) -> Self {
        let walks = PROVIDERS.into_iter().map(|it| (it, storm.walk(it))).collect();
        Self { storm, walks, random: Random::new(seed), refused: Vec::new() }
    }

    /// Runs random commands. Returns how many, and which submissions were refused.
    pub(super) fn run_until(mut self, end: Instant) -> (usize, Vec<RefusedSubmission>) {
        let mut count = 0;
        while Instant::now() < end {
            let provider = *self.random.one(&PROVIDERS).expect("there are some");
            if let Err(error) = self.command(provider) {
                let is_expected = !matches!(error, CallError::History(_) | CallError::Unrecorded { .. });
                assert!(is_expected, "{provider}: {error}");
            }
            count += 1;
        }
        (count, self.refused)
    }

    fn command(&mut self, provider: &'static str) -> Result<(), CallError> {
        let kind = self.random.below(20);
        let number = self.random.one(&numbers_of(provider)).cloned().expect("there are some");
        let body = self.random.below(2);
        match kind {
            0..5 => self.submit(provider, &number, body, false).map(drop),
            5..7 => self.submit(provider, &number, body, true).map(drop),
            7..10 => {
                let open = self.walks[provider].with(|it| it.open_attempts())?;
                let Some(attempt) = self.random.one(&open).cloned() else { return Ok(()) };
                self.walks[provider].with(|it| it.settle_attempt(&attempt)).map(drop)
            }
            10..12 => self.refresh(provider),
            12 => self.walks[provider].with(|session| session.import(&mut |_| {})).map(drop),
            13..15 => self.change(provider),
            15 => self.buy(provider),
            16..19 => {
                let fault = self.random.one(&FAULTS).expect("there are some");
                let operation = self.random.one(&OPERATIONS).expect("there are some");
                // The ledger has its 500, and not whether the call would have been refused.
                if *fault == "500-after" && !READS.contains(operation) {
                    return Ok(());
                }
                self.walks[provider].fault(fault, operation);
                Ok(())
            }
            _ => {
                self.review();
                Ok(())
            }
        }
    }

    fn submit(
        &mut self,
        provider: &str,
        number: &str,
        body: usize,
        waits: bool,
    ) -> Result<CallOutcome, CallError> {
        let walk = &self.walks[provider];
        let draft = with_text(walk.draft(number), body);
        let begun = Timestamp::now();
        let sent = walk.submit_number(&draft, (provider == "aws").then(|| number.to_owned()), waits)?;
        if let CallOutcome::Refused(refusal) = &sent {
            let (provider, number) = (provider.to_owned(), number.to_owned());
            let during = (begun, Timestamp::now());
            self.refused.push(RefusedSubmission { provider, number, during, refusal: refusal.clone() });
        }
        Ok(sent)
    }

    fn refresh(&self, provider: &str) -> Result<(), CallError> {
        let walk = &self.walks[provider];
        let known = history_of(walk, provider);
        known.iter().try_for_each(|submission| walk.with(|session| session.refresh(submission)).map(drop))
    }

    /// Updates or withdraws a submission.
    fn change(&mut self, provider: &str) -> Result<(), CallError> {
        let walk = &self.walks[provider];
        let known = history_of(walk, provider);
        let Some(known) = self.random.one(&known) else { return Ok(()) };
        let found = walk.with(|session| session.update_target(Some(&known.id), None))?;
        let Ok(target) = found else { return Ok(()) };
        if self.random.below(3) == 0 && walk.api.cancels().is_some() {
            return walk.with(|session| session.cancel(&target)).map(drop);
        }
        walk.try_update(&target).map(drop)
    }

    fn buy(&mut self, provider: &str) -> Result<(), CallError> {
        // It has no call that lists numbers, so a person decides about a lost purchase.
        if provider == "bandwidth" {
            return Ok(());
        }
        let number = (provider != "aws").then(|| format!("+1833555{:04}", self.random.below(50)));
        self.walks[provider].try_buy_number(number.as_deref()).map(drop)
    }

    /// Ends a review.
    fn review(&mut self) {
        let mut open = control::submissions(&self.storm.sandbox);
        open.retain(|it| it["state"] == "open");
        let Some(one) = self.random.one(&open) else { return };
        let reject = if self.random.below(2) == 0 { json!([]) } else { json!(["30513"]) };
        let body = json!({ "provider": one["provider"], "id": one["id"], "reject": reject });
        // It may have been withdrawn meanwhile.
        let url = format!("{}/_sandbox/decide", self.storm.sandbox.url());
        let _ = ureq::post(url).send(body.to_string());
    }

    /// Settles what is open, as `status --all` and further runs of the commands do.
    pub(super) fn settle_all(mut self) {
        let end = Instant::now() + PATIENCE;
        for provider in PROVIDERS {
            loop {
                let open = self.settle(provider).unwrap_or_else(|error| panic!("{provider}: {error}"));
                if open.is_empty() {
                    break;
                }
                assert!(Instant::now() < end, "{provider}: these attempts stay open: {open:#?}");
                std::thread::sleep(Duration::from_millis(300));
            }
            while let Err(error) = self.read_all(provider) {
                assert!(Instant::now() < end, "{provider}: {error}");
            }
        }
    }

    fn settle(&mut self, provider: &str) -> Result<Vec<Attempt>, CallError> {
        for attempt in self.walks[provider].with(|it| it.open_attempts())? {
            match self.walks[provider].with(|it| it.settle_attempt(&attempt)) {
                Err(CallError::History(error)) => panic!("{provider}: {error}"),
                Ok(CallOutcome::NotFinished { .. }) if attempt.operation == AttemptOperation::Submission => {
                    let number =
                        numbers_of(provider).into_iter().find(|it| attempt.number.ends_with(&it[2..]));
                    let number = number.expect("only those are submitted");
                    let _ = self.submit(provider, &number, 0, true);
                }
                Ok(CallOutcome::NotFinished { .. }) if attempt.operation == AttemptOperation::Update => {
                    let walk = &self.walks[provider];
                    let found =
                        walk.with(|session| session.update_target(attempt.record.as_deref(), None))?;
                    if let Ok(target) = found {
                        let _ = walk.try_update(&target);
                    }
                }
                // Its token makes sure that a purchase which is sent again is one.
                Ok(CallOutcome::Unknown { can_ask: false, .. })
                    if attempt.operation == AttemptOperation::Purchase && provider == "aws" =>
                {
                    let _ = self.walks[provider].try_buy_number(None);
                }
                _ => {}
            }
        }
        self.walks[provider].with(|it| it.open_attempts())
    }

    fn read_all(&self, provider: &str) -> Result<(), CallError> {
        let walk = &self.walks[provider];
        walk.with(|session| session.status(&[], Timestamp::now()))?;
        self.refresh(provider)?;
        let mut store = open(walk, &self.storm.store);
        let reserved = store.reservations()?;
        match reserved
            .into_iter()
            .find(|reservation| reservation.1.is_endless() && is_number_of(provider, &reservation.0))
        {
            Some((number, _)) => Err(CallError::Usage(format!("{number} stays reserved"))),
            None => Ok(()),
        }
    }
}

/// A provider's part of the history: all have the same host here.
pub(super) fn history_of(walk: &ApiWalk, provider: &str) -> Vec<SubmissionSummary> {
    walk.history().into_iter().filter(|it| is_number_of(provider, &it.number)).collect()
}

/// Whether a number, or its id, which ends with its digits, is one of a provider.
fn is_number_of(provider: &str, number: &str) -> bool {
    numbers_of(provider).iter().any(|it| number.ends_with(&it[2..]))
}

/// A draft with one of two texts.
fn with_text(mut draft: Value, body: usize) -> Value {
    if body == 1 {
        let fields = draft.as_object_mut().expect("it is an object");
        let name = |field: &&String| {
            field.to_ascii_lowercase().contains("summary") || field.ends_with("useCaseDetails")
        };
        let name = fields.keys().find(name).cloned().expect("each has a summary");
        let text = fields[&name].as_str().expect("it is text").to_owned();
        fields.insert(name, json!(format!("{text} We send nothing else.")));
    }
    draft
}
