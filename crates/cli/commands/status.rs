//! `tollproof status`: asks what became of attempts and submissions, and keeps the answers.

use std::io::{self, Write};

use jiff::Timestamp;
use tollproof_history::{Access, Location};
use tollproof_online::{Api, ProviderConnection, StatusCall, StatusRound, StatusSeen, providers_of};

use super::here::config_here;
use super::online::{
    Call, Interrupt, gravest, json_of, lines, locations_here, open_connection, open_store, print_text, shown,
    wait, write_calendar,
};
use crate::args::{PrintFormat, StatusArgs};
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::output::calls::{JsonStatus, JsonSubmission, VERSION};
use crate::output::stderr::{self, say};
use crate::output::value::print_value;
use crate::terminal::filter::Filter;
use crate::terminal::{Look, count, one_line};

pub(super) fn run(args: &StatusArgs, out: &mut dyn Write) -> Result<Exit> {
    let locations = locations_here(&args.store)?;
    let mut connections = connections(args, &locations)?;
    let mut seen = StatusOutput { args, calls: Vec::new(), submissions: Vec::new(), unchanged: 0, out };
    if args.import {
        for connection in &mut connections {
            import(connection, &mut seen)?;
        }
    }
    let now = args.now.unwrap_or_else(Timestamp::now);
    let (mut open, mut is_unfollowed, mut is_against) = (Vec::new(), false, false);
    let mut unknown: Vec<String> = args.names.clone();
    for connection in &mut connections {
        let round = connection.session(args.wait.wait.is_some())?.status(&args.names, now)?;
        unknown.retain(|name| round.unknown.contains(name));
        StatusOutput::say_doubles(&round.doubles());
        if round.elsewhere > 0 {
            let left = count(round.elsewhere, "submission");
            say!(
                "{left} of another account at {}: run this with that account too.",
                connection.api.provider().title()
            );
        }
        open.push(round.open(&args.names));
        is_unfollowed |= round.is_unfollowed();
        is_against |= !args.names.is_empty() && round.seen.iter().any(StatusSeen::is_against);
        seen.take(&connection.api, round)?;
    }
    for name in &unknown {
        let name = one_line(name);
        say!("error: the history has no submission of `{name}`; `--import` takes in what the provider has");
    }
    let mut exits = vec![if unknown.is_empty() { Exit::Clean } else { Exit::Unable }];
    if let Some(limit) = args.wait.wait {
        let interrupt = Interrupt::default();
        exits.push(if is_unfollowed { Exit::Unfinished } else { Exit::Clean });
        // What was rejected before the wait is not waited for.
        exits.push(if is_against { Exit::Refused } else { Exit::Clean });
        exits.push(wait(&mut connections, open, limit, &interrupt, |api, round| seen.see(api, round))?);
    }
    if let Some(path) = &args.calendar {
        let events = write_calendar(&mut connections, path, now)?;
        say!("{} in the calendar.", count(events, "deadline"));
    }
    exits.extend(seen.calls.iter().map(Call::exit));
    seen.end()?;
    Ok(gravest(exits))
}

/// The provider that was named, or all in the history.
fn connections(args: &StatusArgs, locations: &[Location]) -> Result<Vec<ProviderConnection>> {
    // Only what is taken in may create a history: a wrong name must not look like an empty one.
    let access = if args.import { Access::Create } else { Access::Read };
    let providers = match args.provider {
        Some(provider) => vec![provider],
        None => {
            let host = args.online.history_host().map_err(Failure::new)?;
            providers_of(&mut open_store(locations, host, access)?)?
        }
    };
    if providers.is_empty() {
        if let Some(provider) = config_here()?.provider() {
            return Ok(vec![open_connection(provider, &args.online, locations, access)?]);
        }
        if args.import || !args.names.is_empty() {
            return Err(Failure::new("the history does not show the provider; use `--provider NAME`"));
        }
        say!("The history has nothing to ask about.");
    }
    providers.into_iter().map(|it| open_connection(it, &args.online, locations, access)).collect()
}

/// Takes in all submissions that a provider has.
fn import(connection: &mut ProviderConnection, seen: &mut StatusOutput<'_>) -> Result<()> {
    let mut taken = Vec::new();
    let failed = connection.session(false)?.import(&mut |submission| taken.push(submission))?;
    taken.iter().try_for_each(|submission| seen.submission(shown(&connection.api, submission)))?;
    seen.calls.extend(failed.map(|outcome| Call::new(&connection.api, None, "", outcome)));
    Ok(())
}

/// Results so far. For people they are printed at once.
struct StatusOutput<'o> {
    args: &'o StatusArgs,
    calls: Vec<Call>,
    submissions: Vec<JsonSubmission>,
    unchanged: usize,
    out: &'o mut dyn Write,
}

impl StatusOutput<'_> {
    fn take(&mut self, api: &Api, round: StatusRound) -> Result<()> {
        self.calls.extend(round.calls.into_iter().map(|StatusCall { operation, number, id, outcome }| {
            Call { id, ..Call::new(api, operation, &number, outcome) }
        }));
        for seen in &round.seen {
            self.submission(shown(api, seen))?;
        }
        self.out.flush().map_err(Failure::stdout)
    }

    /// Shows a later look: only changes, and no call that may go better the next time.
    fn see(&mut self, api: &Api, round: &StatusRound) -> Result<()> {
        for seen in round.seen.iter().filter(|seen| seen.is_changed()) {
            self.submissions.retain(|known| known.id != seen.submission.id);
            self.submission(shown(api, seen))?;
        }
        self.out.flush().map_err(Failure::stdout)
    }

    fn submission(&mut self, shown: JsonSubmission) -> Result<()> {
        if !shown.changed && self.args.names.is_empty() {
            self.unchanged += 1;
            return Ok(());
        }
        if self.args.print.output_format == PrintFormat::Full {
            let written = writeln!(Filter::screen(&mut *self.out), "{}", lines(&shown));
            written.map_err(Failure::stdout)?;
        }
        self.submissions.push(shown);
        Ok(())
    }

    /// Says which numbers have several open submissions: an answer came later than tollproof assumes, or one was filed
    /// elsewhere.
    fn say_doubles(doubles: &[(String, Vec<String>)]) {
        for (number, ids) in doubles {
            let ids = ids.iter().map(|id| one_line(id)).collect::<Vec<_>>().join(", ");
            let number = one_line(number);
            say!(
                "warning: {number} has several open submissions: {ids}; withdraw all but one with `tollproof cancel`"
            );
        }
    }

    fn end(self) -> Result<()> {
        let Self { args, calls, submissions, unchanged, out } = self;
        let json = json_of(&calls);
        let value = JsonStatus { version: VERSION, calls: &json, submissions: &submissions, unchanged };
        print_value(args.print.output_format, Look::PLAIN, out, &value, |out| -> io::Result<()> {
            if !submissions.is_empty() && !calls.is_empty() {
                writeln!(out)?;
            }
            print_text(&calls, out)
        })?;
        if stderr::is_terminal() && args.names.is_empty() {
            say!("{} unchanged.", count(unchanged, "submission"));
        }
        Ok(())
    }
}
