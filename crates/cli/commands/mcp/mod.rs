//! `tollproof mcp`: serves an assistant on standard input and output, in the Model Context Protocol.

mod draft_folder;
mod folder_files;
mod prompt;
mod report;
mod resources;
mod server;
mod tool_draft;
mod tool_output;
mod tools;
mod transport;

use rmcp::serve_server;
use rmcp::service::ServerInitializeError;
use tokio::runtime::Builder;

use self::draft_folder::DraftFolder;
use self::server::AssistantServer;
use self::transport::StdioTransport;
use crate::args::McpArgs;
use crate::counts::Exit;
use crate::errors::Failure;
use crate::input::say_if_typed;

/// Serves the assistant until it closes standard input. Standard output belongs to the protocol alone.
pub(super) fn run(args: &McpArgs) -> Result<Exit, Failure> {
    let folder = DraftFolder::open(&args.folder)?;
    say_if_typed("an assistant");
    let runtime = Builder::new_current_thread().enable_time().build().map_err(Failure::new)?;
    runtime.block_on(serve(folder))
}

async fn serve(folder: DraftFolder) -> Result<Exit, Failure> {
    match serve_server(AssistantServer::new(folder), StdioTransport::open()).await {
        Ok(running) => match running.waiting().await {
            Ok(_) => Ok(Exit::Clean),
            Err(error) => Err(Failure::new(format_args!("the server failed: {error}"))),
        },
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(Exit::Clean),
        // Other errors quote the message.
        Err(_) => Err(Failure::new(
            "the client did not begin with `initialize`; start this command from an MCP client",
        )),
    }
}
