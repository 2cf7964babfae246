//! The options of what is typed first: `new`.

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
  2  could not be written, or the file is there already")]
pub(crate) struct NewArgs {
    /// The file to write, which ends in .yaml or .yml, or `-` for standard output.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What the draft is.
    #[arg(long, value_name = "KIND", default_value = "submit-request", value_parser = request_parser())]
    pub(crate) kind: Kind,
}

fn request_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::REQUESTS.map(Kind::name))
        .map(|name| name.parse().expect("the possible values are the names of kinds"))
}
