//! The commands, one file each.

mod check;
mod completions;
mod rule;
mod rules;
mod schema;

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use tollproof_core::{Linter, StrictError, UserRule};

use crate::args::{Args, Command};
use crate::files;
use crate::output::pipe::Pipe;
use crate::report::{Exit, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut out = Pipe::stdout();
    let exit = match &args.command {
        Command::Check(check) => check::run(check, args.color, &mut out)?,
        Command::Rule(rule) => rule::run(rule, args.color, &mut out)?,
        Command::Rules(command) => rules::run(command, args.color, &mut out)?,
        Command::Schema(schema) => schema::run(schema, &mut out)?,
        Command::Completions(completions) => completions::run(completions, &mut out)?,
    };
    out.flush().map_err(Failure::stdout)?;
    Ok(exit)
}

/// The rule files below folders.
fn user_rules(folders: &[PathBuf]) -> Result<Vec<UserRule>, Failure> {
    let mut rules = Vec::new();
    for folder in folders {
        rules.extend(files::rules(folder).map_err(Failure::new)?);
    }
    Ok(rules)
}

/// The built-in rules and the user's; `strict` lays out what is wrong with those.
fn linter(rules: &[UserRule], strict: impl Fn(&[StrictError]) -> Failure) -> Result<Linter, Failure> {
    let linter = Linter::builtin().map_err(|error| strict(&[*error]))?;
    if rules.is_empty() {
        return Ok(linter);
    }
    linter.with_rules(rules).map_err(|errors| strict(&errors))
}

/// Prints a value for programs.
fn json(value: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
