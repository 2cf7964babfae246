//! Parts that `submit` and `update` share: their beginning, and the final output.

use std::io::Write;

use tollproof_core::KindChoice;
use tollproof_history::{GateOptions, Location};
use tollproof_online::ProviderConnection;
use tollproof_project::{Session, SessionOptions, StoredFacts};

use super::calls::{Call, gravest, print as print_calls};
use super::connection::locations_here;
use super::drafts::DraftToSend;
use super::interrupt::Interrupt;
use super::waiting::wait_for_calls;
use crate::args::{PrintFormat, SendArgs};
use crate::commands::session;
use crate::counts::Exit;
use crate::errors::{Failure, Result};

/// A session with the rules, time and provider that the command line chooses.
pub(crate) fn open_session(args: &SendArgs) -> Result<Session> {
    let time = &args.draft.time;
    session::open_with(SessionOptions {
        linter: args.draft.rules.options(),
        kind: KindChoice { provider: args.provider.provider, role: None },
        notified_at: time.notified_at,
        now: Some(time.now().map_err(Failure::new)?),
        ..SessionOptions::default()
    })
}

/// The options of the gate for a draft, with what was seen of its pages.
pub(crate) fn gate_options(session: &Session, draft: &DraftToSend, args: &SendArgs) -> Result<GateOptions> {
    let StoredFacts { seen, readings } = session::read_stored(session, &draft.config)?;
    Ok(GateOptions {
        seen,
        readings,
        now: args.draft.time.now,
        notified_at: args.draft.time.notified_at,
        number: args.draft.number.clone(),
        ..GateOptions::default()
    })
}

/// The history of a draft: that of the command line, or that of its settings.
pub(crate) fn locations_of(draft: &DraftToSend, session: &Session, args: &SendArgs) -> Result<Vec<Location>> {
    match args.store.history.as_slice() {
        [] => Ok(session.locations(&draft.config)?),
        _ => locations_here(&args.store),
    }
}

/// Prints what became of the calls, and waits for their reviews if `--wait` asks for it.
pub(crate) fn end_calls(
    connections: &mut [ProviderConnection],
    calls: &mut [Call],
    args: &SendArgs,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Exit> {
    let mut exits: Vec<Exit> = calls.iter().map(Call::exit).collect();
    let format = args.print.output_format;
    if format == PrintFormat::Full {
        print_calls(calls, format, out)?;
    }
    if let Some(limit) = args.wait.wait {
        out.flush().map_err(Failure::stdout)?;
        exits.push(wait_for_calls(connections, calls, limit, interrupt, (format, out))?);
    }
    if format == PrintFormat::Json {
        print_calls(calls, format, out)?;
    }
    Ok(gravest(exits))
}
