//! The arguments of `baseline`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{SessionArgs, examples};

/// Commands for known findings.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum BaselineCommand {
    /// Write all current findings to a file, so that only new ones count.
    ///
    /// The drafts are checked as with `tollproof check` and the same options. Their entries in the baseline are replaced;
    /// entries of other files stay. Findings about what cannot be read, about settings, and of locked rules are never in
    /// it.
    Write(Box<BaselineArgs>),
    /// Remove findings that were fixed.
    ///
    /// The drafts are checked as with `tollproof check` and the same options. Known findings that are gone are removed from
    /// the baseline, and so are those of deleted files. Nothing is added.
    Prune(Box<BaselineArgs>),
}

// The arguments of `baseline write` and `baseline prune`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("baseline"))]
pub(crate) struct BaselineArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,

    /// The baseline. Without it, `baseline:` in tollproof.yaml, or tollproof-baseline.json next to that file.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
}
