//! `tollproof lsp`: serves an editor on standard input and output.

use std::io;

use tollproof_lsp::{ServerEnd, ServerOptions, serve};
use tollproof_project::{OpenHistories, SessionOptions};

use super::session;
use crate::args::{FactsArgs, LspArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::say_if_typed;
use crate::output::rule_url;

/// Serves the editor until it goes away. Standard output belongs to the protocol alone.
pub(super) fn run(args: &LspArgs) -> Result<Exit> {
    // An option that cannot be used is an error now, and not when the first draft is opened.
    let FactsArgs { facts, readings } = args.seen.clone();
    let first = session::options(&args.rules, &args.history, &args.time)?;
    let with_stored = move |options| SessionOptions {
        facts: facts.clone(),
        readings: readings.clone(),
        readings_lower_errors: true,
        histories: OpenHistories::NoProjectServers,
        ..options
    };
    let first = with_stored(first);
    session::open_with(first.clone())?;
    let (rules, history, time) = (args.rules.clone(), args.history.clone(), args.time.clone());
    let options = move || {
        let now = session::options(&rules, &history, &time);
        now.map(&with_stored).unwrap_or_else(|_| SessionOptions { now: first.now, ..first.clone() })
    };
    let options = ServerOptions { session: Box::new(options), rule_url, version: env!("CARGO_PKG_VERSION") };
    say_if_typed("an editor");
    match serve(options, io::stdin(), &mut io::stdout()) {
        Ok(ServerEnd::Shutdown) => Ok(Exit::Clean),
        Ok(ServerEnd::Disconnected) => Ok(Exit::Findings),
        Err(error) => Err(Failure::stdout(error)),
    }
}
