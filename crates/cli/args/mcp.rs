//! The arguments of `mcp`.

use std::path::PathBuf;

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
