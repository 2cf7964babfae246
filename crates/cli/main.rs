//! tollproof: proofreads toll-free verification submissions before anyone sends them.

mod args;
mod baseline;
mod changed;
mod commands;
mod config;
mod fields;
mod files;
mod mending;
mod output;
mod panics;
mod replacement;
mod report;
mod repository;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::args::{Args, SizeArgs};
use crate::report::{Exit, Failure};

fn main() -> ExitCode {
    panics::set_hook();
    let args = match parsed() {
        Ok(args) => args,
        // Help and version come this way too. Where nobody listens, nothing is lost.
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Unable } else { Exit::Clean }.into();
        }
    };
    let exit = commands::run(&args).unwrap_or_else(|Failure(text)| {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        Exit::Unable
    });
    exit.into()
}

/// The command line, read as clap does.
fn parsed() -> Result<Args, clap::Error> {
    let mut command = Args::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = matches.and_then(|matches| {
        SizeArgs::apply(&matches);
        Args::from_arg_matches(&matches)
    });
    let parsed = parsed.map_err(|error| error.format(&mut command));
    // The process ends soon; taking the definitions apart one by one would be of no use to anyone.
    std::mem::forget(command);
    parsed
}
