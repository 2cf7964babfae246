//! The arguments of `rules`.

use std::path::PathBuf;

use clap::Subcommand;
#[cfg(feature = "online")]
use tollproof_online::{ReaderChoice, ReaderKind};

use super::{PrintArgs, SizeArgs, examples};

/// Commands for rules.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum RulesCommand {
    /// Run the examples of your own rules.
    ///
    /// A rule must report each of its failing examples and none of its passing ones, and needs at least one of each. The
    /// built-in rules run too, because a rule may leave a value to another rule. A rule that is off by default is turned
    /// on.
    Test(TestArgs),
    /// Measure rules on drafts or sentences with a known outcome.
    #[command(long_about = examples("rules eval, about"))]
    Eval(EvalArgs),
}

// The arguments of `rules test`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("rules test"))]
pub(crate) struct TestArgs {
    /// The folder of the rules, as `check --rules` takes it, or the file of one rule.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

// The arguments of `rules eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("rules eval"))]
pub(crate) struct EvalArgs {
    /// The labelled drafts or sentences, one per line. With --reader, sixty drafts of tollproof's own are the default.
    #[arg(value_name = "LABELLED.ndjson")]
    #[cfg_attr(feature = "online", arg(required_unless_present = "reader"))]
    #[cfg_attr(not(feature = "online"), arg(required = true))]
    pub(crate) file: Option<PathBuf>,

    /// The file contains sentences, not drafts.
    #[arg(long)]
    pub(crate) sentences: bool,

    /// Measure only the sentences with this value of `split`.
    #[arg(long, value_name = "NAME", requires = "sentences")]
    pub(crate) split: Option<String>,

    /// Also use the readings in a file, and compare what words find with what readings find.
    #[arg(long, value_name = "FILE", conflicts_with = "sentences")]
    pub(crate) readings: Option<PathBuf>,

    /// The same with answers that are kept by the ids of the drafts, without words of the drafts.
    ///
    /// Each line is an object with `id`, `answers` by question, and the lists `unsure` and `quoted` of questions.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sentences", "readings"])]
    pub(crate) answers: Option<PathBuf>,

    /// Ask a reader about the drafts, and say what its answers are worth: the one that is named, or one of this kind.
    #[cfg(feature = "online")]
    #[arg(long, value_name = "KIND", num_args = 0..=1, conflicts_with_all = ["sentences", "readings", "answers"], help_heading = "Reader")]
    pub(crate) reader: Option<Option<ReaderKind>>,

    /// The address of the reader's server.
    #[cfg(feature = "online")]
    #[arg(long, value_name = "URL", requires = "reader", help_heading = "Reader", hide_short_help = true)]
    pub(crate) url: Option<String>,

    /// The model of the server.
    #[cfg(feature = "online")]
    #[arg(long, value_name = "NAME", requires = "reader", help_heading = "Reader", hide_short_help = true)]
    pub(crate) model: Option<String>,

    /// The program that reads.
    #[cfg(feature = "online")]
    #[arg(
        long,
        value_name = "PROGRAM",
        requires = "reader",
        help_heading = "Reader",
        hide_short_help = true
    )]
    pub(crate) command: Option<String>,

    /// Add the rules in a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) rules: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) print: PrintArgs,

    /// Quote texts: words with false errors, and sentences with a wrong result.
    ///
    /// Without it, the report contains ids and rules, and no text of the file.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

#[cfg(feature = "online")]
impl EvalArgs {
    /// The reader to ask, as far as the command line names it; `None` if none is asked.
    pub(crate) fn reader(&self) -> Option<ReaderChoice> {
        let (url, model, command) = (self.url.clone(), self.model.clone(), self.command.clone());
        self.reader.map(|kind| ReaderChoice { kind, url, model, command })
    }
}
