//! Waits for reviews.

use std::io::Write;
use std::time::Duration;

use tollproof_online::{Api, CallOutcome, Campaign, ProviderConnection, ReviewsEnd, StatusRound};

use super::calls::Call;
use super::interrupt::Interrupt;
use super::statuses::{lines, shown};
use crate::args::{PrintFormat, WaitLimit};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::stderr::say;
use crate::terminal::count;
use crate::terminal::filter::Filter;

/// Asks about submissions until their reviews have ended. `open` has the ids at each connection; `see` gets each answer.
///
/// Returns whether they ended well: refused if one was rejected or waits for an answer, unfinished after the limit.
pub(crate) fn wait(
    connections: &mut [ProviderConnection],
    open: Vec<Vec<String>>,
    limit: WaitLimit,
    interrupt: &Interrupt,
    see: impl FnMut(&Api, &StatusRound) -> Result<()>,
) -> Result<Exit> {
    let reviews: usize = open.iter().map(Vec::len).sum();
    if reviews > 0 {
        say!("Waiting for {}.", count(reviews, "review"));
    }
    let limit = limit.0.and_then(|limit| Duration::try_from(limit).ok());
    let mut campaign = Campaign { connections, is_stopped: &|| interrupt.is_set() };
    Ok(match campaign.wait(open, limit, see)? {
        ReviewsEnd::Ended => Exit::Clean,
        ReviewsEnd::Against => Exit::Refused,
        ReviewsEnd::NotEnded => Exit::Unfinished,
        ReviewsEnd::BadKey => Exit::Key,
    })
}

/// Waits for the reviews of submissions that were just sent. Their statuses are noted in `calls`, and printed for people.
pub(crate) fn wait_for_calls(
    connections: &mut [ProviderConnection],
    calls: &mut [Call],
    limit: WaitLimit,
    interrupt: &Interrupt,
    (format, out): (PrintFormat, &mut dyn Write),
) -> Result<Exit> {
    let open = connections.iter().map(|connection| {
        let (provider, host) = (connection.api.provider(), connection.api.address());
        let own = calls.iter().filter(|call| call.provider == provider && call.host == host);
        let accepted = own.filter_map(|call| match &call.outcome {
            CallOutcome::Accepted(accepted) => Some(accepted),
            _ => None,
        });
        accepted.map(|accepted| accepted.id.clone().unwrap_or_else(|| accepted.number.clone())).collect()
    });
    let open: Vec<Vec<String>> = open.collect();
    let mut out = Filter::screen(out);
    wait(connections, open, limit, interrupt, |api, round| {
        for seen in &round.seen {
            let accepted = calls.iter_mut().filter_map(|call| match &mut call.outcome {
                CallOutcome::Accepted(accepted) => Some(accepted),
                _ => None,
            });
            for accepted in accepted.filter(|accepted| accepted.id.as_deref() == Some(&seen.submission.id)) {
                accepted.status = Some(seen.submission.status.clone());
            }
            if format == PrintFormat::Full && !seen.is_waited_for() {
                writeln!(out, "{}", lines(&shown(api, seen)))
                    .and_then(|()| out.flush())
                    .map_err(Failure::stdout)?;
            }
        }
        Ok(())
    })
}
