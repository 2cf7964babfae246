//! The arguments of `history`.

use clap::Subcommand;
use jiff::Timestamp;

use super::PrintFormat;
use super::shared::{HistoryArgs, time};

/// What to do with the history.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum HistoryCommand {
    /// Take records from files into a store.
    #[command(long_about = IMPORT)]
    Import(ImportArgs),
    /// List submissions by number: business, status and age.
    #[command(long_about = LIST)]
    List(ListArgs),
    /// Show all that is known of a number.
    Show(ShowArgs),
    /// Print all records and notes, one JSON object a line.
    #[command(long_about = EXPORT)]
    Export(ExportArgs),
    /// Note when the authority's notification was received.
    #[command(long_about = NOTE)]
    Note(NoteArgs),
}

const IMPORT: &str = "Take records from files into a store.\n\n\
        The files hold verification records as they were fetched, in JSON, NDJSON or YAML, or what `history \
        export` has printed. Every version of a record is kept; what the store has already is passed over, so \
        that an import may be repeated. All is taken or nothing: where a record cannot be read, has no id or no \
        number, or has a time that is none, each such record is named, nothing is changed and the exit status \
        is 2. Documents that are no records are passed over and named.";
const LIST: &str = "List submissions by number: business, status and age.\n\n\
        The age is the time since the newest record of the submission was changed. The list shows the names of the \
        businesses; other messages about a history never do.";
const EXPORT: &str = "Print all records and notes, one JSON object a line.\n\n\
        Records come by id and age, then the notes. `history import` takes the lines again, and a store that \
        is made of them prints the same lines. Reservations are left out: they are over soon.";
const NOTE: &str = "Note when the authority's notification was received.\n\n\
        The 7 days for an answer count from there; without a note, they count from the last change of the \
        record, which is an estimate. The note belongs to the open submission of the number, or to the one that \
        changed last. A later note takes the place of an earlier one.";

// The arguments of `history import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof history import records/ --history sqlite:past.db
  tollproof history import 'fetched/*.json' --history postgres://ana@db.example/past?sslmode=verify-full

Exit status:
  0  all records are in the store
  2  nothing was changed: a record cannot be taken, or the store cannot be written to")]
pub(crate) struct ImportArgs {
    /// Files, folders or globs of verification records.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,
}

// The arguments of `history list`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof history list --history sqlite:past.db
  tollproof history list --open
  tollproof history list --history records/ --output-format json")]
pub(crate) struct ListArgs {
    /// List only submissions that are neither verified nor rejected.
    #[arg(long)]
    pub(crate) open: bool,

    /// The time that ages are counted to, instead of the clock's.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) now: Option<Timestamp>,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,
}

// The arguments of `history show`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof history show 9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9 --history sqlite:past.db")]
pub(crate) struct ShowArgs {
    /// The UUID of a number, or any number that the history knows.
    #[arg(value_name = "NUMBER")]
    pub(crate) number: String,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,
}

// The arguments of `history export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof history export --history sqlite:past.db > past.ndjson")]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}

// The arguments of `history note`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof history note 9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9 \\
      --notified-at 2026-11-14T08:00:00Z --history sqlite:past.db")]
pub(crate) struct NoteArgs {
    /// The UUID of a number.
    #[arg(value_name = "NUMBER")]
    pub(crate) number: String,

    /// When the notification was received, such as 2026-11-14T08:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(crate) notified_at: Timestamp,

    #[command(flatten)]
    pub(crate) source: HistoryArgs,
}
