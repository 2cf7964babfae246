//! The arguments of `gate`.

use std::path::PathBuf;

use clap::Subcommand;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};
use tollproof_history::{MAX_TTL, MIN_TTL};

use super::shared::{FactsArgs, HistoryArgs, RulesArgs, TimeArgs, time};
use super::{BodyEncoding, ReportTarget, examples};

// The arguments of `gate`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = examples("gate"),
    after_long_help = examples("gate, long")
)]
pub(crate) struct GateArgs {
    #[command(subcommand)]
    pub(crate) step: Option<GateStep>,

    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

// What to do after sending.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum GateStep {
    /// Store the record of a submission that was sent, and end the reservation of its number.
    ///
    /// Both happen in one step, so the number is never free in between. The answer to a submit request is not a record:
    /// fetch the record of the new submission first.
    Confirm(ConfirmArgs),
    /// Release a number that was reserved and will not be sent.
    ///
    /// The exit status is 0 if the number is now free, and 1 if it is reserved under another token.
    Release(ReleaseArgs),
    /// List the numbers that are reserved.
    List(ReservedArgs),
}

// The arguments of `gate DRAFT`.
#[derive(Debug, clap::Args)]
pub(crate) struct AskArgs {
    /// The draft: one submit request or one update request; `-` for standard input.
    #[arg(value_name = "DRAFT", required = true)]
    pub(crate) draft: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    /// Time to keep the number reserved: 90s, 15m, 2h.
    ///
    /// From 1 second to 7 days. Confirming or releasing ends it earlier.
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = ttl)]
    pub(crate) ttl: SignedDuration,

    #[command(flatten)]
    pub(crate) time: TimeArgs,

    #[command(flatten)]
    pub(crate) seen: FactsArgs,

    /// The number of a draft that does not contain it.
    ///
    /// Some providers take the number apart from the draft.
    #[arg(long, value_name = "NUMBER", help_heading = "History", hide_short_help = true)]
    pub(crate) number: Option<String>,

    /// Format of the body: `json`, or `form` for a provider that takes forms.
    #[arg(long, value_name = "FORMAT", default_value = "json", hide_short_help = true)]
    pub(crate) body: BodyEncoding,

    /// The record that an update request changes.
    #[arg(long, value_name = "FILE", help_heading = "History", hide_short_help = true)]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    /// The format of the findings, as for `check`.
    ///
    /// They go to standard error, or with `=PATH` to a file. `full` by default. May be repeated.
    #[arg(long, value_name = "FORMAT[=PATH]", visible_alias = "format", help_heading = "Report")]
    pub(crate) output_format: Vec<ReportTarget>,

    /// Hide personal data in the findings.
    ///
    /// The printed body is not changed.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,

    /// Print only the summary line of the findings.
    #[arg(short, long, help_heading = "Report")]
    pub(crate) quiet: bool,
}

// The arguments of `gate confirm`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConfirmArgs {
    /// The verification record of the submission, as you fetched it; `-` for standard input.
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,

    /// The number of a record that does not contain it.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) number: Option<String>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}

// The arguments of `gate release`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReleaseArgs {
    /// The number, or its identifier, as in the draft.
    #[arg(value_name = "NUMBER")]
    pub(crate) number: String,

    /// Release it only if it is reserved under this token, which the gate printed on standard error.
    #[arg(long, value_name = "TOKEN")]
    pub(crate) token: Option<String>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}

// The arguments of `gate list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReservedArgs {
    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    /// The time to compare with, instead of the current time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,
}

/// Parses the time for which a number can be reserved.
fn ttl(text: &str) -> Result<SignedDuration, String> {
    let span = text.parse::<Span>();
    // A day has 24 hours, whatever the time zone.
    let ttl = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours())).ok();
    ttl.filter(|ttl| (MIN_TTL..=MAX_TTL).contains(ttl))
        .ok_or_else(|| "use a time from 1s (1 second) to 7d (7 days), such as 15m".to_owned())
}
