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

use clap::CommandFactory as _;
use clap::builder::StyledStr;
use clap::error::ErrorKind;

use crate::args::Args;
use crate::counts::Exit;
use crate::errors::{ErrorText, Failure};
use crate::output::stderr;
use crate::terminal::filter::Medium;
use crate::terminal::one_line;

fn main() -> ExitCode {
    panics::set_hook();
    let args = match Args::parse_words(wild::args_os().collect()) {
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
        Err(_) if std::env::args_os().len() < 2 => {
            stderr::fail(&styled(&args::first_screen(&Args::command())));
            return Exit::Unable.into();
        }
        Err(error) => {
            stderr::fail(&misused(&error));
            return Exit::Unable.into();
        }
    };
    let exit = commands::run(&args).unwrap_or_else(|(error, exit)| {
        stderr::fail(&error);
        exit
    });
    exit.into()
}

/// The error of an invalid command line. clap quotes arguments unchanged, so if some are not printable, the arguments
/// are parsed again with printable characters to get the same error.
fn misused(error: &clap::Error) -> ErrorText {
    let printable: Vec<String> =
        std::env::args_os().map(|argument| one_line(&argument.to_string_lossy())).collect();
    if std::env::args_os().eq(printable.iter().map(|it| it.as_str())) {
        return styled(&error.render());
    }
    match Args::parse_words(printable.into_iter().map(Into::into).collect()) {
        Err(error) if error.use_stderr() => styled(&error.render()),
        _ => Failure::new("the command line contains characters that cannot be printed").plain(),
    }
}

/// Text of clap for standard error, with colors if it takes them.
fn styled(text: &StyledStr) -> ErrorText {
    let colour = stderr::look(terminal::Color::Auto).colour;
    let text = if colour { text.ansi().to_string() } else { text.to_string() };
    ErrorText { text, medium: Medium::Screen { escapes: colour } }
}
