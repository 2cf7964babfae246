//! `tollproof cancel`: withdraws a submission, after a question.

use std::io::Write;

use tollproof_history::{Access, AttemptOperation, Query};
use tollproof_online::{ProviderConnection, UpdateTarget};

use super::online::{Call, confirmed, locations_here, open_connection, place, provider_here, report_calls};
use crate::args::CancelArgs;
use crate::counts::Exit;
use crate::errors::{Result, failure};
use crate::output::stderr::say;
use crate::terminal::one_line;

pub(super) fn run(args: &CancelArgs, out: &mut dyn Write) -> Result<Exit> {
    let provider = provider_here(args.provider.provider)?;
    let mut connection =
        open_connection(provider, &args.online, &locations_here(&args.store)?, Access::Read)?;
    if args.gone {
        return note_gone(&mut connection, args);
    }
    let Some(deletes) = connection.api.cancels() else {
        let title = provider.title();
        return Err(failure!(
            "{title} has no call to withdraw a submission, as far as is known; use its console"
        ));
    };
    let found = connection.session(false)?.cancel_target(&args.name)?;
    let (number, outcome) = match found {
        Err(outcome) => (String::new(), *outcome),
        Ok(target) => {
            target.permit(AttemptOperation::Withdrawal, args.approved)?;
            if !is_confirmed(&connection, &target, deletes, args)? {
                return Ok(Exit::Unable);
            }
            let outcome = connection.session(false)?.changing_approved(args.approved).cancel(&target)?;
            (target.number, outcome)
        }
    };
    let call = Call::new(&connection.api, AttemptOperation::Withdrawal, &number, outcome);
    report_calls(&[call], args.print.output_format, out)
}

/// Notes that a submission was deleted elsewhere. Nothing is sent.
fn note_gone(connection: &mut ProviderConnection, args: &CancelArgs) -> Result<Exit> {
    let query = Query { numbers: vec![args.name.clone()], ids: vec![args.name.clone()] };
    let known = connection.past.look_up(&query)?.history;
    let Some(found) = known.of_id(&args.name).or(known.open(&args.name)) else {
        if note_unlisted(connection, args)? {
            return Ok(Exit::Clean);
        }
        return Err(failure!(
            "the history has no submission {}, or no open one of this number",
            one_line(&args.name)
        ));
    };
    let id = found.id.clone();
    let about = format!(
        "To note: {} does not have submission {} ({}) any more",
        place(&connection.api),
        one_line(&id),
        one_line(&found.status)
    );
    if !confirmed(&[about], "Have you seen that in its console?", args.yes)? {
        return Ok(Exit::Unable);
    }
    connection.session(false)?.note_gone(&id)?;
    say!("submission {} is ended in the history; its number is free", one_line(&id));
    Ok(Exit::Clean)
}

/// Notes that the provider does not have a submission that it took without a record. False if there is none.
fn note_unlisted(connection: &mut ProviderConnection, args: &CancelArgs) -> Result<bool> {
    let place = place(&connection.api);
    let Some(unlisted) = connection.session(false)?.unlisted_of(&args.name)? else { return Ok(false) };
    let about = format!("To note: {place} does not have the submission of {}", one_line(&unlisted.number));
    if confirmed(&[about], "Have you seen that in its console?", args.yes)? {
        let store = connection.past.store()?;
        let now = store.now()?;
        store.disown(&unlisted.token, "a person found that the provider does not have it", now)?;
        say!("the submission is ended in the history; its number is free");
    }
    Ok(true)
}

fn is_confirmed(
    connection: &ProviderConnection,
    target: &UpdateTarget,
    deletes: bool,
    args: &CancelArgs,
) -> Result<bool> {
    let UpdateTarget { id, number, status, is_approved, .. } = target;
    let (id, number, status) = (one_line(id), one_line(number), one_line(status));
    let mut about =
        vec![format!("To withdraw at {}: submission {id} of {number} ({status})", place(&connection.api))];
    if deletes {
        about.push("The provider deletes the submission. That cannot be undone.".to_owned());
    }
    if *is_approved {
        about.push("It is approved: its number can no longer send after that.".to_owned());
    }
    confirmed(&about, "Withdraw the submission?", args.yes)
}
