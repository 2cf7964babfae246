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
mod replacement;
mod report;
mod repository;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Args;
use crate::report::{Exit, Failure};

fn main() -> ExitCode {
    let args = match Args::try_parse() {
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
