//! Waits for reviews.

use std::io::Write;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tollproof_online::{CallOutcome, StatusRound};

use super::calls::Call;
use super::connection::ProviderConnection;
use super::interrupt::Interrupt;
use super::statuses::{lines, outcome, shown};
use crate::args::{PrintFormat, WaitLimit};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::calls::ReviewOutcome;
use crate::output::stderr::say;
use crate::terminal::count;
use crate::terminal::filter::Filter;

/// Asks about submissions until their reviews have ended. `open` has the ids at each connection; `see` gets each answer.
///
/// Returns whether they ended well: refused if one was rejected or waits for an answer, unfinished after the limit.
pub(in crate::commands) fn wait(
    connections: &mut [ProviderConnection],
    mut open: Vec<Vec<String>>,
    limit: WaitLimit,
    interrupt: &Interrupt,
    see: &mut dyn FnMut(&ProviderConnection, &StatusRound) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let since = Instant::now();
    let limit = limit.0.and_then(|limit| Duration::try_from(limit).ok());
    let (mut is_rejected, mut is_unknown) = (false, false);
    let reviews: usize = open.iter().map(Vec::len).sum();
    if reviews > 0 {
        say(&format!("Waiting for {}.", count(reviews, "review")));
    }
    let mut pause: Option<Duration> = None;
    while open.iter().any(|names| !names.is_empty()) {
        let left = limit.map(|limit| limit.saturating_sub(since.elapsed()));
        if let Some(pause) = pause.take() {
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(Exit::Unfinished);
            }
            interrupt.sleep(left.map_or(pause, |left| left.min(pause)));
        }
        if interrupt.is_set() {
            return Ok(Exit::Unfinished);
        }
        for (connection, open) in connections.iter_mut().zip(&mut open).filter(|(_, open)| !open.is_empty()) {
            let now = Timestamp::now();
            let round = connection.session(true)?.status(open, now)?;
            see(connection, &round)?;
            if round.calls.iter().any(|call| matches!(call.outcome, CallOutcome::BadKey(_))) {
                return Ok(Exit::Key);
            }
            is_rejected |= round.seen.iter().any(|seen| {
                matches!(outcome(&seen.submission), ReviewOutcome::Rejected | ReviewOutcome::AnswerNeeded)
            });
            is_unknown |= !round.unknown.is_empty();
            *open = round.open(open);
            let next = round.pause(now, since.elapsed());
            pause = Some(pause.map_or(next, |pause| pause.min(next)));
        }
    }
    Ok(match () {
        () if is_rejected => Exit::Refused,
        () if is_unknown => Exit::Unfinished,
        () => Exit::Clean,
    })
}

/// Waits for the reviews of submissions that were just sent. Their statuses are noted in `calls`, and printed for people.
pub(in crate::commands) fn wait_for_calls(
    connections: &mut [ProviderConnection],
    calls: &mut [Call],
    limit: WaitLimit,
    interrupt: &Interrupt,
    (format, out): (PrintFormat, &mut dyn Write),
) -> Result<Exit, Failure> {
    let open = connections.iter().map(|connection| {
        let (provider, host) = (connection.api.provider().name(), connection.api.address());
        let own = calls.iter().filter(|call| call.provider == provider && call.host == host);
        let accepted = own.filter_map(|call| match &call.outcome {
            CallOutcome::Accepted(accepted) => Some(accepted),
            _ => None,
        });
        accepted.map(|accepted| accepted.id.clone().unwrap_or_else(|| accepted.number.clone())).collect()
    });
    let open: Vec<Vec<String>> = open.collect();
    let mut out = Filter::screen(out);
    wait(connections, open, limit, interrupt, &mut |connection, round| {
        for seen in &round.seen {
            let accepted = calls.iter_mut().filter_map(|call| match &mut call.outcome {
                CallOutcome::Accepted(accepted) => Some(accepted),
                _ => None,
            });
            for accepted in accepted.filter(|accepted| accepted.id.as_deref() == Some(&seen.submission.id)) {
                accepted.status = Some(seen.submission.status.clone());
            }
            if format == PrintFormat::Full && !seen.is_waited_for() {
                writeln!(out, "{}", lines(&shown(&connection.api, seen)))
                    .and_then(|()| out.flush())
                    .map_err(Failure::stdout)?;
            }
        }
        Ok(())
    })
}
