//! `tollproof gate`: checks a draft, reserves its number and prints the request body.

use std::io::Write;

use jiff::Timestamp;
use tollproof_core::{
    KindHint, NumberKey, Parsed, Report, Severity, SourceDocument, UserRule, kind_of, quoted,
};
use tollproof_history::{
    Access, Confirmed, Gate, GateOptions, HistorySet, Location, Permit, Released, Ticket, Verdict, reason,
};
use tollproof_project::{FailOn, InputFile, RelatedTexts, SessionOptions, StoredFacts, form_text};

use super::delivery::deliver;
use super::history::{self, refuse_none};
use super::session;
use crate::args::{
    AskArgs, BodyEncoding, Color, ConfirmArgs, FactsArgs, GateArgs, GateStep, ReleaseArgs, ReservedArgs,
};
use crate::counts::{Exit, RunCounts};
use crate::errors::{Failure, Result, failure};
use crate::input::{read_named, refuse_forms};
use crate::output::stderr::{self, say};
use crate::output::{Outputs, ReportOptions, refuse_binary};
use crate::terminal::filter::Filter;
use crate::terminal::one_line;

pub(super) fn run(args: &GateArgs, color: Color, out: &mut dyn Write) -> Result<Exit> {
    match &args.step {
        None => ask(&args.ask, color),
        Some(GateStep::Confirm(args)) => confirm(args),
        Some(GateStep::Release(args)) => release(args),
        Some(GateStep::List(args)) => list(args, out),
    }
}

fn ask(args: &AskArgs, color: Color) -> Result<Exit> {
    let draft = args.draft.as_deref().expect("clap wants it where there is no subcommand");
    let options = session::options(&args.rules, &args.source, &args.time)?;
    let FactsArgs { facts, readings } = args.seen.clone();
    let record = args.record.clone();
    let session = session::open_with(SessionOptions { record, facts, readings, ..options })?;
    let file = InputFile::named(draft);
    let config = session.config_of(&file)?;
    let linter = session.linter_of(&config, &file)?;
    let (_, source) = read_named(draft)?;
    refuse_forms(&source)?;
    let locations = refuse_none(session.locations(&config)?)?;
    if locations.iter().filter(|location| !matches!(location, Location::Files(_))).count() > 1 {
        return Err(Failure::new("several histories are stores; name only one store to reserve in"));
    }
    let hint = session.kind_hint(&config, &file);
    let guard = session.output_guard([&file])?;
    guard.check(args.output_format.iter().filter_map(|it| it.path.as_deref()))?;
    refuse_binary(&args.output_format)?;
    // Open the reports first: if that fails, no number is reserved and no store is created.
    let mut reports = stderr::for_reports();
    let shown = ReportOptions {
        min: Severity::Warning,
        statistics: Default::default(),
        quiet: args.quiet,
        limits: true,
        redact: args.redact,
        now: session.options().now,
    };
    let look = stderr::look(color);
    let outputs = Outputs::open(&args.output_format, &mut reports, look, shown)?;
    // Only a draft may create a new store.
    let is_draft =
        |document: SourceDocument<'_>| kind_of(&document, hint).is_some_and(|kind| kind.is_request());
    let parsed = Parsed::of(&source, None);
    let is_fit = parsed.blocks().all(|block| block.documents().all(is_draft));
    let form = match args.body {
        BodyEncoding::Json => None,
        // Before a number is reserved for a body that cannot be written.
        BodyEncoding::Form => form_of(&parsed, hint)?,
    };
    let access = if is_fit { Access::Create } else { Access::Read };
    let mut past = HistorySet::open(&locations, access)?.at(args.source.host());
    let StoredFacts { seen, readings } = session::read_stored(&session, &config)?;
    let plan = GateOptions {
        ttl: args.ttl,
        now: args.time.now,
        record: session.record().cloned(),
        record_id: config.record_of(file.place()).map(str::to_owned),
        notified_at: args.time.notified_at,
        seen,
        readings,
        number: args.number.clone(),
        attempt: None,
    };
    let decision = Gate::new(&linter, &mut past).decide(&parsed, hint, &plan)?;
    let related = session.related(decision.texts.clone());
    let counts = RunCounts::of_run(args.redact, session.options().now);
    let printed = print(outputs, &parsed, (&decision.report, counts), &related, &session.own_rules());
    match &decision.verdict {
        Verdict::Go(permit) => {
            printed
                .and_then(|()| {
                    let delivered = deliver(form.as_deref().unwrap_or(&permit.payload));
                    delivered.map_err(|error| {
                        let why = reason(&error);
                        failure!("cannot write the body to standard output: {why}")
                    })
                })
                .map_err(|failure| take_back(permit, &mut past, failure))?;
            go(permit);
            Ok(Exit::Clean)
        }
        Verdict::Refused => {
            printed?;
            let why =
                decision.why_taken.as_ref().map(|why| format!("{}; ", one_line(why))).unwrap_or_default();
            say!("refused: {why}do not send this draft");
            Ok(Exit::Findings)
        }
    }
}

/// The form-encoded body of the only draft of a text; `None` if there is no draft, which the gate refuses.
fn form_of(parsed: &Parsed<'_>, hint: KindHint) -> Result<Option<String>> {
    let Some(document) = parsed.only() else { return Ok(None) };
    let kind = kind_of(&document, hint).filter(|kind| kind.is_request());
    let Some((kind, root)) = kind.zip(document.document().root.as_ref()) else { return Ok(None) };
    form_text(root, kind).map_err(Failure::new).map(|body| Some(body.trim_end().to_owned()))
}

/// Releases the number of a draft that could not be printed. If this also fails, the returned failure says so.
fn take_back(permit: &Permit, past: &mut HistorySet, why: Failure) -> Failure {
    let Some(Ticket { numbers, token, until }) = &permit.ticket else { return why };
    let released = past.store().and_then(|store| store.release(&numbers[0], Some(token)));
    let (number, is) = listed(numbers);
    match released {
        Ok(_) => {
            why.line(format_args!("note: {number} {is} not reserved; ask again before you send the draft"))
        }
        Err(error) => why
            .line(format_args!("error: {error}"))
            .line(format_args!("error: {number} stays reserved until {until:.0} (token {token})")),
    }
}

/// Prints the findings on standard error, because standard output is for the request body.
fn print(
    mut outputs: Outputs<'_>,
    draft: &Parsed<'_>,
    (found, mut report): (&Report, RunCounts),
    related: &RelatedTexts,
    rules: &[UserRule],
) -> Result<()> {
    report.add(found, FailOn::Error);
    outputs.file(draft, found, &|reference| related.open_place(draft.source().name(), reference))?;
    outputs.end(&report, rules)?;
    outputs.keep()
}

fn go(permit: &Permit) {
    match &permit.ticket {
        Some(Ticket { numbers, token, until }) => {
            let (number, is) = listed(numbers);
            say!("go: {} {is} reserved until {until:.0} (token {token})", one_line(&number));
        }
        None => say!("go: an update reserves no number"),
    }
}

/// Numbers as one text, with the verb.
fn listed(numbers: &[String]) -> (String, &'static str) {
    (numbers.join(", "), if numbers.len() == 1 { "is" } else { "are" })
}

fn confirm(args: &ConfirmArgs) -> Result<Exit> {
    let (_, source) = read_named(&args.record)?;
    let mut past = history::past(&args.source, Access::Read)?;
    let store = past.store()?;
    let Confirmed { id, numbers, freed, older } =
        store.confirm(&Parsed::of(&source, None), args.number.as_deref())?;
    let confirmed = if older.is_empty() { "confirmed: " } else { "" };
    say!("{confirmed}submission {} is in the history", one_line(&quoted(&id)));
    for number in &older {
        say!(
            "not confirmed: this record of {} is older than the reservation, which stays; fetch the record of the new submission",
            one_line(&quoted(number))
        );
    }
    for number in numbers.iter().filter(|number| !freed.contains(number) && !older.contains(number)) {
        say!("note: {} was not reserved, or its reservation has ended", one_line(&quoted(number)));
    }
    Ok(if older.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Prints the numbers whose reservation has not ended.
fn list(args: &ReservedArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut past = history::past(&args.source, Access::Read)?;
    let now = args.now.unwrap_or_else(Timestamp::now);
    let reserved: Vec<_> = past.store()?.reservations()?.into_iter().filter(|it| now < it.1.until).collect();
    let out = &mut Filter::screen(out);
    if reserved.is_empty() {
        writeln!(out, "No number is reserved.").map_err(Failure::stdout)?;
    }
    for (number, times) in reserved {
        let number = one_line(&number);
        writeln!(out, "{number:36}  reserved until {}", times.end()).map_err(Failure::stdout)?;
    }
    Ok(Exit::Clean)
}

fn release(args: &ReleaseArgs) -> Result<Exit> {
    if !NumberKey::of(&args.number).is_exact() {
        return Err(failure!(
            "`{}` is not a toll-free number or the identifier of one",
            one_line(&args.number)
        ));
    }
    let mut past = history::past(&args.source, Access::Read)?;
    let store = past.store()?;
    let released = store.release(&args.number, args.token.as_deref())?;
    let number = one_line(args.number.trim());
    let (words, exit) = match released {
        Released::Done => ("is free again", Exit::Clean),
        Released::NotReserved => ("was not reserved", Exit::Clean),
        Released::OtherToken => ("is reserved under another token and stays reserved", Exit::Findings),
        Released::HasAttempt => (
            "stays reserved, because it may have been submitted; `tollproof attempts` shows how to end that",
            Exit::Findings,
        ),
    };
    say!("{number} {words}");
    Ok(exit)
}
