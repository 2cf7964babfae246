//! Waits for reviews: asks often at first, later less often.

use std::io::Write;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};

use super::calls::exit_of;
use super::connection::ProviderConnection;
use super::interrupt::Interrupt;
use super::statuses::{AskedSubmission, StatusRound, lines};
use crate::args::{PrintFormat, WaitLimit};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::calls::{CallResult, JsonCall, ReviewOutcome};
use crate::output::stderr::say;
use crate::terminal::count;
use crate::terminal::filter::Filter;

/// How long to wait between two looks, by the age of the youngest submission.
const PAUSES: [(SignedDuration, Duration); 3] = [
    (SignedDuration::from_mins(10), Duration::from_secs(60)),
    (SignedDuration::from_hours(24), Duration::from_secs(15 * 60)),
    (SignedDuration::from_hours(72), Duration::from_secs(60 * 60)),
];

/// The pause for older submissions.
const LONGEST: Duration = Duration::from_secs(3 * 60 * 60);

/// Asks about submissions until their reviews have ended. `open` has the ids at each connection; `see` gets each answer.
///
/// Returns whether they ended well: refused if one was rejected or waits for an answer, unfinished after the limit.
pub(in crate::commands) fn wait(
    connections: &mut [ProviderConnection],
    mut open: Vec<Vec<String>>,
    limit: WaitLimit,
    interrupt: &Interrupt,
    see: &mut dyn FnMut(&StatusRound) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let since = Instant::now();
    let limit = limit.0.and_then(|it| Duration::try_from(it).ok());
    let (mut is_rejected, mut is_unknown) = (false, false);
    let reviews: usize = open.iter().map(Vec::len).sum();
    if reviews > 0 {
        say(&format!("Waiting for {}.", count(reviews, "review")));
    }
    let mut pause = None;
    while open.iter().any(|it| !it.is_empty()) {
        let left = limit.map(|it| it.saturating_sub(since.elapsed()));
        if let Some(pause) = pause {
            if left.is_some_and(|it| it.is_zero()) {
                return Ok(Exit::Unfinished);
            }
            interrupt.sleep(left.map_or(pause, |left| left.min(pause)));
        }
        if interrupt.is_set() {
            return Ok(Exit::Unfinished);
        }
        let mut next = LONGEST;
        for (connection, open) in connections.iter_mut().zip(&mut open).filter(|(_, open)| !open.is_empty()) {
            let now = Timestamp::now();
            let round = StatusRound::ask(connection, open, true, now)?;
            see(&round)?;
            if round.calls.iter().any(|it| it.result == CallResult::KeyRefused) {
                return Ok(Exit::Key);
            }
            let is_against = |it: &&AskedSubmission| {
                matches!(it.shown.outcome, ReviewOutcome::Rejected | ReviewOutcome::AnswerNeeded)
            };
            is_rejected |= round.seen.iter().any(|it| is_against(&it));
            is_unknown |= !round.unknown.is_empty();
            *open = still_open(open, &round);
            let waited = SignedDuration::try_from(since.elapsed()).unwrap_or(SignedDuration::MAX);
            next = round.seen.iter().map(|it| pause_for(it, now, waited)).fold(next, Duration::min);
        }
        pause = Some(next);
    }
    Ok(match () {
        () if is_rejected => Exit::Refused,
        () if is_unknown => Exit::Unfinished,
        () => Exit::Clean,
    })
}

/// The names to ask about again: the open submissions, and those about which the provider did not answer.
fn still_open(open: &[String], round: &StatusRound) -> Vec<String> {
    let mut still = round.open();
    if !round.calls.iter().all(|it| exit_of(it.result) == Exit::Clean) {
        let is_seen = |name: &str| {
            round.unknown.iter().any(|it| it == name)
                || round.seen.iter().any(|it| it.submission.id.eq_ignore_ascii_case(name))
        };
        still.extend(open.iter().filter(|it| !is_seen(it)).cloned());
    }
    still
}

/// The pause after a look at a submission: by its age, and so that the end of a time in its record is not missed.
fn pause_for(asked: &AskedSubmission, now: Timestamp, waited: SignedDuration) -> Duration {
    if asked.shown.outcome != ReviewOutcome::Open {
        return LONGEST;
    }
    let age = asked.submission.updated_at.map_or(waited, |it| now.duration_since(it));
    let until = asked.submission.edit_until.map(|it| it.duration_since(now));
    let until = until.filter(SignedDuration::is_positive).and_then(|it| Duration::try_from(it).ok());
    until.map_or_else(|| pause(age), |until| pause(age).min(until))
}

/// Waits for the reviews of submissions that were just sent. Their statuses are noted in `calls`, and printed for people.
pub(in crate::commands) fn wait_for_calls(
    connections: &mut [ProviderConnection],
    calls: &mut [JsonCall],
    limit: WaitLimit,
    interrupt: &Interrupt,
    (format, out): (PrintFormat, &mut dyn Write),
) -> Result<Exit, Failure> {
    let has_it =
        |it: &&JsonCall| matches!(it.result, CallResult::Done | CallResult::Found | CallResult::DoneEarlier);
    let open = connections.iter().map(|connection| {
        let (provider, host) = (connection.api.provider().name(), connection.api.address());
        let own = calls.iter().filter(has_it).filter(|it| it.provider == provider && it.host == host);
        own.filter_map(|it| it.id.clone().or(it.number.clone())).collect()
    });
    let open: Vec<Vec<String>> = open.collect();
    let mut out = Filter::screen(out);
    wait(connections, open, limit, interrupt, &mut |round| {
        for asked in &round.seen {
            for call in calls.iter_mut().filter(|it| it.id.as_deref() == Some(&asked.shown.id)) {
                call.status = Some(asked.shown.status.clone());
            }
            if format == PrintFormat::Full && asked.shown.outcome != ReviewOutcome::Open {
                writeln!(out, "{}", lines(&asked.shown))
                    .and_then(|()| out.flush())
                    .map_err(Failure::stdout)?;
            }
        }
        Ok(())
    })
}

fn pause(age: SignedDuration) -> Duration {
    PAUSES.iter().find(|(until, _)| age < *until).map_or(LONGEST, |(_, pause)| *pause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_submissions_are_asked_about_less_often() {
        let minutes = |age| pause(SignedDuration::from_mins(age)).as_secs() / 60;
        assert_eq!([0, 9, 10, 1439, 1440, 4320].map(minutes), [1, 1, 15, 15, 60, 180]);
    }
}
