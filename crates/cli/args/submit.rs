//! The arguments of `submit`, `update` and `cancel`.

use std::path::PathBuf;

use super::online::{OnlineArgs, ProviderArgs, StoreArgs, WaitArgs, YesArgs};
use super::shared::{PrintArgs, RulesArgs, SizeArgs, TimeArgs};
use super::{call_help, examples};

const SEVERAL: &str =
    "\n\nWith several drafts, the status is the first of 6, 2, 4, 7, 5, 3, 1 that occurred.";

// The arguments of `submit`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("submit"), after_long_help = call_help("submit, long", "all drafts were submitted, now or earlier") + SEVERAL)]
pub(crate) struct SubmitArgs {
    /// Files or folders with submit requests, or `-` for standard input.
    #[arg(value_name = "DRAFT", required = true)]
    pub(crate) drafts: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) send: SendArgs,
}

// How drafts are sent.
#[derive(Debug, clap::Args)]
pub(crate) struct SendArgs {
    #[command(flatten)]
    pub(crate) provider: ProviderArgs,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// Print the requests, also as commands of curl, and send nothing. Needs no key.
    #[arg(long, conflicts_with_all = ["yes", "wait", "output_format"])]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) yes: YesArgs,

    #[command(flatten)]
    pub(crate) wait: WaitArgs,

    #[command(flatten)]
    pub(crate) draft: DraftArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// How drafts are checked before they are sent.
#[derive(Debug, clap::Args)]
pub(crate) struct DraftArgs {
    /// The number of a draft that does not contain it.
    ///
    /// Some providers take the number apart from the draft.
    #[arg(long, value_name = "NUMBER", hide_short_help = true)]
    pub(crate) number: Option<String>,

    /// Send a draft again that was rejected as it is.
    #[arg(long, hide_short_help = true)]
    pub(crate) again: bool,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,

    /// Hide personal data in the findings, and in what `--dry-run` shows.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,
}

// The arguments of `update`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("update"), after_long_help = call_help("update", "the submission is updated"))]
pub(crate) struct UpdateArgs {
    /// The draft: one update request, or a submit request that was fixed; `-` for standard input.
    #[arg(value_name = "DRAFT")]
    pub(crate) file: PathBuf,

    /// The id of the submission.
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Change it even if it is approved.
    #[arg(long)]
    pub(crate) approved: bool,

    #[command(flatten)]
    pub(crate) send: SendArgs,
}

// The arguments of `cancel`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("cancel"), after_long_help = call_help("cancel", "the submission is withdrawn"))]
pub(crate) struct CancelArgs {
    /// The id of the submission, or its number.
    #[arg(value_name = "ID|NUMBER")]
    pub(crate) name: String,

    /// Withdraw it even if it is approved.
    #[arg(long)]
    pub(crate) approved: bool,

    /// Only note that the provider does not have it any more, as you have seen in its console. Its number is free then.
    #[arg(long, conflicts_with = "approved")]
    pub(crate) gone: bool,

    #[command(flatten)]
    pub(crate) yes: YesArgs,

    #[command(flatten)]
    pub(crate) provider: ProviderArgs,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}
