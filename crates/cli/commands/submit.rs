//! `tollproof submit`: checks drafts, and submits each at most once.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use tollproof_core::Parsed;
use tollproof_history::{Access, AttemptOperation};
use tollproof_online::{
    Accepted, AcceptedBy, CallError, CallOutcome, Campaign, ProviderConnection, callable_providers,
};
use tollproof_project::Session;

use super::online::{
    Call, CheckedDrafts, DraftToSend, FindingsOutput, Interrupt, confirmed, end_calls, gate_options, gravest,
    locations_of, open_api, open_connection, open_session, place, print_requests, read_drafts,
};
use crate::args::{Color, PrintFormat, SendArgs, SubmitArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::stderr::{self, say};
use crate::terminal::{count, one_line};

/// From how many drafts on a bar shows how far the run is.
const MANY: usize = 4;

pub(super) fn run(args: &SubmitArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let send = &args.send;
    let session = open_session(send)?;
    let findings = FindingsOutput { color, redact: send.draft.redact };
    let CheckedDrafts { drafts, is_incomplete } = read_drafts(&session, &args.drafts, findings)?;
    let (drafts, updates): (Vec<_>, Vec<_>) = drafts.into_iter().partition(|it| it.kind.is_submit());
    for update in &updates {
        let name = one_line(&update.name);
        say!("note: `{name}` is an update request, and was skipped; use `tollproof update`");
    }
    if drafts.is_empty() {
        return if is_incomplete {
            Ok(Exit::Unable)
        } else {
            Err(Failure::new("nothing to submit: no submit request was found"))
        };
    }
    if send.draft.number.is_some() && drafts.len() > 1 {
        return Err(Failure::new("`--number` is for one draft; name a file with one draft"));
    }
    if send.dry_run {
        return dry_run(&drafts, send, out);
    }
    let (mut connections, of_drafts) = connect(&drafts, send, &session)?;
    if !is_confirmed(&connections, &of_drafts, &drafts, send)? {
        return Ok(Exit::Unable);
    }
    let interrupt = Interrupt::on_ctrl_c()?;
    let mut calls = Vec::new();
    let bar = progress_bar(drafts.len());
    let mut campaign = Campaign { connections: &mut connections, is_stopped: &|| interrupt.is_set() };
    campaign.run(
        drafts.iter().zip(&of_drafts).map(|(draft, at)| (*at, draft.errors.as_slice())),
        |at, connection| {
            let sent = submit(connection, &drafts[at], &session, send, findings, bar.as_ref());
            // Without the history or the settings, nothing more can be sent; what was sent is still shown.
            sent.map_err(|failure| stderr::fail(&failure.plain())).ok()
        },
        |at, api, outcome| {
            let number = send.draft.number.as_ref().unwrap_or(&drafts[at].number);
            let call = Call::new(api, AttemptOperation::Submission, number, outcome);
            calls.push(call.of_file(&drafts[at].name));
            bar.iter().for_each(|bar| bar.inc(1));
        },
    );
    bar.iter().for_each(ProgressBar::finish_and_clear);
    let exit = end_calls(&mut connections, &mut calls, send, &interrupt, out)?;
    Ok(gravest([Some(exit), is_incomplete.then_some(Exit::Unable)].into_iter().flatten()))
}

/// Prints the requests of drafts without errors.
fn dry_run(drafts: &[DraftToSend], args: &SendArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut is_refused = false;
    for draft in drafts {
        if !draft.errors.is_empty() {
            let name = one_line(&draft.name);
            say!("`{name}` has errors, and would not be sent");
            is_refused = true;
            continue;
        }
        let api = open_api(draft.kind.provider(), &args.online)?;
        let parsed = Parsed::of(&draft.source, None);
        print_requests(&api, draft, &parsed, args, None, out)?;
    }
    Ok(if is_refused { Exit::Findings } else { Exit::Clean })
}

/// Opens the providers and histories of all drafts, before anything is sent. Returns the connection of each draft too.
fn connect(
    drafts: &[DraftToSend],
    args: &SendArgs,
    session: &Session,
) -> Result<(Vec<ProviderConnection>, Vec<usize>)> {
    let (mut connections, mut known, mut of_drafts) = (Vec::new(), Vec::new(), Vec::new());
    for draft in drafts {
        let provider = draft.kind.provider();
        let way = (provider, locations_of(draft, session, args)?);
        if let Some(at) = known.iter().position(|known| *known == way) {
            of_drafts.push(at);
            continue;
        }
        if !callable_providers().any(|name| name == provider.name()) {
            let name = one_line(&draft.name);
            return Err(failure!(
                "`{name}` is a draft for {}, whose API tollproof cannot call; use `tollproof gate`",
                provider.title()
            ));
        }
        of_drafts.push(connections.len());
        connections.push(open_connection(provider, &args.online, &way.1, Access::Create)?);
        known.push(way);
    }
    Ok((connections, of_drafts))
}

/// Asks whether to submit the drafts without errors, if there are any.
fn is_confirmed(
    connections: &[ProviderConnection],
    of_drafts: &[usize],
    drafts: &[DraftToSend],
    args: &SendArgs,
) -> Result<bool> {
    let (mut about, mut ready) = (Vec::new(), 0);
    for (at, ProviderConnection { api, .. }) in connections.iter().enumerate() {
        let own = of_drafts.iter().zip(drafts).filter(|(of, draft)| **of == at && draft.errors.is_empty());
        let own = own.count();
        if own > 0 {
            ready += own;
            let fee = api.fee().map(|fee| format!("; {fee}")).unwrap_or_default();
            about.push(format!("To submit to {}: {}{fee}", place(api), count(own, "draft")));
        }
    }
    Ok(ready == 0 || confirmed(&about, &format!("Submit {}?", count(ready, "draft")), args.yes)?)
}

/// Submits one draft, and prints what people need to know of a refusal.
fn submit(
    connection: &mut ProviderConnection,
    draft: &DraftToSend,
    session: &Session,
    args: &SendArgs,
    findings: FindingsOutput,
    bar: Option<&ProgressBar>,
) -> Result<Result<CallOutcome, CallError>> {
    let parsed = Parsed::of(&draft.source, None);
    let linter = session.linter_of(&draft.config, &draft.file)?;
    let waits = args.wait.wait.is_some();
    let read = |name: &str| draft.read_file(name);
    let mut calls = connection.session(waits)?.with_files(&read).sending_again(args.draft.again);
    let options = gate_options(session, draft, args)?;
    let outcome = match calls.submit(&linter, &parsed, draft.hint, &options) {
        Ok(outcome) => outcome,
        Err(error) => return Ok(Err(error)),
    };
    let said = || findings.say_outcome(session, &draft.file, &parsed, &connection.api, &outcome);
    match bar {
        Some(bar) => bar.suspend(said)?,
        None => said()?,
    }
    if let CallOutcome::Accepted(Accepted { by: AcceptedBy::Answer, id: None, .. }) = &outcome
        && args.print.output_format == PrintFormat::Full
    {
        say!(
            "note: the provider did not show the id of the submission; `tollproof status` reads it once it can"
        );
    }
    Ok(Ok(outcome))
}

/// A bar on the terminal, if there are many drafts.
fn progress_bar(drafts: usize) -> Option<ProgressBar> {
    if drafts < MANY || !stderr::is_terminal() {
        return None;
    }
    let bar = ProgressBar::new(drafts as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos} of {len} drafts, {eta} left") {
        bar.set_style(style);
    }
    Some(bar)
}
