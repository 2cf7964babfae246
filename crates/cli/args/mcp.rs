//! The arguments of `mcp`.

use std::path::PathBuf;

use super::examples;

// The arguments of `mcp`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("mcp"))]
pub(crate) struct McpArgs {
    /// The folder with the drafts.
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
}
