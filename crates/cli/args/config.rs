//! The arguments of `config` and `doctor`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{PrintArgs, SizeArgs, examples};

/// Commands for settings.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum ConfigCommand {
    /// Print the settings that apply to a file, and where each comes from.
    Show(ShowConfigArgs),
}

// The arguments of `config show`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("config show"))]
pub(crate) struct ShowConfigArgs {
    /// The file; without it, the current folder.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The settings file to use, instead of the nearest tollproof.yaml.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(crate) config: Option<PathBuf>,

    /// Use no settings file.
    #[arg(long)]
    pub(crate) no_config: bool,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

// The arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("doctor"))]
pub(crate) struct DoctorArgs {
    /// Ask the reader that is named about an example, to see whether it answers. Nothing of your drafts is sent.
    #[cfg(feature = "online")]
    #[arg(long)]
    pub(crate) ask_reader: bool,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}
