//! `tollproof submit`: checks drafts, and submits each at most once.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};
use tollproof_core::Parsed;
use tollproof_history::{Access, AttemptOperation, Location};
use tollproof_online::{AcceptedBy, CallError, CallOutcome, Campaign, callable_providers};
use tollproof_project::Session;

use super::online::{
    Call, CheckedDrafts, DraftToSend, FindingsOutput, Interrupt, ProviderConnection, confirmed, end_calls,
    gate_options, gravest, locations_of, open_api, open_connection, open_session, print_requests,
    read_drafts,
};
use crate::args::{Color, PrintFormat, SendArgs, SubmitArgs};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::stderr::{self, say};
use crate::terminal::{count, one_line};

/// From how many drafts on a bar shows how far the run is.
const MANY: usize = 4;

pub(super) fn run(args: &SubmitArgs, color: Color, out: &mut dyn Write) -> Result<Exit, Failure> {
    let send = &args.send;
    let session = open_session(send)?;
    let findings = FindingsOutput { color, redact: send.draft.redact };
    let CheckedDrafts { drafts, is_incomplete } = read_drafts(&session, &args.drafts, findings)?;
    let (drafts, updates): (Vec<_>, Vec<_>) = drafts.into_iter().partition(|it| it.kind.is_submit());
    for update in &updates {
        let name = one_line(&update.name);
        say(&format!("note: `{name}` is an update request, and was skipped; use `tollproof update`"));
    }
    if drafts.is_empty() {
        return match is_incomplete {
            true => Ok(Exit::Unable),
            false => Err(Failure::new("nothing to submit: no submit request was found")),
        };
    }
    if send.draft.number.is_some() && drafts.len() > 1 {
        return Err(Failure::new("`--number` is for one draft; name a file with one draft"));
    }
    if send.dry_run {
        return dry_run(&drafts, send, out);
    }
    let mut run = SubmitRun::open(&drafts, send, &session)?;
    let ready = drafts.iter().filter(|it| it.errors.is_empty()).count();
    if ready > 0 && !run.is_confirmed(&drafts, ready, send)? {
        return Ok(Exit::Unable);
    }
    let interrupt = Interrupt::on_ctrl_c()?;
    let mut calls = run.send(&drafts, &session, send, findings, &interrupt)?;
    let exit = end_calls(&mut run.connections, &mut calls, send, &interrupt, out)?;
    Ok(gravest([Some(exit), is_incomplete.then_some(Exit::Unable)].into_iter().flatten()))
}

/// Prints the requests of drafts without errors.
fn dry_run(drafts: &[DraftToSend], args: &SendArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut is_refused = false;
    for draft in drafts {
        if !draft.errors.is_empty() {
            let name = one_line(&draft.name);
            say(&format!("`{name}` has errors, and would not be sent"));
            is_refused = true;
            continue;
        }
        let api = open_api(draft.kind.provider(), &args.online)?;
        let parsed = Parsed::of(&draft.source, None);
        print_requests(&api, draft, &parsed, args, None, out)?;
    }
    Ok(if is_refused { Exit::Findings } else { Exit::Clean })
}

/// The providers of a run, each with its history.
struct SubmitRun {
    connections: Vec<ProviderConnection>,
    /// The histories of the connections.
    locations: Vec<Vec<Location>>,
    /// The connection of each draft.
    of_drafts: Vec<usize>,
}

impl SubmitRun {
    /// Opens the providers and histories of all drafts, before anything is sent.
    fn open(drafts: &[DraftToSend], args: &SendArgs, session: &Session) -> Result<Self, Failure> {
        let mut run = Self { connections: Vec::new(), locations: Vec::new(), of_drafts: Vec::new() };
        for draft in drafts {
            let provider = draft.kind.provider();
            let locations = locations_of(draft, session, args)?;
            let known = run.connections.iter().zip(&run.locations);
            let mut known = known.map(|(it, of)| it.api.provider() == provider && *of == locations);
            let at = match known.position(|is_it| is_it) {
                Some(at) => at,
                None => {
                    if !callable_providers().any(|it| it == provider.name()) {
                        let name = one_line(&draft.name);
                        return Err(Failure::new(format_args!(
                            "`{name}` is a draft for {}, whose API tollproof cannot call; use `tollproof gate`",
                            provider.title()
                        )));
                    }
                    run.connections.push(open_connection(
                        provider,
                        &args.online,
                        &locations,
                        Access::Create,
                    )?);
                    run.locations.push(locations);
                    run.connections.len() - 1
                }
            };
            run.of_drafts.push(at);
        }
        Ok(run)
    }

    /// Asks whether to submit the drafts without errors.
    fn is_confirmed(&self, drafts: &[DraftToSend], ready: usize, args: &SendArgs) -> Result<bool, Failure> {
        let mut about = Vec::new();
        for (at, connection) in self.connections.iter().enumerate() {
            let own = self.of_drafts.iter().zip(drafts).filter(|(of, it)| **of == at && it.errors.is_empty());
            let own = own.count();
            if own == 0 {
                continue;
            }
            let fee = connection.api.fee().map(|fee| format!("; {fee}")).unwrap_or_default();
            about.push(format!("To submit to {}: {}{fee}", connection.place(), count(own, "draft")));
        }
        confirmed(&about, &format!("Submit {}?", count(ready, "draft")), args.yes)
    }

    /// Sends the drafts without errors, one after the other.
    fn send(
        &mut self,
        drafts: &[DraftToSend],
        session: &Session,
        args: &SendArgs,
        findings: FindingsOutput,
        interrupt: &Interrupt,
    ) -> Result<Vec<Call>, Failure> {
        let mut calls = Vec::new();
        let mut campaigns: Vec<Campaign> = self.connections.iter().map(|_| Campaign::default()).collect();
        let bar = progress_bar(drafts.len());
        for (draft, &at) in drafts.iter().zip(&self.of_drafts) {
            let connection = &mut self.connections[at];
            let number = args.draft.number.as_deref().unwrap_or(&draft.number).to_owned();
            if interrupt.is_set() {
                campaigns.iter_mut().for_each(|campaign| campaign.stop("the run was stopped"));
            }
            let outcome = if !draft.errors.is_empty() {
                CallOutcome::RefusedByGate { rules: draft.errors.clone(), decision: None, text: None }
            } else if let Some(left) = campaigns[at].left() {
                left
            } else {
                let sent =
                    submit(connection, &mut campaigns[at], draft, session, args, findings, bar.as_ref());
                // Without the history or the settings, nothing more can be sent; what was sent is still shown.
                sent.unwrap_or_else(|failure| {
                    campaigns.iter_mut().for_each(|campaign| campaign.stop("the run could not go on"));
                    stderr::fail(&failure.plain());
                    CallOutcome::Failed(Box::new(CallError::Usage("the run could not go on".to_owned())))
                })
            };
            let call = Call::new(&connection.api, AttemptOperation::Submission, &number, outcome);
            let call = call.of_file(&draft.name);
            calls.push(call);
            bar.iter().for_each(|bar| bar.inc(1));
        }
        bar.iter().for_each(ProgressBar::finish_and_clear);
        Ok(calls)
    }
}

/// Submits one draft, and prints what people need to know of a refusal.
fn submit(
    connection: &mut ProviderConnection,
    campaign: &mut Campaign,
    draft: &DraftToSend,
    session: &Session,
    args: &SendArgs,
    findings: FindingsOutput,
    bar: Option<&ProgressBar>,
) -> Result<CallOutcome, Failure> {
    let parsed = Parsed::of(&draft.source, None);
    let linter = session.linter_of(&draft.config, &draft.file)?;
    let waits = args.wait.wait.is_some();
    let read = |name: &str| draft.read_file(name);
    let mut calls = connection.session(waits)?.with_files(&read).sending_again(args.draft.again);
    let options = gate_options(session, draft, args)?;
    let outcome = campaign.submit(&mut calls, &linter, &parsed, draft.hint, &options);
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return Ok(CallOutcome::Failed(Box::new(error))),
    };
    let said = || findings.say_outcome(session, &draft.file, &parsed, &connection.api, &outcome);
    match bar {
        Some(bar) => bar.suspend(said)?,
        None => said()?,
    }
    if let CallOutcome::Accepted(accepted) = &outcome
        && accepted.by == AcceptedBy::Answer
        && accepted.id.is_none()
        && args.print.output_format == PrintFormat::Full
    {
        say(
            "note: the provider did not show the id of the submission; `tollproof status` reads it once it can",
        );
    }
    Ok(outcome)
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
