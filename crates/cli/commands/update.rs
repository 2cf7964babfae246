//! `tollproof update`: sends a draft as an update of its submission.

use std::io::Write;

use tollproof_core::{Format, Parsed, Source};
use tollproof_history::{Access, AttemptOperation, GateOptions};
use tollproof_online::{CallOutcome, ProviderConnection, UpdateTarget, UpdateText};
use tollproof_project::Session;

use super::online::{
    Call, CheckedDrafts, DraftToSend, FindingsOutput, Interrupt, confirmed, end_calls, gate_options,
    locations_of, open_api, open_connection, open_session, place, print_requests, read_drafts,
};
use crate::args::{Color, SendArgs, UpdateArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::stderr::say;
use crate::terminal::one_line;

pub(super) fn run(args: &UpdateArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    let send = &args.send;
    let session = open_session(send)?;
    let findings = FindingsOutput { color, redact: send.draft.redact };
    let paths = [args.file.clone()];
    let CheckedDrafts { mut drafts, is_incomplete } = read_drafts(&session, &paths, findings)?;
    let Some(draft) = drafts.pop().filter(|_| drafts.is_empty()) else {
        if is_incomplete {
            return Ok(Exit::Unable);
        }
        return Err(Failure::new("an update sends one draft; name a file with one draft"));
    };
    let written = Parsed::of(&draft.source, None);
    let id = submission_id(args, &draft, &written);
    let changed = without_fixed_fields(&session, &draft, &written)?;
    let parsed = changed.as_ref().map_or(written, |source| Parsed::of(source, Some(Format::Json)));
    if send.dry_run {
        return dry_run(send, &draft, &parsed, id.as_deref(), out);
    }
    if !draft.errors.is_empty() {
        say!("The draft has errors, and was not sent.");
        return Ok(Exit::Findings);
    }
    let locations = locations_of(&draft, &session, send)?;
    let mut connection = open_connection(draft.kind.provider(), &send.online, &locations, Access::Create)?;
    let number = send.draft.number.clone().unwrap_or_else(|| draft.number.clone());
    let outcome = update(&mut connection, args, &draft, &parsed, &session, id.as_deref(), &number)?;
    let Some(outcome) = outcome else { return Ok(Exit::Unable) };
    findings.say_outcome(&session, &draft.file, &parsed, &connection.api, &outcome)?;
    let call = Call::new(&connection.api, AttemptOperation::Update, &number, outcome).of_file(&draft.name);
    let connections = std::slice::from_mut(&mut connection);
    end_calls(connections, &mut [call], send, &Interrupt::default(), out)
}

/// The id that the command line, the draft or the settings name.
fn submission_id(args: &UpdateArgs, draft: &DraftToSend, parsed: &Parsed<'_>) -> Option<String> {
    let declared = || {
        let document = parsed.only()?;
        document.document().declared().record.map(|(id, _)| id.to_owned())
    };
    let set = || draft.config.record_of(draft.file.place()).map(str::to_owned);
    args.id.clone().or_else(declared).or_else(set)
}

/// The draft as an update: of a submit request, without the fields that are set once. `None` if it is one as it is.
fn without_fixed_fields(
    session: &Session,
    draft: &DraftToSend,
    parsed: &Parsed<'_>,
) -> Result<Option<Source<'static>>> {
    let linter = session.linter_of(&draft.config, &draft.file)?;
    let Some(update) = UpdateText::of(&linter, parsed, draft.hint) else { return Ok(None) };
    let names = update.left_out.iter().map(|name| one_line(name)).collect::<Vec<_>>().join(", ");
    say!("note: left out of the update, because only a submission has them: {names}");
    Ok(Some(Source::new(format!("{} (as an update)", draft.name), update.text)))
}

fn dry_run(
    args: &SendArgs,
    draft: &DraftToSend,
    parsed: &Parsed<'_>,
    id: Option<&str>,
    out: &mut dyn Write,
) -> Result<Exit> {
    if !draft.errors.is_empty() {
        say!("The draft has errors, and would not be sent.");
        return Ok(Exit::Findings);
    }
    let api = open_api(draft.kind.provider(), &args.online)?;
    print_requests(&api, draft, parsed, args, Some(id.unwrap_or("SUBMISSION_ID")), out)?;
    Ok(Exit::Clean)
}

/// Finds the submission, asks where the update may cost an approval, and sends it. `None` if the answer was no.
fn update(
    connection: &mut ProviderConnection,
    update: &UpdateArgs,
    draft: &DraftToSend,
    parsed: &Parsed<'_>,
    session: &Session,
    id: Option<&str>,
    number: &str,
) -> Result<Option<CallOutcome>> {
    let args = &update.send;
    let number = Some(number).filter(|number| !number.is_empty());
    let target = match connection.session(false)?.update_target(id, number)? {
        Ok(target) => target,
        Err(outcome) => return Ok(Some(*outcome)),
    };
    target.permit(AttemptOperation::Update, update.approved)?;
    if !is_confirmed(connection, &target, args)? {
        return Ok(None);
    }
    let linter = session.linter_of(&draft.config, &draft.file)?;
    // The number names the submission, and is not reserved.
    let plan = GateOptions { number: None, ..gate_options(session, draft, args)? };
    let waits = args.wait.wait.is_some();
    let read = |name: &str| draft.read_file(name);
    let mut calls = connection.session(waits)?.with_files(&read).sending_again(args.draft.again);
    calls = calls.changing_approved(update.approved);
    Ok(Some(calls.update(&linter, parsed, draft.hint, &plan, &target)?))
}

fn is_confirmed(connection: &ProviderConnection, target: &UpdateTarget, args: &SendArgs) -> Result<bool> {
    let UpdateTarget { id, number, status, is_approved, .. } = target;
    let (id, number, status) = (one_line(id), one_line(number), one_line(status));
    let about = format!("To update at {}: submission {id} of {number} ({status})", place(&connection.api));
    if !is_approved {
        say!("{about}");
        return Ok(true);
    }
    let warning =
        "It is approved. After a change it is reviewed again, and can lose the approval.".to_owned();
    confirmed(&[about, warning], "Update the approved submission?", args.yes)
}
