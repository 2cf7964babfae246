//! The arguments of what is typed first: `new` and `init`.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tollproof_core::{Kind, Provider};

use super::{SizeArgs, examples};

// The arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("new"))]
pub(crate) struct NewArgs {
    /// The file to write (.yaml or .yml; with --ask and --from also .json), or `-` for standard output.
    #[arg(value_name = "FILE", required_unless_present = "output")]
    file: Option<PathBuf>,

    /// The same as FILE.
    #[arg(short, long, value_name = "FILE", conflicts_with = "file")]
    output: Option<PathBuf>,

    /// The provider of the draft.
    ///
    /// One of bird, aws, bandwidth, bulk-csv, infobip, pinnacle, plivo, surge, telnyx, twilio and vonage. Without it, that
    /// of `provider:` in tollproof.yaml, of the source of --from, or bird.
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<Provider>,

    /// The kind of the draft; submit-request by default.
    #[arg(long, value_name = "KIND", value_parser = request_parser(), conflicts_with = "from")]
    pub(crate) kind: Option<Kind>,

    /// Ask for each field on the terminal, and show the findings of each answer.
    ///
    /// The draft is saved after each answer. If the file is a draft already, it is continued at its first empty field.
    #[arg(long)]
    pub(crate) ask: bool,

    /// Begin with the submission in notes, a program, a record, a draft, or a row of a sheet (CSV).
    ///
    /// Ids, statuses and times of a record are left out. If the file has several documents, write the number of one
    /// after a colon; the first row below the header of a sheet is 1.
    #[arg(long, value_name = "FILE[:N]")]
    pub(crate) from: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

impl NewArgs {
    /// The file to write.
    pub(crate) fn file(&self) -> &Path {
        self.file.as_deref().or(self.output.as_deref()).expect("one of the two is required")
    }
}

// The arguments of `init`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("init"))]
pub(crate) struct InitArgs {
    /// Write the hook too, or print its lines if there are hooks already.
    #[arg(long, conflicts_with = "no_hook")]
    pub(crate) hook: bool,

    /// Write no hook, and do not ask.
    #[arg(long)]
    pub(crate) no_hook: bool,

    /// Write only a skill for assistants: how they check, read, fix and explain drafts.
    ///
    /// It is written where assistants look for skills: `.claude/skills/` and `.agents/skills/`.
    #[arg(long, conflicts_with_all = ["hook", "no_hook"])]
    pub(crate) skill: bool,
}

fn request_parser() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::requests().map(Kind::name))
        .map(|name| name.parse().expect("the possible values are the names of kinds"))
}
