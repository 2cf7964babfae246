//! `tollproof number find`: toll-free numbers that can be bought.

use std::io::{self, Write};
use std::ops::ControlFlow;

use tollproof_online::{Api, ApiNumber, NumberSearch, OrOutcome};

use super::super::online::{found_or_printed, open_called};
use crate::args::{FindArgs, PrintFormat, SearchArgs};
use crate::counts::Exit;
use crate::errors::Result;
use crate::output::calls::{JsonNumber, JsonNumbers, VERSION};
use crate::output::stderr::say;
use crate::output::value::print_value;
use crate::terminal::{Look, one_line};

pub(super) fn run(args: &FindArgs, out: &mut dyn Write) -> Result<Exit> {
    let api = open_called(&args.call)?;
    let found = api.search(&search(&args.search, args.limit))?;
    print(&api, found, args.call.print.output_format, out)
}

/// The search that the command line asks for.
pub(super) fn search(args: &SearchArgs, limit: u32) -> NumberSearch {
    NumberSearch {
        country: args.country.clone(),
        area: args.area.clone(),
        contains: args.contains.clone(),
        limit,
    }
}

/// Prints numbers, or why there are none.
pub(super) fn print(
    api: &Api,
    found: OrOutcome<Vec<ApiNumber>>,
    format: PrintFormat,
    out: &mut dyn Write,
) -> Result<Exit> {
    let found = match found_or_printed(api, found, format, out)? {
        ControlFlow::Continue(found) => found,
        ControlFlow::Break(exit) => return Ok(exit),
    };
    if found.is_empty() {
        say!("No number was found.");
    }
    let numbers: Vec<JsonNumber> =
        found.into_iter().map(|ApiNumber { number, id, price }| JsonNumber { number, id, price }).collect();
    print_value(format, Look::PLAIN, out, &JsonNumbers { version: VERSION, numbers: &numbers }, |out| {
        numbers.iter().try_for_each(|number| line(number, out))
    })?;
    Ok(Exit::Clean)
}

fn line(number: &JsonNumber, out: &mut dyn Write) -> io::Result<()> {
    let mut line = format!("{:14}", one_line(&number.number));
    for more in [&number.id, &number.price.as_ref().map(|it| format!("{it} a month"))].into_iter().flatten() {
        line += &format!("  {}", one_line(more));
    }
    writeln!(out, "{}", line.trim_end())
}
