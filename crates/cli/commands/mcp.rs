//! `tollproof mcp`: serves an assistant on standard input and output, in the Model Context Protocol.

use tollproof_mcp::AssistantServer;

use crate::args::McpArgs;
use crate::counts::Exit;
use crate::errors::{Failure, Result};
use crate::input::say_if_typed;

/// Serves the assistant until it closes standard input. Standard output belongs to the protocol alone.
pub(super) fn run(args: &McpArgs) -> Result<Exit> {
    let server = AssistantServer::open(&args.folder).map_err(Failure::new)?;
    #[cfg(feature = "online")]
    let server = if tollproof_online::UserSettings::load().map_err(Failure::new)?.permits_submit() {
        server.with_submit(Box::new(submit))
    } else {
        server
    };
    say_if_typed("an assistant");
    server.serve().map_err(Failure::new)?;
    Ok(Exit::Clean)
}

/// Submits a file as `tollproof submit` does, which this program is: a run of its own, whose output is not the protocol's.
#[cfg(feature = "online")]
fn submit(path: &std::path::Path) -> Result<serde_json::Value, String> {
    use std::process::{Command, Stdio};

    let run = || {
        let program = std::env::current_exe()?;
        let options = ["submit", "--yes", "--output-format", "json", "--"];
        Command::new(program).args(options).arg(path).stdin(Stdio::null()).output()
    };
    let ran = run().map_err(|error| format!("cannot submit: {}", tollproof_history::reason(&error)))?;
    serde_json::from_slice(&ran.stdout).map_err(|_| match ran.status.code() {
        Some(_) => format!("nothing was submitted: {}", String::from_utf8_lossy(&ran.stderr).trim()),
        // A signal has ended it.
        None => "the program was ended before it could say what it sent; submit the same file again: what has arrived is found, and \
                 not sent twice"
            .to_owned(),
    })
}
