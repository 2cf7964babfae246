//! Does with an attempt what the table of [`decide`] says: looks, writes, and returns what is to be sent.

use jiff::{SignedDuration, Timestamp};
use tollproof_history::{Attempt, AttemptOperation, AttemptState};

use super::bought::end_order;
use super::decide::{Action, Facts, Phase, Seen, Standing, Turn, Wish, decide};
use super::error::Result;
use super::kept::{UNSEEN, has_begun};
use super::outcome::{Accepted, AcceptedBy, CallOutcome};
use super::session::{CallSession, accepted, sleep_until, without_look};
use super::sight::Sight;
use super::unseen::UnseenSince;

/// The time for which a provider is trusted to recognize the token of a request.
pub(crate) const TOKEN_LIFE: SignedDuration = SignedDuration::from_hours(1);

/// The outcome of an attempt.
pub(crate) enum Pursued {
    /// The caller is to send the next step of it.
    Send(Box<Attempt>),
    /// It has ended, and its number is free.
    Free,
    /// Its standing; nothing can be sent now.
    Outcome(CallOutcome),
}

/// The next step of an operation.
pub(crate) enum NextAttempt {
    /// To pursue the attempt with this token.
    Pursue(String, Wish),
    /// To decide again: another program was faster.
    Again,
    /// To return this.
    Outcome(CallOutcome),
}

/// The number of times that an operation is begun again, after another attempt for it has ended meanwhile.
const TRIES: usize = 3;

impl CallSession<'_> {
    /// Pursues the attempts that `next` finds or begins, until `send` has sent one, or there is an outcome. `send` returns
    /// `None` if it did not send.
    pub(crate) fn operate(
        &mut self,
        mut next: impl FnMut(&mut Self) -> Result<NextAttempt>,
        mut send: impl FnMut(&mut Self, Attempt) -> Result<Option<CallOutcome>>,
    ) -> Result<CallOutcome> {
        for _ in 0..TRIES {
            let (token, wish) = match next(self)? {
                NextAttempt::Pursue(token, wish) => (token, wish),
                NextAttempt::Again => continue,
                NextAttempt::Outcome(outcome) => return Ok(outcome),
            };
            match self.pursue(&token, wish)? {
                Pursued::Send(attempt) => {
                    if let Some(sent) = send(self, *attempt)? {
                        return Ok(sent);
                    }
                }
                Pursued::Free => {}
                // What took the place of another draft is decided about after that.
                Pursued::Outcome(CallOutcome::Accepted(_)) if wish == Wish::Replace => {}
                Pursued::Outcome(outcome) => return Ok(outcome),
            }
        }
        Ok(CallOutcome::Busy { until: None })
    }

    /// Pursues an attempt until it has ended, something is to be sent, or something must be waited for.
    pub(crate) fn pursue(&mut self, token: &str, wish: Wish) -> Result<Pursued> {
        let mut sight = Sight::of(Seen::NotLooked);
        let (mut looked, mut looked_for) = (Timestamp::MIN, None);
        loop {
            let Some(mut attempt) = self.store()?.attempt(token)? else { return Ok(Pursued::Free) };
            if self.correct(&attempt)? {
                continue;
            }
            // What was seen is not what another program has sent since: the next number of an order.
            if looked_for != attempt.sent_at {
                sight = Sight::of(Seen::NotLooked);
            }
            // What a look cannot see must have been sent before it began.
            if sight.seen == Seen::NotLooked {
                (looked, looked_for) = (self.store()?.now()?, attempt.sent_at);
            }
            let facts = self.facts(&attempt, wish, looked);
            match decide(&facts, sight.seen) {
                Action::Look => sight = self.sight_or_give_up(&attempt)?,
                Action::Adopt => {
                    if let Some(adopted) = self.adopt(&attempt, &sight)? {
                        return Ok(Pursued::Outcome(CallOutcome::Accepted(adopted)));
                    }
                    sight = Sight::of(Seen::NotLooked);
                }
                Action::TakeOver if self.take_over(&attempt, looked, &sight)? => {}
                Action::NoteUnseen => {
                    let since = UnseenSince::now(looked).to_text();
                    if !self.store()?.note_step(token, UNSEEN, &since)? {
                        sight = Sight::of(Seen::NotLooked);
                    }
                }
                Action::Send => {
                    self.keep_known(&mut attempt, &sight.records)?;
                    return Ok(Pursued::Send(Box::new(attempt)));
                }
                Action::Resend => {
                    let (holder, (_, until)) = (self.holder.clone(), self.lease()?);
                    if let Some(attempt) = self.store()?.take_over(token, &holder, looked, until)? {
                        return Ok(Pursued::Send(Box::new(attempt)));
                    }
                    sight = Sight::of(Seen::NotLooked);
                }
                Action::End if self.end_unsent(&attempt, looked, sight.why())? => {
                    let failed = sight.failed.map(without_look);
                    return Ok(sight.outcome.or(failed).map_or(Pursued::Free, Pursued::Outcome));
                }
                Action::Discard => {
                    return Ok(self.discard(&attempt)?.map_or(Pursued::Free, Pursued::Outcome));
                }
                Action::Release => {
                    self.let_go(&attempt)?;
                    return Ok(Pursued::Outcome(sight.outcome.unwrap_or_else(|| self.left(&attempt))));
                }
                Action::Report(Standing::Free) => return Ok(Pursued::Free),
                Action::Report(Standing::Busy(until) | Standing::InFlight(until)) if self.waits => {
                    let now = self.store()?.now()?;
                    sleep_until(until, now);
                    sight = Sight::of(Seen::NotLooked);
                }
                Action::Report(standing) => {
                    return Ok(Pursued::Outcome(self.outcome_of(&attempt, standing, sight)));
                }
                // Another program was faster.
                Action::TakeOver | Action::End => sight = Sight::of(Seen::NotLooked),
            }
        }
    }

    /// Ends an order that has all of its numbers, and the time of an attempt that a clock in the future began. Returns whether
    /// it is another one now.
    fn correct(&mut self, attempt: &Attempt) -> Result<bool> {
        if attempt.operation == AttemptOperation::Purchase
            && attempt.state == AttemptState::Prepared
            && end_order(self.store()?, &attempt.token)?
        {
            return Ok(true);
        }
        if !attempt.state.is_open() || !attempt.is_held_too_long(Timestamp::now()) {
            return Ok(false);
        }
        let (now, until) = self.lease()?;
        Ok(attempt.is_held_too_long(now) && self.store()?.shorten(&attempt.token, now, until)?)
    }

    fn facts(&self, attempt: &Attempt, wish: Wish, now: Timestamp) -> Facts {
        let unseen = attempt.steps.get(UNSEEN).and_then(|text| UnseenSince::parse(text));
        let unseen = unseen.filter(|since| attempt.sent_at.is_some_and(|sent| since.looked() > sent));
        let unseen = unseen.map(|since| since.until(now, self.lease_length()));
        let is_fresh = attempt.sent_at.is_some_and(|sent| now.duration_since(sent) < TOKEN_LIFE);
        let buys_again = || self.api.file().operations.buy.as_ref().is_some_and(|buy| buy.repeatable);
        Facts {
            phase: Phase::of(attempt),
            turn: Turn::of(attempt, &self.holder, now),
            wish,
            until: attempt.until,
            has_begun: has_begun(attempt),
            is_other_account: attempt.address != self.account(),
            is_repeatable: attempt.operation == AttemptOperation::Purchase && is_fresh && buys_again(),
            unseen: unseen.map(|until| (until, now >= until)),
        }
    }

    /// Looks for an attempt. One of this session that was not sent does not stay open after an error.
    fn sight_or_give_up(&mut self, attempt: &Attempt) -> Result<Sight> {
        let sight = self.sight(attempt);
        if sight.is_err() && attempt.holder == self.holder && Phase::of(attempt) == Phase::Unsent {
            self.give_up(attempt, "the provider could not be asked")?;
        }
        sight
    }

    /// Makes this session the holder of an attempt of which nothing is on its way, as a look that began at `looked` saw.
    /// False if another program was faster.
    fn take_over(&mut self, attempt: &Attempt, looked: Timestamp, sight: &Sight) -> Result<bool> {
        let (_, until) = self.lease()?;
        let holder = self.holder.clone();
        let step = self.api.file().operations.submit.first().and_then(|step| step.keeps.clone());
        let store = self.store()?;
        if store.take_over(&attempt.token, &holder, looked, until)?.is_none() {
            return Ok(false);
        }
        store.mark_unsent(&attempt.token, &holder)?;
        // The next step continues with what the first one made.
        let made = step.zip(sight.begun.as_deref()).filter(|(name, _)| !attempt.steps.contains_key(name));
        if let Some((name, id)) = made {
            store.keep_step(&attempt.token, &holder, &name, id)?;
        }
        if attempt.operation == AttemptOperation::Submission {
            self.keep(&sight.records)?;
        }
        Ok(true)
    }

    /// Ends an attempt of which nothing arrived, as a look that began at `looked` saw. False if it has ended, or if
    /// another program may have sent it since.
    fn end_unsent(&mut self, attempt: &Attempt, looked: Timestamp, why: &str) -> Result<bool> {
        let (now, until) = self.lease()?;
        let holder = self.holder.clone();
        let store = self.store()?;
        Ok(store.take_over(&attempt.token, &holder, looked, until)?.is_some()
            && store.give_up(&attempt.token, &holder, why, now)?)
    }

    /// The standing of an attempt, as its caller gets it.
    fn outcome_of(&self, attempt: &Attempt, standing: Standing, sight: Sight) -> CallOutcome {
        let unknown = |why: &str, until, can_ask| {
            let (token, why) = (attempt.token.clone(), why.to_owned());
            CallOutcome::Unknown { token, why, until, can_ask }
        };
        let lost = "a request was sent, and its answer did not arrive";
        match (standing, sight.failed) {
            (Standing::Busy(until), _) => CallOutcome::Busy { until: Some(until) },
            (Standing::InFlight(until), _) => unknown(lost, Some(until), true),
            (Standing::CannotAsk, _) => unknown(lost, Some(attempt.until), false),
            (Standing::NotSeen, Some(called)) if attempt.state != AttemptState::Sent => without_look(called),
            (Standing::NotSeen, called) => {
                let reason = called.map(|called| called.reason()).unwrap_or_default();
                let why = format!("its answer did not arrive, and the provider could not be asked: {reason}");
                unknown(&why, Some(attempt.until), true)
            }
            (Standing::OtherAccount, _) => CallOutcome::OtherAccount {
                token: attempt.token.clone(),
                sent_to: attempt.address.clone(),
                asked: self.account(),
            },
            (Standing::Done | Standing::Free, _) => {
                CallOutcome::Accepted(Accepted { status: None, ..accepted(attempt, AcceptedBy::Look) })
            }
        }
    }
}
