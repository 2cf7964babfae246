//! The commands, one file each.

mod check;
mod completions;
mod explain;
mod gate;
mod history;
mod man;
mod number;
mod past;
mod rule;
mod rules;
mod schema;
mod watch;

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use tollproof_core::{Config as Settings, Linter, StrictError, UserRule};

use crate::args::{Args, Color, Command, RulesArgs, Target};
use crate::config::{Config, ConfigError};
use crate::files;
use crate::output;
use crate::output::look::Look;
use crate::output::pipe::Pipe;
use crate::report::{Exit, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut out = Pipe::stdout();
    let exit = match &args.command {
        Command::Check(check) if check.watch => watch::run(check, args.color, &mut out)?,
        Command::Check(check) => check::run(check, args.color, &mut out)?,
        Command::Explain(explain) => explain::run(explain, args.color, &mut out)?,
        Command::Rule(rule) => rule::run(rule, args.color, &mut out)?,
        Command::Rules(command) => rules::run(command, args.color, &mut out)?,
        Command::Schema(schema) => schema::run(schema, &mut out)?,
        Command::Number(number) => number::run(number, &mut out)?,
        Command::History(command) => history::run(command, &mut out)?,
        Command::Gate(gate) => gate::run(gate, args.color, &mut out)?,
        Command::Completions(completions) => completions::run(completions, &mut out)?,
        Command::Man => man::run(&mut out)?,
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

/// The settings of a run: a file that was named, or the nearest.
fn config(args: &RulesArgs, strict: impl Fn(&[StrictError]) -> Failure) -> Result<Config, Failure> {
    match &args.config {
        _ if args.no_config => Ok(Config::default()),
        Some(path) => Config::of_file(path).map_err(|error| unusable(error, strict)),
        None => nearest_config(strict),
    }
}

/// The settings of the nearest file.
fn nearest_config(strict: impl Fn(&[StrictError]) -> Failure) -> Result<Config, Failure> {
    Config::nearest().map_err(|error| unusable(error, strict))
}

fn unusable(error: ConfigError, strict: impl Fn(&[StrictError]) -> Failure) -> Failure {
    match error {
        ConfigError::Unreadable(message) => Failure::new(message),
        ConfigError::Invalid(error) => strict(&[*error]),
    }
}

/// The rules that a run was asked for, by its settings.
fn settled_linter(
    args: &RulesArgs,
    config: &Config,
    rules: &[UserRule],
    strict: impl Fn(&[StrictError]) -> Failure,
) -> Result<Linter, Failure> {
    let linter = linter(rules, strict)?;
    let settings =
        Settings { vendor: config.vendor.clone(), select: args.select.clone(), ignore: args.ignore.clone() };
    linter.with_config(settings).map_err(|unknown| {
        let all = if unknown.nearest.is_none() { "; `tollproof rule` lists all of them" } else { "" };
        Failure::new(format_args!("{unknown}{all}"))
    })
}

/// Lays out what is wrong with rules or settings, in the way of the first report.
fn strict(targets: &[Target], color: Color, errors: &[StrictError]) -> Failure {
    let format = targets.first().map_or(&output::FORMATS[0], |target| target.format);
    output::strict(format, Look::of(&io::stderr(), color), errors)
}

/// Prints a value for programs.
fn json(value: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}
