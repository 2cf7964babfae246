//! The arguments of `read`.

use std::path::PathBuf;

use clap::value_parser;
use tollproof_online::{ReaderChoice, ReaderKind};

use super::online::KindArgs;
use super::shared::{PrintArgs, SizeArgs};
use super::{RulesArgs, examples};

// The arguments of `read`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("read"), after_long_help = examples("read, long"))]
pub(crate) struct ReadArgs {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The file in which to store the answers.
    ///
    /// Without it, `readings:` in tollproof.yaml applies, or else `.tollproof/readings.ndjson` beside it.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) readings: Option<PathBuf>,

    /// The file with facts about pages: what they say is asked about too.
    ///
    /// Without it, `facts:` in tollproof.yaml applies, or else `.tollproof/facts.ndjson` beside it, if it exists.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) facts: Option<PathBuf>,

    /// Ask all questions again, also those that have an answer.
    #[arg(long)]
    pub(crate) again: bool,

    /// Show what would be sent, to the byte, and send nothing.
    #[arg(long, conflicts_with_all = ["export", "import"])]
    pub(crate) dry_run: bool,

    /// Ask about this many drafts at most; the others wait for the next run.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_drafts: Option<u32>,

    /// Drafts to ask about in parallel, from 1 to 32.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u16).range(1..=32), hide_short_help = true)]
    pub(crate) jobs: u16,

    /// Reader: `openai` (any server with that API, also on this machine), `anthropic`, or `command`.
    #[arg(long, value_name = "KIND", help_heading = "Reader")]
    pub(crate) reader: Option<ReaderKind>,

    /// The address of the server: https, or this machine. For `openai`, up to the part before `/chat/completions`.
    #[arg(long, value_name = "URL", help_heading = "Reader")]
    pub(crate) url: Option<String>,

    /// The model of the server.
    #[arg(long, value_name = "NAME", help_heading = "Reader")]
    pub(crate) model: Option<String>,

    /// The program that reads: it gets a request as a line of JSON, and prints the answers as JSON.
    #[arg(long, value_name = "PROGRAM", help_heading = "Reader")]
    pub(crate) command: Option<String>,

    /// Write the questions to a file, or with `-` to standard output.
    ///
    /// A name that ends in `.txt` or `.md` gets them in words, to paste into any chat; any other gets a line of JSON for each
    /// draft.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import", "reader", "url", "model", "command"], help_heading = "Without a reader")]
    pub(crate) export: Option<PathBuf>,

    /// Store the answers in a file, or with `-` those on standard input: JSON, or what a chat or a person wrote.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["reader", "url", "model", "command", "again", "max_drafts"], help_heading = "Without a reader")]
    pub(crate) import: Option<PathBuf>,

    /// Overwrite the file of --export if it exists.
    #[arg(long, requires = "export", help_heading = "Without a reader", hide_short_help = true)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,

    #[command(flatten)]
    pub(crate) print: PrintArgs,
}

impl ReadArgs {
    /// The reader, as far as the command line names it.
    pub(crate) fn reader(&self) -> ReaderChoice {
        let (url, model, command) = (self.url.clone(), self.model.clone(), self.command.clone());
        ReaderChoice { kind: self.reader, url, model, command }
    }
}
