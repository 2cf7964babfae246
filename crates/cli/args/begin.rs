//! The arguments of what is typed first: `new` and `init`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tollproof_core::Kind;

// The arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof new drafts/acme.yaml
  tollproof new --kind update-request fix.yaml
  tollproof new - > acme.yaml

Exit status:
  0  written
  2  could not be written, or the file exists already")]
pub(crate) struct NewArgs {
    /// The file to write (.yaml or .yml), or `-` for standard output.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The kind of the draft.
    #[arg(long, value_name = "KIND", default_value = "submit-request", value_parser = request_parser())]
    pub(crate) kind: Kind,
}

// The arguments of `init`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof init
  tollproof init --hook

Exit status:
  0  a file was written
  2  nothing was written")]
pub(crate) struct InitArgs {
    /// Write the hook too, or print its lines if there are hooks already.
    #[arg(long, conflicts_with = "no_hook")]
    pub(crate) hook: bool,

    /// Write no hook, and do not ask.
    #[arg(long)]
    pub(crate) no_hook: bool,
}

fn request_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::REQUESTS.map(Kind::name))
        .map(|name| name.parse().expect("the possible values are the names of kinds"))
}
