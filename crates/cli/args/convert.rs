//! The arguments of `convert`.

use std::path::PathBuf;

use tollproof_core::{Kind, KindChoice, Provider};

use super::{BodyEncoding, examples, kind};

// The arguments of `convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("convert"))]
pub(crate) struct ConvertArgs {
    /// A file with drafts, also a workbook (.xlsx), or `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The provider whose payload to write.
    ///
    /// One of bird, aws, bandwidth, bulk-csv, infobip, pinnacle, plivo, surge, telnyx, twilio and vonage.
    #[arg(long, value_name = "NAME")]
    pub(crate) to: Provider,

    /// Format of each body: `json`, or `form` for a provider that takes forms, such as twilio.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(crate) body: BodyEncoding,

    /// Write to a new file instead of standard output.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The provider of the drafts, whatever their field names are.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) provider: Option<Provider>,

    /// The kind of the drafts, whatever their field names are.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input")]
    pub(crate) kind: Option<Kind>,
}

impl ConvertArgs {
    /// The provider and the kind that the command line chooses.
    pub(crate) fn choice(&self) -> KindChoice {
        KindChoice::named(self.provider, self.kind)
    }
}
