//! The tollproof command line: checks toll-free verification submissions before they are sent.

mod args;
mod commands;
mod counts;
mod errors;
mod fix;
mod input;
mod output;
mod panics;
mod statistics;
mod terminal;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _};

use crate::args::{Args, SizeArgs};
use crate::counts::Exit;
use crate::errors::{ErrorText, Failure};
use crate::output::stderr;
use crate::terminal::filter::Medium;
use crate::terminal::one_line;

fn main() -> ExitCode {
    panics::set_hook();
    let args = match parsed() {
        Ok(args) => args,
        // clap also returns help and version as errors. Write errors are ignored: standard output may be closed.
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            let words: Vec<OsString> = std::env::args_os().collect();
            let help = args::help(Args::command(), &words);
            let _ = write!(anstream::stdout(), "{}", help.ansi());
            return Exit::Clean.into();
        }
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return Exit::Clean.into();
        }
        Err(error) => {
            stderr::fail(&misused(&error));
            return Exit::Unable.into();
        }
    };
    let exit = commands::run(&args).unwrap_or_else(|error| {
        stderr::fail(&error);
        Exit::Unable
    });
    exit.into()
}

/// The error of an invalid command line. clap quotes arguments unchanged, so if some are not printable, the arguments
/// are parsed again with printable characters to get the same error.
fn misused(error: &clap::Error) -> ErrorText {
    let colour = stderr::look(terminal::Color::Auto).colour;
    let laid_out = |error: &clap::Error| {
        let rendered = error.render();
        let text = if colour { rendered.ansi().to_string() } else { rendered.to_string() };
        ErrorText { text, medium: Medium::Screen { escapes: colour } }
    };
    let printable: Vec<String> = std::env::args_os().map(|it| one_line(&it.to_string_lossy())).collect();
    if std::env::args_os().eq(printable.iter().map(|it| it.as_str())) {
        return laid_out(error);
    }
    match parsed_of(printable.into_iter().map(Into::into)) {
        Err(error) if error.use_stderr() => laid_out(&error),
        _ => Failure::new("the command line contains characters that cannot be printed").plain(),
    }
}

/// The parsed command line.
fn parsed() -> Result<Args, clap::Error> {
    parsed_of(wild::args_os())
}

fn parsed_of(words: impl Iterator<Item = OsString>) -> Result<Args, clap::Error> {
    let mut command = Args::command();
    let matches = command.try_get_matches_from_mut(words);
    let parsed = matches.and_then(|mut matches| {
        SizeArgs::apply(&matches);
        Args::from_arg_matches_mut(&mut matches)
    });
    let parsed = parsed.map_err(|error| error.format(&mut command));
    // Leaks the definitions: the process ends soon, and freeing them only takes time.
    std::mem::forget(command);
    parsed
}
