//! The connection is cut at bytes of the request and of the answer: nothing is lost, and nothing is sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::walk::accounts::account_of;
use crate::walk::cutter::{Cut, Cutter};
use crate::walk::{ApiWalk, PROVIDERS};
use tollproof_online::CallOutcome;
use tollproof_sandbox::{Sandbox, SandboxOptions};

/// The threads that cut the connections of one provider at the same time.
const THREADS: usize = 4;

/// The longest time of a request, also on a machine under load.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most tries of a submission.
const TRIES: usize = 20;

/// Number of bytes between two cuts; `TOLLPROOF_CUT_EVERY=1` cuts at every byte.
fn every(default: usize) -> usize {
    std::env::var("TOLLPROOF_CUT_EVERY").ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// Submits a number over a connection that is cut, and goes on. Returns how many bytes there are to cut.
fn submit_cut(provider: &str, sandbox: &Arc<Sandbox>, number: &str, cut: Cut) -> usize {
    let name = format!("tollproof-cut-{}-{provider}-{}.db", std::process::id(), &number[2..]);
    let store = std::env::temp_dir().join(name);
    let cutter = Cutter::start(sandbox.address(), cut);
    let address = format!("http://{}", cutter.address);
    let walk = ApiWalk::at(provider, Arc::clone(sandbox), &address, store, PATIENCE);
    walk.own(number, account_of(provider));
    let draft = walk.draft(number);
    let first = walk.try_submit(&draft, false);
    let is_known = |result: &Result<CallOutcome, String>| match result {
        Ok(CallOutcome::Accepted(_) | CallOutcome::Unknown { .. } | CallOutcome::NotFinished { .. }) => true,
        Ok(_) => false,
        Err(error) => error.contains("could not be reached"),
    };
    assert!(is_known(&first), "{provider} {cut:?}: {first:?}");
    let is_settled =
        |outcome: &_| matches!(outcome, Ok(CallOutcome::Accepted(_))) && walk.history().len() == 1;
    let mut then = first;
    for _ in 0..TRIES {
        if is_settled(&then) {
            break;
        }
        then = walk.try_submit(&draft, true);
    }
    assert!(is_settled(&then), "{provider} {cut:?}: {then:?}, history {:?}", walk.history());
    let of_number = walk.filings(number);
    assert_eq!(of_number, 1, "{provider} {cut:?}: submissions of {number} after {then:?}");
    cutter.seen.load(Ordering::Relaxed)
}

fn cut_everywhere(provider: &str, is_request: bool, step: usize) {
    let sandbox = Arc::new(Sandbox::start(SandboxOptions::default()).expect("it starts"));
    let next = AtomicUsize::new(0);
    let whole = AtomicUsize::new(usize::MAX);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let after = at * step;
                    if after > whole.load(Ordering::Relaxed) {
                        return;
                    }
                    let area = if is_request { 855 } else { 866 };
                    let number = format!("+1{area}555{at:04}");
                    let cut = if is_request { Cut::Request(after) } else { Cut::Answer(after) };
                    let seen = submit_cut(provider, &sandbox, &number, cut);
                    whole.store(seen, Ordering::Relaxed);
                }
            });
        }
    });
    assert!(next.load(Ordering::Relaxed) > THREADS, "{provider}: nothing was cut");
}

#[test]
fn a_connection_is_cut_at_every_byte() {
    for is_request in [true, false] {
        cut_everywhere("twilio", is_request, every(604));
    }
}

#[test]
fn connections_of_other_providers_are_cut() {
    std::thread::scope(|scope| {
        for provider in PROVIDERS.into_iter().filter(|provider| !matches!(*provider, "twilio" | "aws")) {
            for is_request in [true, false] {
                scope.spawn(move || cut_everywhere(provider, is_request, every(1588)));
            }
        }
    });
}
