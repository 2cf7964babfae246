//! `tollproof mcp`: serves an assistant on standard input and output, in the Model Context Protocol.

use tollproof_mcp::AssistantServer;

use crate::args::McpArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::input::say_if_typed;

/// Serves the assistant until it closes standard input. Standard output belongs to the protocol alone.
pub(super) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    let server = AssistantServer::open(&args.folder).map_err(Failure::new)?;
    say_if_typed("an assistant");
    server.serve().map_err(Failure::new)?;
    Ok(Exit::Clean)
}
