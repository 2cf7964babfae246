//! The arguments of `baseline`.

use std::path::PathBuf;

use clap::Subcommand;

use super::SessionArgs;

/// What to do with known findings.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum BaselineCommand {
    /// Write down all findings there are, so that only new ones count.
    #[command(long_about = WRITE)]
    Write(Box<BaselineArgs>),
    /// Take out the findings that are mended.
    #[command(long_about = PRUNE)]
    Prune(Box<BaselineArgs>),
}

const WRITE: &str = "Write down all findings there are, so that only new ones count.\n\n\
        The drafts are checked as `tollproof check` would with the same options. What the baseline said of them \
        before is replaced; what it says of other files stays. Texts that cannot be read, findings about settings \
        and locked rules are never in it.";
const PRUNE: &str = "Take out the findings that are mended.\n\n\
        The drafts are checked as `tollproof check` would with the same options. Findings that the baseline knows \
        and that are not there any more are taken out of it, those of files that are gone too. Nothing is added.";

// The arguments of `baseline write` and `baseline prune`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof baseline write
  tollproof baseline prune drafts/ --baseline known.json
  tollproof check --baseline tollproof-baseline.json

Exit status:
  0  done
  2  could not run, or a file could not be opened; the baseline is as it was")]
pub(crate) struct BaselineArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,

    /// The baseline; without it `baseline:` in tollproof.yaml counts, or tollproof-baseline.json beside that file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}
