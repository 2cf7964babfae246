//! `tollproof senders`: senders of other kinds at a provider.

use std::io::{self, Write};
use std::ops::ControlFlow;

use tollproof_online::{Api, ListedSender, OrOutcome, SenderKind};

use super::online::{found_or_printed, open_called};
use crate::args::{PrintFormat, SenderChoice, SendersCommand};
use crate::counts::Exit;
use crate::errors::Result;
use crate::output::calls::{JsonSender, JsonSenders, VERSION};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line};

pub(super) fn run(command: &SendersCommand, out: &mut dyn Write) -> Result<Exit> {
    match command {
        SendersCommand::List(args) => {
            let api = open_called(&args.call)?;
            let found = api.senders(kind(args.kind))?;
            print(&api, found, args.call.print.output_format, false, out)
        }
        SendersCommand::Show(args) => {
            let api = open_called(&args.call)?;
            let found = api.sender(kind(args.kind), &args.id)?;
            print(&api, found, args.call.print.output_format, true, out)
        }
    }
}

fn kind(choice: SenderChoice) -> SenderKind {
    match choice {
        SenderChoice::Alphanumeric => SenderKind::Alphanumeric,
        SenderChoice::LongCode => SenderKind::LongCode,
        SenderChoice::ShortCode => SenderKind::ShortCode,
    }
}

fn print(
    api: &Api,
    found: OrOutcome<Vec<ListedSender>>,
    format: PrintFormat,
    shows_record: bool,
    out: &mut dyn Write,
) -> Result<Exit> {
    let found = match found_or_printed(api, found, format, out)? {
        ControlFlow::Continue(found) => found,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    if found.is_empty() {
        say!("The account has no sender of this kind.");
    }
    let senders: Vec<JsonSender> =
        found.into_iter().map(|ListedSender { id, name, record }| JsonSender { id, name, record }).collect();
    print_value(format, Look::PLAIN, out, &JsonSenders { version: VERSION, senders: &senders }, |out| {
        senders.iter().try_for_each(|sender| full(sender, shows_record, out))
    })?;
    Ok(Exit::Clean)
}

fn full(sender: &JsonSender, shows_record: bool, out: &mut dyn Write) -> io::Result<()> {
    let text = |cell: &Option<String>| one_line(cell.as_deref().unwrap_or("-"));
    writeln!(out, "{:36}  {}", text(&sender.id), text(&sender.name))?;
    if shows_record {
        writeln!(out, "{}", serde_json::to_string_pretty(&sender.record)?)?;
    }
    Ok(())
}
