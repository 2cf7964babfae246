//! `tollproof number`: what a sender is, where it may be used and what it needs first.

use std::io::Write;

use serde::Serialize;
use tollproof_core::Sender;

use crate::args::{NumberArgs, PrintFormat};
use crate::counts::Exit;
use crate::errors::Failure;
use crate::terminal::filter::Filter;
use crate::terminal::{one_line, wrap};

/// How wide texts are set: this goes to people, and into files as often as to terminals.
const WIDTH: usize = 80;

/// A value and what it is.
#[derive(Debug, Serialize)]
struct SenderInfo<'a> {
    value: &'a str,
    kind: Option<&'static str>,
    number: Option<String>,
    usable: Option<&'static str>,
    needs: Option<&'static str>,
    /// Why it is not a sender.
    error: Option<String>,
}

/// Tells what each value is; one that is no sender ends the run with findings.
pub(super) fn run(args: &NumberArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let senders: Vec<_> = args.values.iter().map(|value| detect(value)).collect();
    let printed = match args.output_format {
        PrintFormat::Json => super::json(&senders, out),
        PrintFormat::Full => senders.iter().try_for_each(|sender| {
            let out = &mut Filter::screen(&mut *out);
            writeln!(out, "{}", one_line(sender.value))?;
            let number = sender.number.as_deref().filter(|number| *number != sender.value);
            let kind = match number {
                Some(number) => sender.kind.map(|kind| format!("{kind}, {number}")),
                None => sender.kind.map(str::to_owned),
            };
            let error = sender.error.as_ref().map(|why| format!("not a sender: {why}"));
            let needs = sender.needs.map(str::to_owned);
            let usable = sender.usable.map(str::to_owned);
            for (name, text) in [("what", kind.or(error)), ("usable", usable), ("needs", needs)] {
                let Some(text) = text else { continue };
                writeln!(out, "  {name:8}{}", wrap(&text, WIDTH - 10).replace('\n', "\n          "))?;
            }
            Ok(())
        }),
    };
    printed.map_err(Failure::stdout)?;
    Ok(if senders.iter().any(|sender| sender.kind.is_none()) { Exit::Findings } else { Exit::Clean })
}

fn detect(value: &str) -> SenderInfo<'_> {
    let nothing = SenderInfo { value, kind: None, number: None, usable: None, needs: None, error: None };
    match Sender::detect(value) {
        Ok(sender) => SenderInfo {
            kind: Some(sender.noun()),
            number: sender.number().map(str::to_owned),
            usable: Some(sender.usable()),
            needs: Some(sender.needs()),
            ..nothing
        },
        Err(why) => SenderInfo { error: Some(why.to_string()), ..nothing },
    }
}
