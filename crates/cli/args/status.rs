//! The arguments of `status` and `attempts`.

use std::path::PathBuf;

use clap::Subcommand;
use jiff::Timestamp;
use tollproof_core::Provider;

use super::online::{OnlineArgs, StoreArgs, WaitArgs, YesArgs};
use super::shared::{PrintArgs, time};
use super::{call_help, examples};

// The arguments of `status`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("status"), after_long_help = call_help("status", "the provider answered; with --wait, the reviews ended"))]
pub(crate) struct StatusArgs {
    /// Numbers, or ids of submissions; without them, all that are open.
    #[arg(value_name = "NUMBER|ID", conflicts_with = "all")]
    pub(crate) names: Vec<String>,

    /// Ask about everything that is open, as without numbers.
    #[arg(long)]
    pub(crate) all: bool,

    /// Take in all submissions that the provider has.
    #[arg(long)]
    pub(crate) import: bool,

    /// Write the deadlines for answers to reviewers to a calendar file.
    ///
    /// It has an event for each submission that waits for an answer, and is replaced each time.
    #[arg(long, value_name = "FILE.ics")]
    pub(crate) calendar: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) wait: WaitArgs,

    /// The provider; without it, every provider in the history.
    #[arg(long, value_name = "NAME", help_heading = "Provider")]
    pub(crate) provider: Option<Provider>,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    /// The time to calculate with, instead of the current time.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "History", hide_short_help = true)]
    pub(crate) now: Option<Timestamp>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of `attempts`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = examples("attempts")
)]
pub(crate) struct AttemptsArgs {
    #[command(subcommand)]
    pub(crate) step: Option<AttemptsStep>,

    #[command(flatten)]
    pub(crate) list: AttemptListArgs,
}

// What to do with attempts.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum AttemptsStep {
    /// List the attempts, the newest first.
    List(AttemptListArgs),
    /// Say what became of an attempt, after a look in the provider's console.
    ///
    /// Use it only where `tollproof status` says that the provider cannot be asked. If you say that nothing arrived
    /// although it did, the number can be submitted twice. `--ended` notes how a review ended that cannot be followed:
    /// after `rejected`, the number is free again.
    Resolve(ResolveArgs),
}

// The arguments of `attempts list`.
#[derive(Debug, clap::Args)]
pub(crate) struct AttemptListArgs {
    /// Only attempts whose outcome is unknown.
    #[arg(long)]
    pub(crate) open: bool,

    /// Only attempts at this provider.
    #[arg(long, value_name = "NAME", help_heading = "Provider")]
    pub(crate) provider: Option<Provider>,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

/// An id, which an empty variable of a shell is not, and a whole answer neither.
fn id(text: &str) -> Result<String, String> {
    const LONGEST: usize = 200;
    let id = text.trim();
    if id.is_empty() {
        return Err("it is empty; copy the id from the console".to_owned());
    }
    if id.len() > LONGEST || id.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
        return Err("this is not an id; copy the id alone from the console".to_owned());
    }
    Ok(id.to_owned())
}

/// The end of a review.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ReviewEnd {
    Verified,
    Rejected,
}

// The arguments of `attempts resolve`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("outcome").required(true).multiple(true).args(["arrived", "nothing_arrived", "ended"])))]
pub(crate) struct ResolveArgs {
    /// The token of the attempt, or its beginning.
    #[arg(value_name = "TOKEN")]
    pub(crate) token: String,

    /// It arrived, and this is the id in the console.
    #[arg(long, value_name = "ID", value_parser = id)]
    pub(crate) arrived: Option<String>,

    /// The console shows that nothing arrived, so that it can be sent again.
    #[arg(long, conflicts_with_all = ["arrived", "ended"])]
    pub(crate) nothing_arrived: bool,

    /// The review of the submission ended so, as the console shows.
    #[arg(long, value_name = "HOW")]
    pub(crate) ended: Option<ReviewEnd>,

    #[command(flatten)]
    pub(crate) yes: YesArgs,

    #[command(flatten)]
    pub(crate) online: OnlineArgs,

    #[command(flatten)]
    pub(crate) store: StoreArgs,
}
