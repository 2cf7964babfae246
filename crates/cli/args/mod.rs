//! The command line, as clap reads it.

mod about;
mod baseline;
mod begin;
mod config;
mod fix;
mod gate;
mod help;
mod history;
mod session;
mod shared;

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use tollproof_core::{Kind, Severity, UnknownKind};
use tollproof_project::FailOn;

pub(crate) use self::about::{CompletionsArgs, Described, NumberArgs, OwnFile, RuleArgs, SchemaArgs};
pub(crate) use self::baseline::{BaselineArgs, BaselineCommand};
pub(crate) use self::begin::{InitArgs, NewArgs};
pub(crate) use self::config::ConfigCommand;
pub(crate) use self::fix::FixArgs;
pub(crate) use self::gate::{AskArgs, ConfirmArgs, GateArgs, GateStep, ReleaseArgs};
pub(crate) use self::help::help;
pub(crate) use self::history::{ExportArgs, HistoryCommand, ImportArgs, ListArgs, NoteArgs, ShowArgs};
pub(crate) use self::session::SessionArgs;
pub(crate) use self::shared::{HistoryArgs, RulesArgs, SizeArgs, TimeArgs, config_choice};
pub(crate) use crate::output::ReportTarget;
use crate::output::{FORMAT_HELP, FORMAT_LONG_HELP};
pub(crate) use crate::terminal::Color;

/// Proofreads US and Canadian toll-free verification submissions before anyone sends them.
///
/// It reads drafts in JSON, NDJSON and YAML, and says what the interface would refuse and what reviewers
/// are likely to reject. It sends nothing and looks nothing up: all it needs is in the files.
#[derive(Debug, Parser)]
#[command(name = "tollproof", version, after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use color.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL)]
    pub(crate) color: Color,
}

/// The heading of what every command takes.
const GLOBAL: &str = "Global options";

const AFTER_HELP: &str = "\
Examples:
  tollproof check                        every draft below the current folder
  tollproof rule opt-in/vague-description
                                         why a rule exists, with good and bad examples
  tollproof schema submit-request --field useCase
                                         what a field means and which values it takes";

// These stand at the variants, and what the types of arguments are is said in comments that clap does not read: it
// would print those for what the command does.
const CHECK: &str = "Check drafts and say what is wrong with them.\n\n\
        A folder is walked: files that git ignores and hidden files are passed over, and of the others \
        those ending in .json, .ndjson, .jsonl, .yaml or .yml are read. Documents in them that are no \
        drafts (a package.json, say) are skipped. A file that you name is always read.";
const MAN: &str = "\
Examples:
  tollproof man > ~/.local/share/man/man1/tollproof.1
  tollproof man | man -l -";
const RULES_TEST: &str = "Run the examples of your own rules.\n\n\
        A rule must speak on each of its failing examples and be silent on each of its passing ones, and needs \
        one of both at least. The built-in rules run beside it, since a rule may leave a value to another; one \
        that is off by default is turned on.";
const RULES_EVAL: &str = "Count how often each rule speaks on drafts whose fate is known.\n\n\
        The file has one JSON object a line:\n\n  \
        label          good, bad, or any other word: such drafts are counted apart\n  \
        field          the field that the label is about; without it, the whole draft\n  \
        draft          the draft itself\n  \
        id             what the report calls the draft; its line if it is absent\n  \
        expect_any_of  concepts of rules, one of which should be found in a bad draft\n  \
        tolerate       concepts that are fair to report on a good draft\n\n\
        Other keys do not matter. The report holds ids and rules, and nothing of the drafts. tollproof.yaml is \
        not read.";

const NUMBER: &str = "Show what kind of sender a number or name is, and what it needs before it can send.\n\n\
        A sender is a toll-free number, a long code number, a short code number of 4 to 6 digits, or an \
        alphanumeric sender. A number without + is read as one of the US or Canada; letters in a toll-free \
        number (1-800-FLOWERS) as the digits of their keys. Nothing is looked up: whether the number is yours \
        is not known.";

const EXPLAIN: &str = "Explain a provider's answer on the lines of the draft that was sent.\n\n\
        The answer is the body of a refused request (400, 404, 422), or a verification record with what the \
        reviewers said. Each reason is shown at its value, under the rule that prevents it if there is one; \
        the last finding says what to do next.";
const HISTORY: &str = "Manage the history of earlier submissions.\n\n\
        A history is kept in files, in SQLite (`sqlite:PATH`) or on a server of PostgreSQL (`postgres://...`). \
        Files are read by `list`, `show` and `export` as well; `import` and `note` need a store.";
const GATE: &str = "Check a draft, reserve its number and print the request body.\n\n\
        The draft is checked with all that the history knows. If there is no error, its number is \
        reserved and the exact body of the request is printed on standard output; findings go to standard \
        error. Of any number of callers at the same time, on any machine that shares the store, one gets the \
        number. An open submission and a reservation refuse a draft whatever the configuration says of those \
        rules. Warnings do not refuse. An update request is checked and printed; it reserves nothing.\n\n\
        Afterwards `gate confirm` with the record of the submission, or `gate release`; a reservation that is \
        neither ends after --ttl.";

const NEW: &str = "Write a draft to be filled in, with every field explained.\n\n\
        Each field stands with what it means, whether it is required, which values it takes, and an example. \
        Required fields are blank, and `tollproof check` names those that still are; optional ones are comments. \
        A file that is there already is never touched.";

const INIT: &str = "Write a first tollproof.yaml, and a hook that checks the drafts of each commit.\n\n\
        The settings are a tollproof.yaml in the current folder, every one explained. The hook is for pre-commit, at \
        the top of the repository. On a terminal it is asked for. What is there already stays as it is.";

/// What to do, in the order of the groups that the help shows (`help.rs`). Only the command that was asked for has its arguments made.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Write a draft to be filled in, with every field explained.
    #[command(long_about = NEW)]
    New(NewArgs),
    /// Check drafts and report what is wrong with them.
    #[command(long_about = CHECK)]
    Check(Box<CheckArgs>),
    /// Explain a provider's answer on the lines of the draft that was sent.
    #[command(long_about = EXPLAIN)]
    Explain(Box<ExplainArgs>),
    /// Explain a rule, or list all of them.
    Rule(RuleArgs),
    /// Print the JSON Schema of a kind of document or of a settings file, or explain a field.
    Schema(SchemaArgs),
    /// Show what kind of sender a number or name is, and what it needs before it can send.
    #[command(long_about = NUMBER)]
    Number(NumberArgs),
    /// Manage the history of earlier submissions.
    #[command(subcommand, long_about = HISTORY)]
    History(HistoryCommand),
    /// Check a draft, reserve its number and print the request body.
    #[command(long_about = GATE)]
    Gate(Box<GateArgs>),
    /// Write a first tollproof.yaml, and a hook that checks the drafts of each commit.
    #[command(long_about = INIT)]
    Init(InitArgs),
    /// Show which settings apply to a file.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage known findings, so that only new ones count.
    #[command(subcommand)]
    Baseline(BaselineCommand),
    /// Test rules by their examples, and measure them on labelled drafts.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    #[command(after_help = MAN)]
    Man,
    /// Print the libraries and data that tollproof contains, with their licenses.
    Licenses,
}

// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "\
Examples:
  tollproof check drafts/           a folder
  tollproof check drafts/ --diff    what --fix would change",
    after_long_help = "\
Examples:
  tollproof check drafts/                   a folder
  tollproof check --kind update-request fix.yaml
  cat draft.json | tollproof check -        standard input
  tollproof check --output-format concise   one line a finding
  tollproof check --output-format full --output-format json=report.json
  tollproof check --ignore contact,message/missing-brand
  tollproof check drafts/ --history records/
  tollproof check drafts/ --diff            what --fix would change
  tollproof check --changed=origin/main     what this branch changes

Exit status:
  0  nothing at or above --fail-on; an empty --diff
  1  findings; a --diff that is not empty
  2  could not run, or a file could not be opened or fixed"
)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,

    /// Check again whenever a checked file, the configuration or a rule changes, until Ctrl-C ends it.
    #[arg(long, conflicts_with = "fix", help_heading = "Input", hide_short_help = true)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) fixes: FixArgs,

    /// Fail on findings this severe: error, warning, info or never.
    ///
    /// The exit status is 1 then. Without it, `fail-on:` in tollproof.yaml counts, or error.
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on_parser(), hide_possible_values = true, help_heading = "Report")]
    pub(crate) fail_on: Option<FailOn>,

    /// Exit with status 0 whatever is found: the same as --fail-on never.
    #[arg(long, conflicts_with = "fail_on", help_heading = "Report", hide_short_help = true)]
    pub(crate) exit_zero: bool,

    /// Hide less severe findings.
    ///
    /// One of error, warning and info. The exit status stays the same.
    #[arg(
        long,
        value_name = "SEVERITY",
        default_value = "warning",
        value_parser = severity_parser(),
        hide_possible_values = true,
        help_heading = "Report"
    )]
    pub(crate) min_severity: Severity,

    /// Findings that are known and do not count, as `tollproof baseline write` wrote them.
    ///
    /// Without it, `baseline:` in tollproof.yaml counts.
    #[arg(long, value_name = "FILE", help_heading = "Report", hide_short_help = true)]
    pub(crate) baseline: Option<PathBuf>,

    #[arg(
        long,
        value_name = "FORMAT[=PATH]",
        visible_alias = "format",
        help = FORMAT_HELP,
        long_help = FORMAT_LONG_HELP,
        help_heading = "Report"
    )]
    pub(crate) output_format: Vec<ReportTarget>,

    /// Hide personal data: names, addresses, phone numbers.
    ///
    /// It holds for all reports of the run. Places and fingerprints stay what they are; a fix that would write such
    /// a value is left out.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,

    /// Count the findings of each rule.
    #[arg(long, help_heading = "Report", hide_short_help = true)]
    pub(crate) statistics: bool,

    /// Print the summary line only.
    #[arg(short, long, help_heading = "Report")]
    pub(crate) quiet: bool,
}

impl CheckArgs {
    /// The least severity that the command line lets fail a run, if it names one.
    pub(crate) fn fail_on(&self) -> Option<FailOn> {
        if self.exit_zero { Some(FailOn::Never) } else { self.fail_on }
    }
}

// The arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof explain draft.json answer.json
  tollproof explain drafts.yaml record.json --notified-at 2026-11-14T08:00:00Z

Exit status:
  0  the answer gives no reason against the draft
  1  it does
  2  could not run")]
pub(crate) struct ExplainArgs {
    /// The draft that was sent, or `-` for standard input; of several in the file, the one with the answer's number.
    #[arg(value_name = "DRAFT")]
    pub(crate) draft: PathBuf,

    /// What came back: an error response or a verification record.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: PathBuf,

    /// What the draft is, whatever its keys say.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input")]
    pub(crate) kind: Option<Kind>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,

    /// How to print it: any of the formats of `check`; full by default.
    #[arg(long, value_name = "FORMAT[=PATH]", visible_alias = "format", help_heading = "Report")]
    pub(crate) output_format: Vec<ReportTarget>,

    /// Hide personal data: names, addresses, phone numbers.
    ///
    /// It holds for all reports of the run. Places and fingerprints stay what they are; a fix that would write such
    /// a value is left out.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,
}

/// What to do with many rules at once.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum RulesCommand {
    /// Run the examples of your own rules.
    #[command(long_about = RULES_TEST)]
    Test(TestArgs),
    /// Measure rules on drafts with a known outcome.
    #[command(long_about = RULES_EVAL)]
    Eval(EvalArgs),
}

// The arguments of `rules test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof rules test mine/

Exit status:
  0  all examples hold
  1  one does not, or a rule lacks a passing or a failing one
  2  could not run, or a rule file is wrong")]
pub(crate) struct TestArgs {
    /// The folder of the rules, as `check --rules` takes it.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

// The arguments of `rules eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tollproof rules eval verdicts.ndjson
  tollproof rules eval verdicts.ndjson --rules mine/ --output-format json

Exit status:
  0  measured, whatever came out
  2  could not run, or a line cannot be read")]
pub(crate) struct EvalArgs {
    /// The labelled drafts, one a line.
    #[arg(value_name = "LABELLED.ndjson")]
    pub(crate) labelled: PathBuf,

    /// Add the rules below a folder; may be repeated.
    #[arg(long, value_name = "DIR")]
    pub(crate) rules: Vec<PathBuf>,

    /// How to print it.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

/// What `--fail-on` takes.
fn fail_on_parser() -> impl TypedValueParser<Value = FailOn> {
    let help = |it| match it {
        FailOn::Error => "Errors",
        FailOn::Warning => "Errors and warnings",
        FailOn::Info => "Any finding",
        FailOn::Never => "No finding",
    };
    PossibleValuesParser::new(FailOn::ALL.map(|it| PossibleValue::new(it.name()).help(help(it)))).map(
        |name| {
            let mut all = FailOn::ALL.into_iter();
            all.find(|it| it.name() == name).expect("the possible values are the names of these")
        },
    )
}

/// How commands print that report no findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// For people.
    Full,
    /// For programs.
    Json,
}

fn severity_parser() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["error", "warning", "info"])
        .map(|name| name.parse().expect("the possible values are the names of severities"))
}

/// Reads a kind; what is near to none of them is told all of them.
fn kind(name: &str) -> Result<Kind, String> {
    name.parse().map_err(|unknown: UnknownKind| match unknown.nearest {
        Some(_) => unknown.to_string(),
        None => format!("{unknown}; use one of {}", Kind::ALL.map(Kind::name).join(", ")),
    })
}
