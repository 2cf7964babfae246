//! `tollproof number VALUE`: prints the type of a sender, where it can be used and what it requires.

use std::io::Write;

use serde::Serialize;
use tollproof_core::Sender;

use crate::args::NumberArgs;
use crate::counts::Exit;
use crate::errors::Result;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line, wrap};

/// The line width in columns, also on a terminal, because the output often goes to files.
const WIDTH: usize = 80;

/// A value and its type of sender, as JSON.
#[derive(Debug, Serialize)]
struct SenderInfo<'a> {
    value: &'a str,
    kind: Option<&'static str>,
    number: Option<String>,
    usable: Option<&'static str>,
    needs: Option<&'static str>,
    /// The reason it is not a sender.
    error: Option<String>,
}

/// Prints the type of each value. If one is not a sender, the run ends with findings.
pub(super) fn run(args: &NumberArgs, out: &mut dyn Write) -> Result<Exit> {
    let senders: Vec<_> = args.values.iter().map(|value| detect(value)).collect();
    print_value(args.print.output_format, Look::PLAIN, out, &senders, |out| {
        for sender in &senders {
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
        }
        Ok(())
    })?;
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
