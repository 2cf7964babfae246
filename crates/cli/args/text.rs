//! The arguments of `text`.

use std::path::PathBuf;

use super::{PrintArgs, SizeArgs, examples};

// The arguments of `text`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("text"))]
pub(crate) struct TextArgs {
    /// A text or a draft, or `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Read the file as a draft, and show the text of this field.
    ///
    /// Without it, all fields of a draft are shown that have longer texts.
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Option<String>,

    /// Add the vocabulary and the rules in a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) rules: Vec<PathBuf>,

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
