//! The arguments of `history`.

use clap::Subcommand;
use jiff::Timestamp;

use super::shared::{HistoryArgs, time, time_or_day};
use super::{PrintArgs, examples};

/// Commands for the history.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum HistoryCommand {
    /// Import records from files into a store.
    ///
    /// The files contain verification records as you fetched them, in JSON, NDJSON or YAML, or the output of `history
    /// export`. Every version of a record is kept. Records that are in the store already are skipped, so you can repeat an
    /// import. The import takes all records or none: if a record cannot be read, has no id, no number, or an invalid time,
    /// it is named, nothing is changed and the exit status is 2. Documents that are not records are skipped and named.
    Import(ImportArgs),
    /// List submissions by number: business, status and age.
    ///
    /// The age is the time since the last change of the submission. Only this list shows names of businesses.
    List(ListArgs),
    /// Show everything that is known about a number.
    Show(ShowArgs),
    /// Print all records and notes, one JSON object per line.
    ///
    /// Records are sorted by id and age; notes follow. `history import` reads these lines, and a store that is made from
    /// them prints the same lines. Reservations are left out, because they end soon.
    Export(ExportArgs),
    /// Record when the reviewers' notification was received.
    ///
    /// The 7 days for an answer start then. Without a note they start at the last change of the record, which is an
    /// estimate. The note belongs to the open submission of the number, or to the one that changed last. A new note
    /// replaces an old one.
    Note(NoteArgs),
}

// The arguments of `history import`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("history import"))]
pub(crate) struct ImportArgs {
    /// Files, folders or globs of verification records.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of `history list`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("history list"))]
pub(crate) struct ListArgs {
    /// List only submissions that are neither verified nor rejected.
    #[arg(long)]
    pub(crate) open: bool,

    /// The time to calculate ages with, instead of the current time.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of `history show`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("history show"))]
pub(crate) struct ShowArgs {
    /// A number or its identifier, the id of a submission, or anything that `history list` shows as a number.
    #[arg(value_name = "NUMBER")]
    pub(crate) number: String,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

// The arguments of `history export`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("history export"))]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}

// The arguments of `history note`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("history note"))]
pub(crate) struct NoteArgs {
    /// The number, or its identifier.
    #[arg(value_name = "NUMBER")]
    pub(crate) number: String,

    /// Time the notification was received, such as 2026-11-14T08:00:00Z or 2026-11-14.
    ///
    /// A date without a time means 00:00 UTC, so that no answer is late.
    #[arg(long, value_name = "TIME", value_parser = time_or_day)]
    pub(crate) notified_at: Timestamp,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}
