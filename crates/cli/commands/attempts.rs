//! `tollproof attempts`: what was sent, and what a person says of it who looked in the provider's console.

use std::io::{self, Write};

use jiff::Timestamp;
use tollproof_core::{Format, NumberKey, Parsed, Provider, Source, role};
use tollproof_history::{Access, Attempt, AttemptOperation, AttemptState, HistorySet, Query, Store};
use tollproof_online::{attempted_number, bought, resolve_purchase};

use super::online::{confirmed, locations_here, open_store};
use crate::args::{AttemptListArgs, AttemptsArgs, AttemptsStep, ResolveArgs, ReviewEnd};
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};
use crate::output::calls::{JsonAttempt, JsonAttempts, VERSION};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line};

/// The length of a token in a list: enough to identify an attempt.
const SHOWN: usize = 12;

pub(super) fn run(args: &AttemptsArgs, out: &mut dyn Write) -> Result<Exit> {
    match &args.step {
        None => list(&args.list, out),
        Some(AttemptsStep::List(args)) => list(args, out),
        Some(AttemptsStep::Resolve(args)) => resolve(args),
    }
}

fn list(args: &AttemptListArgs, out: &mut dyn Write) -> Result<Exit> {
    let host = args.online.history_host().map_err(Failure::new)?;
    let mut past = open_store(&locations_here(&args.store)?, host, Access::Read)?;
    let mut attempts = past.store()?.attempts()?;
    attempts.retain(|attempt| {
        let is_of_provider = args.provider.is_none_or(|provider| attempt.provider == provider.name());
        is_of_provider && (!args.open || attempt.state.is_open())
    });
    let attempts: Vec<JsonAttempt> = attempts.into_iter().map(shown).collect();
    let value = JsonAttempts { version: VERSION, attempts: &attempts };
    print_value(args.print.output_format, Look::PLAIN, out, &value, |out| {
        if attempts.is_empty() {
            say!("The history has no such attempts at this server. `--sandbox` shows those of a sandbox.");
        }
        attempts.iter().try_for_each(|attempt| line(attempt, out))
    })?;
    Ok(Exit::Clean)
}

fn shown(attempt: Attempt) -> JsonAttempt {
    let number = attempted_number(&attempt);
    JsonAttempt {
        token: attempt.token,
        operation: attempt.operation.name(),
        state: attempt.state.name(),
        provider: attempt.provider,
        host: attempt.address,
        number: Some(number).filter(|it| !it.is_empty()),
        id: attempt.id,
        created_at: attempt.created_at.to_string(),
        sent_at: attempt.sent_at.map(|it| it.to_string()),
        reason: attempt.why,
    }
}

fn line(attempt: &JsonAttempt, out: &mut dyn Write) -> io::Result<()> {
    let token: String = attempt.token.chars().take(SHOWN).collect();
    let number = one_line(attempt.number.as_deref().unwrap_or("-"));
    let time = attempt.created_at.split('.').next().unwrap_or_default().trim_end_matches('Z');
    let more = attempt.id.as_deref().or(attempt.reason.as_deref()).unwrap_or_default();
    let (operation, state, provider) = (attempt.operation, words(attempt.state), one_line(&attempt.provider));
    let line =
        format!("{token}  {time}Z  {provider:9}  {operation:6}  {number:14}  {state:9}  {}", one_line(more));
    writeln!(out, "{}", line.trim_end())
}

/// A state in words: what was sent and not answered is unknown.
fn words(state: &'static str) -> &'static str {
    if state == AttemptState::Sent.name() { "unknown" } else { state }
}

fn resolve(args: &ResolveArgs) -> Result<Exit> {
    let host = args.online.history_host().map_err(Failure::new)?;
    let mut past = open_store(&locations_here(&args.store)?, host, Access::Read)?;
    let attempt = past.store()?.attempt(&args.token)?.ok_or_else(|| {
        let token = one_line(&args.token);
        failure!("the history contains no attempt `{token}`; `tollproof attempts` lists them")
    })?;
    let now = past.store()?.now()?;
    expect_resolvable(&mut past, &attempt, args, now)?;
    let store = past.store()?;
    let rest = attempt.state == AttemptState::Prepared && !bought(&attempt).is_empty();
    let (about, question) = question_of(&attempt, args, rest);
    if !confirmed(&[about], question, args.yes)? {
        return Ok(Exit::Unable);
    }
    if let Some(end) = args.ended {
        note_end(store, &attempt, args.arrived.as_deref(), outcome_of(end), now)?;
        say!("Noted.");
        return Ok(Exit::Clean);
    }
    end(store, &attempt, args.arrived.as_deref(), now)?;
    match (&args.arrived, attempt.operation) {
        (Some(_), AttemptOperation::Submission) => say!(
            "Noted. The number stays reserved until the record is in the history: run `tollproof status`, or `tollproof \
             history import`."
        ),
        (Some(_), _) => say!("Noted."),
        (None, _) if rest => say!("Noted. What was bought stays."),
        (None, AttemptOperation::Submission) if is_unfinished(&attempt) => say!(
            "Noted. If its first steps left a draft that has the number, remove that in the console before you send it again."
        ),
        (None, _) => say!("Noted. It can be sent again."),
    }
    Ok(Exit::Clean)
}

/// Refuses what cannot be said of an attempt.
fn expect_resolvable(
    past: &mut HistorySet,
    attempt: &Attempt,
    args: &ResolveArgs,
    now: Timestamp,
) -> Result<()> {
    let (number, what) = (one_line(&attempted_number(attempt)), noun(attempt.operation));
    let is_unlisted = past.store()?.unrecorded()?.iter().any(|unlisted| unlisted.token == attempt.token);
    if !attempt.state.is_open() && !is_unlisted && args.nothing_arrived {
        let state = attempt.state.name();
        return Err(failure!(
            "the {what} of {number} is {state} already; only an attempt with an unknown outcome can be resolved"
        ));
    }
    if args.arrived.is_some() && args.ended.is_none() && is_unfinished(attempt) {
        return Err(failure!(
            "the {what} of {number} is not finished: its last request was not sent from here. Run the command that \
             began it again: it looks in the account first, and goes on from there"
        ));
    }
    let (wanted, named) =
        (NumberKey::of(&attempted_number(attempt)), args.arrived.as_deref().map(NumberKey::of));
    if what == "purchase" && wanted.is_e164() && named.is_some_and(|named| named.is_e164() && named != wanted)
    {
        return Err(failure!(
            "the purchase that is unknown is that of {number}; look for this number in the console"
        ));
    }
    if args.ended.is_some() {
        expect_reviewed(attempt, args)?;
    }
    if let Some(id) = &args.arrived {
        expect_arrived(past, attempt, id, is_unlisted)?;
    }
    // A request that is on its way may still arrive.
    let may_be_sent = attempt.state.is_open() && now < attempt.until && !attempt.is_held_too_long(now);
    if may_be_sent && (args.nothing_arrived || args.ended.is_some()) {
        return Err(failure!(
            "another program may be sending the {what} of {number}; try again after {:.0}",
            attempt.until
        ));
    }
    Ok(())
}

/// Refuses the end of a review of what is not known to have arrived.
fn expect_reviewed(attempt: &Attempt, args: &ResolveArgs) -> Result<()> {
    let what = noun(attempt.operation);
    if attempt.operation != AttemptOperation::Submission {
        return Err(failure!("{what}s have no review; `--ended` is for submissions"));
    }
    let has_arrived = match attempt.state {
        AttemptState::Accepted => true,
        AttemptState::Sent => args.arrived.is_some(),
        AttemptState::Prepared | AttemptState::Refused | AttemptState::Withdrawn => false,
    };
    if has_arrived {
        return Ok(());
    }
    let number = one_line(&attempt.number);
    Err(failure!(
        "the submission of {number} is not known to have arrived, so it has no review; `tollproof status` looks for it, and `--arrived \
         ID` notes the id that the console shows"
    ))
}

/// Refuses an id that is not that of what the attempt made.
fn expect_arrived(past: &mut HistorySet, attempt: &Attempt, id: &str, is_unlisted: bool) -> Result<()> {
    let (number, what) = (one_line(&attempted_number(attempt)), noun(attempt.operation));
    if attempt.state == AttemptState::Refused {
        return Err(failure!("the provider refused the {what} of {number}, so nothing of it arrived"));
    }
    let known = past.look_up(&Query { numbers: Vec::new(), ids: vec![id.to_owned()] })?.history;
    let numbers = known.of_id(id).map(|known| known.numbers.clone()).unwrap_or_default();
    let own = NumberKey::of(&attempt.number);
    let numbers: Vec<NumberKey> = numbers.iter().map(|number| NumberKey::of(number)).collect();
    let is_comparable = numbers.iter().any(|number| number.is_e164() == own.is_e164());
    if what == "submission" && is_comparable && !numbers.contains(&own) {
        return Err(failure!("{} is the submission of another number, and not of {number}", one_line(id)));
    }
    let is_its = attempt.id.as_deref().is_none_or(|own| own.eq_ignore_ascii_case(id));
    if attempt.state == AttemptState::Accepted && !is_unlisted && !is_its {
        return Err(failure!("the {what} of {number} is accepted already, with another id"));
    }
    Ok(())
}

/// The statement about an attempt that a person confirms, and the question. `rest` is whether it is about the rest of an order.
fn question_of(attempt: &Attempt, args: &ResolveArgs, rest: bool) -> (String, &'static str) {
    let (number, what) = (one_line(&attempted_number(attempt)), noun(attempt.operation));
    // Who looks in the console looks in this account.
    let provider =
        Provider::named(&attempt.provider).map_or(attempt.provider.as_str(), |provider| provider.title());
    let place = one_line(&format!("{provider} ({})", attempt.address));
    match (&args.arrived, args.ended) {
        (_, Some(end)) => {
            let end = outcome_of(end).to_lowercase();
            (format!("The review of {number} at {place} ended: {end}."), "Note that it ended?")
        }
        (Some(id), None) => {
            let id = one_line(id);
            (format!("The {what} of {number} arrived at {place} as {id}."), "Note that it arrived?")
        }
        (None, None) if rest => {
            let bought = bought(attempt).len();
            (format!("The rest of an order is not bought any more. Bought: {bought}"), "End the order?")
        }
        (None, None) => (
            format!(
                "The {what} of {number} did not arrive at {place}. If it did, it can be sent twice from now on."
            ),
            "Note that nothing arrived?",
        ),
    }
}

/// Whether a look tells all of an attempt: its last request was not sent, so a person can only have seen its beginning, or
/// something else.
fn is_unfinished(attempt: &Attempt) -> bool {
    attempt.state == AttemptState::Prepared
}

fn end(store: &mut Store, attempt: &Attempt, arrived: Option<&str>, now: Timestamp) -> Result<()> {
    if attempt.operation == AttemptOperation::Purchase && attempt.state.is_open() {
        resolve_purchase(store, attempt, arrived)?;
        return Ok(());
    }
    let Some(id) = arrived else {
        let why = "a person found that nothing arrived";
        if !store.withdraw(&attempt.token, why, now)? {
            store.disown(&attempt.token, why, now)?;
        }
        return Ok(());
    };
    if let (AttemptOperation::Withdrawal, Some(record)) = (attempt.operation, &attempt.record) {
        store.end_submission(record, true)?;
    }
    store.accept(&attempt.token, Some(id), None, now)?;
    Ok(())
}

/// The status that says how a review ended.
fn outcome_of(end: ReviewEnd) -> &'static str {
    match end {
        ReviewEnd::Verified => "Verified",
        ReviewEnd::Rejected => "Rejected",
    }
}

/// Stores a record of our own, because the provider shows none.
fn note_end(
    store: &mut Store,
    attempt: &Attempt,
    id: Option<&str>,
    status: &str,
    now: Timestamp,
) -> Result<()> {
    let id = id.or(attempt.id.as_deref()).unwrap_or(&attempt.token);
    // The names of roles are those of the default provider, so that any can have such a record.
    let record = serde_json::json!({ "id": id, "status": status, (role::PHONE_NUMBERS): [attempt.number] });
    let source = Source::new("what a person says", record.to_string());
    store.accept(&attempt.token, Some(id), Some(&Parsed::of(&source, Some(Format::Json))), now)?;
    Ok(())
}

fn noun(operation: AttemptOperation) -> &'static str {
    match operation {
        AttemptOperation::Submission => "submission",
        AttemptOperation::Update => "update",
        AttemptOperation::Purchase => "purchase",
        AttemptOperation::Withdrawal => "withdrawal",
    }
}
