//! The arguments of `lsp`.

use super::{FactsArgs, HistoryArgs, RulesArgs, TimeArgs, examples};

// The arguments of `lsp`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("lsp"))]
pub(crate) struct LspArgs {
    /// Use standard input and output, as always; for editors that pass this option.
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    #[command(flatten)]
    pub(crate) seen: FactsArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,
}
