//! Many drafts, one after the other: when the others are left for later, and how long their reviews are waited for.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use tollproof_history::HistorySet;

use super::api::Api;
use super::error::{CallError, Result};
use super::outcome::{CallOutcome, NextStep};
use super::session::CallSession;
use super::status::{StatusRound, StatusSeen};

/// The number of drafts in a row that may fail to be sent before the others are left for later: the network is down then.
const MAX_UNSENT: usize = 5;

/// The time after which a pause notices at the latest that the campaign was stopped.
const NOTICE: Duration = Duration::from_millis(100);

/// A provider, and the history that calls to it are written to.
#[derive(Debug)]
pub struct ProviderConnection {
    /// The API of the provider.
    pub api: Api,
    /// The history.
    pub past: HistorySet,
}

impl ProviderConnection {
    /// Calls that are written to the history, as [`CallSession::new`] makes them.
    ///
    /// # Errors
    ///
    /// Those of [`CallSession::new`].
    pub fn session(&mut self, waits: bool) -> Result<CallSession<'_>> {
        CallSession::new(&self.api, &mut self.past, waits)
    }
}

/// Calls for many drafts. What fails for one draft, such as the key, fails for the others of its provider too: they are left
/// for later, and not tried.
#[expect(missing_debug_implementations, reason = "a function has none")]
pub struct Campaign<'c> {
    /// The providers, each with its history.
    pub connections: &'c mut [ProviderConnection],
    /// Whether to stop after the request on its way.
    pub is_stopped: &'c dyn Fn() -> bool,
}

/// The end of a wait for reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewsEnd {
    /// All have ended well.
    Ended,
    /// One was rejected, or waits for an answer.
    Against,
    /// The time was over, the wait was stopped, or one is not known.
    NotEnded,
    /// The key was refused.
    BadKey,
}

/// The calls of a campaign to one provider.
#[derive(Clone, Copy, Default)]
struct Progress {
    /// The number of drafts in a row that were not sent.
    unsent: usize,
    /// Reason the others are left for later.
    left: Option<&'static str>,
}

impl Campaign<'_> {
    /// Sends drafts in their order: each is the place of its connection, and the rules whose errors refuse it.
    ///
    /// `submit` gets the place of a draft, and sends it as [`CallSession::submit`] does; it returns `None` if nothing more can be
    /// sent. `ended` gets the outcome of every draft, also of one that was not tried.
    pub fn run<'d>(
        &mut self,
        drafts: impl IntoIterator<Item = (usize, &'d [String])>,
        mut submit: impl FnMut(usize, &mut ProviderConnection) -> Option<Result<CallOutcome>>,
        mut ended: impl FnMut(usize, &Api, CallOutcome),
    ) {
        let mut progress = vec![Progress::default(); self.connections.len()];
        for (draft, (at, errors)) in drafts.into_iter().enumerate() {
            let mut all_left = (self.is_stopped)().then_some("the run was stopped");
            let outcome = if !errors.is_empty() {
                CallOutcome::RefusedByGate { rules: errors.to_vec(), decision: None, text: None }
            } else if let Some(why) = progress[at].left.or(all_left) {
                CallOutcome::unsent(why, NextStep::RunAgain)
            } else if let Some(sent) = submit(draft, &mut self.connections[at]) {
                progress[at].note(&sent);
                sent.unwrap_or_else(|error| CallOutcome::Failed(Box::new(error)))
            } else {
                all_left = Some("the run could not go on");
                CallOutcome::Failed(Box::new(CallError::Usage("the run could not go on".to_owned())))
            };
            progress.iter_mut().for_each(|progress| progress.left = progress.left.or(all_left));
            ended(draft, &self.connections[at].api, outcome);
        }
    }

    /// Asks about submissions until their reviews have ended, or for a time at most. `open` has the ids at each connection;
    /// `see` gets each answer.
    ///
    /// # Errors
    ///
    /// The call cannot be made, the history cannot be used, or `see` failed.
    pub fn wait<E: From<CallError>>(
        &mut self,
        mut open: Vec<Vec<String>>,
        limit: Option<Duration>,
        mut see: impl FnMut(&Api, &StatusRound) -> Result<(), E>,
    ) -> Result<ReviewsEnd, E> {
        let since = Instant::now();
        let (mut is_against, mut is_unknown) = (false, false);
        let mut pause: Option<Duration> = None;
        while open.iter().any(|names| !names.is_empty()) {
            let left = limit.map(|limit| limit.saturating_sub(since.elapsed()));
            if let Some(pause) = pause.take() {
                if left.is_some_and(|left| left.is_zero()) {
                    return Ok(ReviewsEnd::NotEnded);
                }
                self.sleep(left.map_or(pause, |left| left.min(pause)));
            }
            if (self.is_stopped)() {
                return Ok(ReviewsEnd::NotEnded);
            }
            let asked = self.connections.iter_mut().zip(&mut open).filter(|(_, open)| !open.is_empty());
            for (connection, open) in asked {
                let now = Timestamp::now();
                let round = connection.session(true)?.status(open, now)?;
                see(&connection.api, &round)?;
                if round.calls.iter().any(|call| matches!(call.outcome, CallOutcome::BadKey(_))) {
                    return Ok(ReviewsEnd::BadKey);
                }
                is_against |= round.seen.iter().any(StatusSeen::is_against);
                is_unknown |= !round.unknown.is_empty() || round.is_unfollowed();
                *open = round.open(open);
                let next = round.pause(now, since.elapsed());
                pause = Some(pause.map_or(next, |pause| pause.min(next)));
            }
        }
        Ok(match () {
            () if is_against => ReviewsEnd::Against,
            () if is_unknown => ReviewsEnd::NotEnded,
            () => ReviewsEnd::Ended,
        })
    }

    fn sleep(&self, time: Duration) {
        let since = Instant::now();
        while !(self.is_stopped)() {
            let Some(left) = time.checked_sub(since.elapsed()).filter(|left| !left.is_zero()) else { return };
            std::thread::sleep(left.min(NOTICE));
        }
    }
}

impl Progress {
    /// Notes whether the next draft would fail as this one did.
    fn note(&mut self, sent: &Result<CallOutcome>) {
        let is_unsent =
            matches!(sent, Ok(CallOutcome::NotFinished { .. }) | Err(CallError::Unreachable { .. }));
        self.unsent = if is_unsent { self.unsent + 1 } else { 0 };
        self.left = match sent {
            Ok(CallOutcome::BadKey(_))
            | Err(CallError::MissingKey { .. } | CallError::Login { .. } | CallError::Key(_)) => {
                Some("the key is missing or was not accepted")
            }
            Ok(CallOutcome::Limited { .. }) => Some("there were too many requests"),
            Err(CallError::History(_) | CallError::Unrecorded { .. }) => Some("the run could not go on"),
            _ if self.unsent >= MAX_UNSENT => Some("several drafts in a row were not sent"),
            _ => None,
        };
    }
}
