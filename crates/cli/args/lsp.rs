//! The arguments of `lsp`.

use super::{FactsArgs, HistoryArgs, RulesArgs, TimeArgs};

// The arguments of `lsp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit status:
  0  the editor ended the session
  1  the editor went away without ending it
  2  could not run")]
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
