//! The commands, one file each.

mod check;
mod completions;
mod rule;
mod schema;

use std::io::Write as _;

use crate::args::{Args, Command};
use crate::output::pipe::Pipe;
use crate::report::{Exit, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut out = Pipe::stdout();
    let exit = match &args.command {
        Command::Check(check) => check::run(check, args.color, &mut out)?,
        Command::Rule(rule) => rule::run(rule, args.color, &mut out)?,
        Command::Schema(schema) => schema::run(schema, &mut out)?,
        Command::Completions(completions) => completions::run(completions, &mut out)?,
    };
    out.flush().map_err(Failure::stdout)?;
    Ok(exit)
}
