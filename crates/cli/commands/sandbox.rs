//! `tollproof sandbox`: serves the providers' APIs on this machine until Ctrl-C.

use std::io::{self, Write};
use std::sync::mpsc::channel;

use tollproof_sandbox::{Sandbox, SandboxError};

use crate::args::SandboxArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result, failure};

/// Starts the sandbox, says how to reach it, and waits.
pub(super) fn run(args: &SandboxArgs, out: &mut dyn Write) -> Result<Exit> {
    let (sender, ended) = channel();
    let end = move || {
        let _ = sender.send(());
    };
    ctrlc::set_handler(end).map_err(|error| failure!("cannot wait for Ctrl-C: {error}"))?;
    let sandbox = Sandbox::start(args.options()).map_err(|error| match error {
        SandboxError::Exposed(_) => failure!("{error}; use `--expose` if you want that"),
        error => Failure::new(error),
    })?;
    describe(&sandbox, out).map_err(Failure::stdout)?;
    // The handler keeps the sender, so there is always something to wait for.
    let _ = ended.recv();
    Ok(Exit::Clean)
}

fn describe(sandbox: &Sandbox, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "The sandbox is at {}. Press Ctrl-C to end it.", sandbox.url())?;
    for (provider, access) in sandbox.access() {
        writeln!(out, "\n{provider}")?;
        for row in access {
            writeln!(out, "  {:<13} {}", row.label, row.value)?;
        }
    }
    out.flush()
}
