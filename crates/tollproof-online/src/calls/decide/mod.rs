//! The next action for an attempt: one table for submissions, purchases, updates and withdrawals.
//!
//! Nothing here looks, writes or sends; `pursue.rs` does what the table says. `crates/attempts.md` has the
//! picture.

use jiff::Timestamp;
use tollproof_history::{Attempt, AttemptState};

use super::kept::has_begun;

/// The result of a look for an attempt at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// There was no look yet.
    NotLooked,
    /// The provider did not answer.
    Failed,
    /// No call of the provider would show it.
    CannotAsk,
    /// Nothing of it.
    Nothing,
    /// The result of an earlier step of it, but not of the last one.
    Begun,
    /// All of it.
    Done,
    /// A reason not to send it: the number has another submission, is bought already, or has news for the gate.
    Obstacle,
    /// The submission that it changes does not exist any more.
    Gone,
}

/// The wish of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To learn what became of the attempt.
    Settle,
    /// To send what is left of it.
    GoOn,
    /// To send something else in its place.
    Replace,
}

/// The progress of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Not a byte of it was sent.
    Unsent,
    /// Nothing is on its way, and an earlier step may have arrived.
    Between,
    /// A request was sent, and its outcome is unknown.
    Sent,
    Accepted,
    /// It was refused, or nothing of it arrived.
    Ended,
}

/// The program that may work on an attempt now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// This session, or whoever comes, as far as nothing is on its way.
    Ours,
    /// Another program, until its time has ended.
    Theirs,
    /// Whoever is first: the time of the holder has ended.
    Over,
}

/// The facts that the table looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) phase: Phase,
    pub(crate) turn: Turn,
    pub(crate) wish: Wish,
    /// The end of the holder's time.
    pub(crate) until: Timestamp,
    /// Whether an earlier step arrived.
    pub(crate) has_begun: bool,
    /// Whether it was made with another account.
    pub(crate) is_other_account: bool,
    /// Whether the provider recognizes a repetition by its token.
    pub(crate) is_repeatable: bool,
    /// After an earlier look that saw nothing: when a second one counts, and whether that is now.
    pub(crate) unseen: Option<(Timestamp, bool)>,
}

/// The next action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Ask the provider what it has.
    Look,
    /// End it with what the look found.
    Adopt,
    /// Become its holder, if it is still as the look found it. What was sent counts as lost then.
    TakeOver,
    /// Note that a look saw nothing: the next one may be sure.
    NoteUnseen,
    /// Send the next step.
    Send,
    /// Become its holder, and send the same request again.
    Resend,
    /// End it, because nothing of it arrived, and free its number.
    End,
    /// Remove what its first steps made, and end it.
    Discard,
    /// Leave it for a later run.
    Release,
    /// Say how it is.
    Report(Standing),
}

/// The standing of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The provider has it.
    Done,
    /// It has ended, and its number is free.
    Free,
    /// Another program works on it until then.
    Busy(Timestamp),
    /// It may arrive, or show up in a list, until then.
    InFlight(Timestamp),
    /// Only a person can see what became of it.
    CannotAsk,
    /// The provider did not answer.
    NotSeen,
    /// It was made with another account.
    OtherAccount,
}

/// Decides the next action for an attempt, of which a look saw something, or that was not looked for yet.
pub(crate) fn decide(facts: &Facts, seen: Seen) -> Action {
    use Action::{Adopt, Discard, End, Look, NoteUnseen, Release, Report, Resend, Send, TakeOver};
    use Phase::{Accepted, Between, Ended, Sent, Unsent};
    use Seen::{CannotAsk, Done, Failed, Gone, NotLooked, Obstacle};
    use Turn::{Ours, Over, Theirs};
    let has_begun = facts.has_begun || seen == Seen::Begun;
    match (facts.phase, facts.turn, seen) {
        (Accepted, _, _) => Report(Standing::Done),
        (Ended, _, _) => Report(Standing::Free),
        _ if facts.is_other_account => Report(Standing::OtherAccount),

        (Unsent, Theirs, _) => Report(Standing::Busy(facts.until)),
        (_, _, NotLooked) => Look,

        (Unsent, Over, Failed) => Report(Standing::NotSeen),
        (Unsent, _, Failed | Done | Obstacle | Gone) => End,
        (Unsent, Ours, _) => Send,
        // It passes the gate again.
        (Unsent, Over, _) => End,

        (_, _, Done) => Adopt,
        (_, _, Failed) => Report(Standing::NotSeen),

        (Between, Theirs, _) => Report(Standing::Busy(facts.until)),
        (Between, Over, _) => TakeOver,
        (Between, Ours, Gone) => End,
        (Between, Ours, _) if !has_begun => End,
        (Between, Ours, Obstacle) => Release,
        (Between, Ours, _) => match facts.wish {
            Wish::GoOn => Send,
            Wish::Replace => Discard,
            Wish::Settle => Release,
        },

        (Sent, Theirs, _) => Report(Standing::Busy(facts.until)),
        (Sent, Over, CannotAsk) if facts.is_repeatable && facts.wish == Wish::GoOn => Resend,
        (Sent, _, CannotAsk) => Report(Standing::CannotAsk),
        (Sent, Ours, _) => Report(Standing::InFlight(facts.until)),
        // Lists lag: nothing is lost after one look that saw nothing.
        (Sent, Over, _) => match facts.unseen {
            None => NoteUnseen,
            Some((until, false)) => Report(Standing::InFlight(until)),
            Some((_, true)) => TakeOver,
        },
    }
}

impl Phase {
    pub(crate) fn of(attempt: &Attempt) -> Self {
        match attempt.state {
            AttemptState::Prepared if attempt.sent_at.is_none() && !has_begun(attempt) => Self::Unsent,
            AttemptState::Prepared => Self::Between,
            AttemptState::Sent => Self::Sent,
            AttemptState::Accepted => Self::Accepted,
            AttemptState::Refused | AttemptState::Withdrawn => Self::Ended,
        }
    }
}

impl Turn {
    /// The program that may work on an attempt at a time. An attempt without a holder is waited for by no program.
    pub(crate) fn of(attempt: &Attempt, holder: &str, now: Timestamp) -> Self {
        let is_ours = attempt.holder == holder;
        let is_over = now >= attempt.until || attempt.holder.is_empty();
        match Phase::of(attempt) {
            // What was sent may arrive until then, whoever asks.
            Phase::Sent if now >= attempt.until => Self::Over,
            Phase::Sent if is_ours || attempt.holder.is_empty() => Self::Ours,
            Phase::Sent => Self::Theirs,
            _ if is_ours => Self::Ours,
            _ if is_over => Self::Over,
            _ => Self::Theirs,
        }
    }
}

#[cfg(test)]
mod tests;
