//! The arguments of `drafts`.

use std::path::PathBuf;

use tollproof_core::Provider;

use super::{PrintArgs, examples};

// The arguments of `drafts`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("drafts"))]
pub(crate) struct DraftsArgs {
    /// Files or folders, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The provider of notes that name none.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<Provider>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}
