//! The arguments of `preview`.

use std::path::PathBuf;

use tollproof_core::{Kind, KindChoice, Provider};

use super::{PrintArgs, SizeArgs, examples, kind};

// The arguments of `preview`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("preview"))]
pub(crate) struct PreviewArgs {
    /// A file with drafts or the text of a message, or `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Read the file as the text of one message, even if it looks like a draft.
    #[arg(long, conflicts_with_all = ["provider", "kind"])]
    pub(crate) text: bool,

    /// Show the fields of the drafts in the order of the form, to type them into the provider's website.
    #[arg(long, conflicts_with = "text")]
    pub(crate) fields: bool,

    /// The provider of the drafts, whatever their field names are.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<Provider>,

    /// The kind of the drafts, whatever their field names are.
    #[arg(long, value_name = "KIND", value_parser = kind)]
    pub(crate) kind: Option<Kind>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

impl PreviewArgs {
    /// The provider and the kind that the command line chooses.
    pub(crate) fn choice(&self) -> KindChoice {
        KindChoice::named(self.provider, self.kind)
    }
}
