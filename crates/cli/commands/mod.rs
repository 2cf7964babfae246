//! The commands, one file each.

mod baseline;
mod check;
mod completions;
mod config;
mod delivery;
mod explain;
mod gate;
mod history;
mod ignores;
mod init;
mod licenses;
mod linters;
mod man;
mod new;
mod number;
mod past;
mod rule;
mod rules;
mod schema;
mod spared;
mod sweep;
mod watch;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;
use tollproof_core::{Linter, StrictError, UserRule};

use self::linters::Strict;
use crate::args::{Args, Color, Command, Target};
use crate::config::{Config, Configs};
use crate::files;
use crate::output;
use crate::output::filter::{Filter, Medium};
use crate::output::pipe::Pipe;
use crate::output::stderr;
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
        Command::Gate(gate) => gate::run(gate, args.color)?,
        Command::Config(command) => config::run(command, args.color, &mut out)?,
        Command::New(new) => new::run(new, &mut out)?,
        Command::Init(init) => init::run(init, &mut out)?,
        Command::Baseline(command) => baseline::run(command, args.color, &mut out)?,
        Command::Completions(completions) => completions::run(completions, &mut out)?,
        Command::Man => man::run(&mut out)?,
        Command::Licenses => licenses::run(&mut out)?,
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

/// The settings of the folder that the run starts in.
fn config_here(strict: Strict<'_>) -> Result<Rc<Config>, Failure> {
    Configs::nearest().of_folder(Path::new("")).map_err(|error| linters::unusable(error, strict))
}

/// Lays out what is wrong with rules or settings, in the way of the first report.
fn strict(targets: &[Target], color: Color, errors: &[StrictError]) -> Failure {
    let format = targets.first().map_or(&output::FORMATS[0], |target| target.format);
    output::strict(format, stderr::look(color), errors)
}

/// Prints a value for programs.
fn json(value: &(impl Serialize + ?Sized), out: &mut dyn Write) -> io::Result<()> {
    let mut out = Filter::new(out, Medium::Json);
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}
