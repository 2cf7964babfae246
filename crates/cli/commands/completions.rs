//! `tollproof completions`: completion scripts for shells.

use std::io::Write;

use clap::CommandFactory as _;

use crate::args::{Args, CompletionsArgs};
use crate::report::{Exit, Failure};

/// Prints the script.
pub(super) fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "tollproof", &mut script);
    out.write_all(&script).map_err(Failure::stdout)?;
    Ok(Exit::Clean)
}
