//! `tollproof cancel`: withdraws a submission, after a question.

use std::io::Write;

use tollproof_core::NumberKey;
use tollproof_history::{Access, Query};
use tollproof_online::{CallOutcome, UpdateTarget, UpdateTargetFound};

use super::online::{
    ProviderConnection, WITHDRAWN, confirmed, exit_of, known_name, locations_here, of_outcome,
    open_connection, print_calls, provider_here,
};
use crate::args::CancelArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::output::calls::JsonCalls;
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line};

pub(super) fn run(args: &CancelArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let provider = provider_here(args.provider.provider)?;
    let mut connection =
        open_connection(provider, &args.online, &locations_here(&args.store)?, Access::Read)?;
    if args.gone {
        return note_gone(&mut connection, args);
    }
    let Some(deletes) = connection.api.cancels() else {
        let title = provider.title();
        return Err(Failure::new(format_args!(
            "{title} has no call to withdraw a submission, as far as is known; use its console"
        )));
    };
    let found = find(&mut connection, &args.name)?;
    let (number, outcome) = match found {
        UpdateTargetFound::Failed(outcome) => (String::new(), *outcome),
        UpdateTargetFound::Target(target) => {
            if target.is_approved && !args.approved {
                return Err(Failure::new(format_args!(
                    "submission {} of {} is approved, and its number could no longer send; use `--approved` to withdraw it",
                    one_line(&target.id),
                    one_line(&target.number)
                )));
            }
            if !is_confirmed(&connection, &target, deletes, args)? {
                return Ok(Exit::Unable);
            }
            let outcome = connection.session(false)?.cancel(&target)?;
            (target.number, outcome)
        }
    };
    if let CallOutcome::Refused(answered) | CallOutcome::BadKey(answered) = &outcome
        && !answered.message.is_empty()
    {
        say(&format!("{}: {}", provider.title(), one_line(&answered.message)));
    }
    let call = [of_outcome(&connection.api, None, &number, &outcome)];
    print_value(args.print.output_format, Look::PLAIN, out, &JsonCalls::new(&call), |out| {
        print_calls(&call, WITHDRAWN, out)
    })?;
    Ok(exit_of(call[0].result))
}

/// Notes that a submission was deleted elsewhere. Nothing is sent.
fn note_gone(connection: &mut ProviderConnection, args: &CancelArgs) -> Result<Exit, Failure> {
    let query = Query { numbers: vec![args.name.clone()], ids: vec![args.name.clone()] };
    let known = connection.past.look_up(&query)?.history;
    let Some(found) = known.of_id(&args.name).or(known.open(&args.name)) else {
        return Err(Failure::new(format_args!(
            "the history has no submission {}, or no open one of this number",
            one_line(&args.name)
        )));
    };
    let id = found.id.clone();
    let about = format!(
        "To note: {} does not have submission {} ({}) any more",
        connection.place(),
        one_line(&id),
        one_line(&found.status)
    );
    if !confirmed(&[about], "Have you seen that in its console?", args.yes)? {
        return Ok(Exit::Unable);
    }
    connection.session(false)?.note_gone(&id)?;
    say(&format!("submission {} is ended in the history; its number is free", one_line(&id)));
    Ok(Exit::Clean)
}

/// The submission with an id, or the last one of a number. Its record is fetched.
fn find(connection: &mut ProviderConnection, name: &str) -> Result<UpdateTargetFound, Failure> {
    let name = &known_name(connection, name)?;
    let query = Query { numbers: vec![name.to_owned()], ids: vec![name.to_owned()] };
    let known = connection.past.look_up(&query)?.history;
    let is_id = known.of_id(name).is_some();
    let is_number = !is_id && (NumberKey::of(name).is_e164() || known.of_number(name).next().is_some());
    let (id, number) = if is_number { (None, Some(name.as_str())) } else { (Some(name.as_str()), None) };
    Ok(connection.session(false)?.cancel_target(id, number)?)
}

fn is_confirmed(
    connection: &ProviderConnection,
    target: &UpdateTarget,
    deletes: bool,
    args: &CancelArgs,
) -> Result<bool, Failure> {
    let UpdateTarget { id, number, status, is_approved, .. } = target;
    let (id, number, status) = (one_line(id), one_line(number), one_line(status));
    let mut about =
        vec![format!("To withdraw at {}: submission {id} of {number} ({status})", connection.place())];
    if deletes {
        about.push("The provider deletes the submission. That cannot be undone.".to_owned());
    }
    if *is_approved {
        about.push("It is approved: its number can no longer send after that.".to_owned());
    }
    confirmed(&about, "Withdraw the submission?", args.yes)
}
