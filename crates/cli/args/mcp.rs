//! The arguments of `mcp`.

use std::path::PathBuf;

pub(super) const ABOUT: &str = "Check drafts in an assistant, which also answers questions (MCP server).\n\n\
        Your assistant starts this command and talks to it on standard input and output, in the Model Context Protocol. \
        It can then check, convert and preview drafts, and answer what rules ask about their texts.\n\n\
        The command reads no file outside of one folder, starts no program and opens no connection. It writes one file, \
        the store of readings, when the assistant answers questions about a file. docs/mcp.md shows how to set it up.";

// The arguments of `mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {\"mcpServers\": {\"tollproof\": {\"command\": \"tollproof\", \"args\": [\"mcp\", \"/path/to/drafts\"]}}}

Exit status:
  0  the assistant ended the session
  2  could not run")]
pub(crate) struct McpArgs {
    /// The folder with the drafts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
}
