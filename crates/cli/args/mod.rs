//! The command line, as clap reads it.

mod about;
mod baseline;
mod begin;
mod check;
mod config;
mod convert;
mod drafts;
mod fix;
mod gate;
mod help;
mod history;
#[cfg(feature = "online")]
mod look;
#[cfg(feature = "lsp")]
mod lsp;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "online")]
mod numbers;
#[cfg(feature = "online")]
mod online;
#[cfg(feature = "page")]
mod page;
mod preview;
#[cfg(feature = "online")]
mod read;
mod rules;
#[cfg(feature = "sandbox")]
mod sandbox;
mod session;
mod shared;
#[cfg(feature = "online")]
mod status;
#[cfg(feature = "online")]
mod submit;
mod text;
mod tips;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use tollproof_core::{Kind, KindChoice, Provider, ReportLanguage, UnknownKind};

pub(crate) use self::about::{CompletionsArgs, Described, NumberArgs, OWN_FILES, RuleArgs, SchemaArgs};
pub(crate) use self::baseline::{BaselineArgs, BaselineCommand};
pub(crate) use self::begin::{InitArgs, NewArgs};
pub(crate) use self::check::CheckArgs;
pub(crate) use self::config::{ConfigCommand, DoctorArgs};
pub(crate) use self::convert::ConvertArgs;
pub(crate) use self::drafts::DraftsArgs;
pub(crate) use self::fix::FixArgs;
pub(crate) use self::gate::{AskArgs, ConfirmArgs, GateArgs, GateStep, ReleaseArgs, ReservedArgs};
#[cfg(feature = "online")]
use self::help::call_help;
use self::help::examples;
pub(crate) use self::help::{first_screen, help};
pub(crate) use self::history::{ExportArgs, HistoryCommand, ImportArgs, ListArgs, NoteArgs, ShowArgs};
#[cfg(feature = "online")]
pub(crate) use self::look::LookArgs;
#[cfg(feature = "lsp")]
pub(crate) use self::lsp::LspArgs;
#[cfg(feature = "mcp")]
pub(crate) use self::mcp::McpArgs;
#[cfg(feature = "online")]
pub(crate) use self::numbers::{
    BuyArgs, CallArgs, FindArgs, NumberStep, SearchArgs, SenderChoice, SendersCommand,
};
#[cfg(feature = "online")]
pub(crate) use self::online::{OnlineArgs, StoreArgs, WaitLimit, YesArgs};
#[cfg(feature = "page")]
pub(crate) use self::page::PageArgs;
pub(crate) use self::preview::PreviewArgs;
#[cfg(feature = "online")]
pub(crate) use self::read::ReadArgs;
pub(crate) use self::rules::{EvalArgs, RulesCommand, TestArgs};
#[cfg(feature = "sandbox")]
pub(crate) use self::sandbox::SandboxArgs;
pub(crate) use self::session::SessionArgs;
pub(crate) use self::shared::{
    FactsArgs, HistoryArgs, PrintArgs, RulesArgs, SizeArgs, TimeArgs, config_choice,
};
#[cfg(feature = "online")]
pub(crate) use self::status::{
    AttemptListArgs, AttemptsArgs, AttemptsStep, ResolveArgs, ReviewEnd, StatusArgs,
};
#[cfg(feature = "online")]
pub(crate) use self::submit::{CancelArgs, SendArgs, SubmitArgs, UpdateArgs};
pub(crate) use self::text::TextArgs;
pub(crate) use crate::output::{PrintFormat, ReportTarget};
pub(crate) use crate::terminal::Color;

/// Checks US and Canadian toll-free verification submissions before you send them.
///
/// It reads drafts in notes, programs, and JSON, YAML, NDJSON, CSV and Excel files, and reports what your provider's API would refuse
/// and what reviewers are likely to reject. `check` works offline. `look` opens the pages that a draft names, `read` sends texts to the
/// reader that you name, and `submit` and similar commands call your provider.
#[derive(Debug, Parser)]
#[command(name = "tollproof", version, after_long_help = examples("tollproof"))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Use of color.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = GLOBAL)]
    pub(crate) color: Color,

    /// Language of findings and reports: en, es or fr.
    ///
    /// Reports for programs, such as JSON, stay English. Without it, a terminal gets the language of the system (LC_ALL,
    /// LC_MESSAGES or LANG), and everything else is English.
    #[arg(long, global = true, value_name = "CODE", help_heading = GLOBAL, hide_short_help = true)]
    pub(crate) language: Option<ReportLanguage>,
}

impl Args {
    /// Parses a command line.
    ///
    /// # Errors
    ///
    /// Errors that clap finds, with tips for words of other tools. Help and version are errors too.
    pub(crate) fn parse_words(words: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut command = Self::command();
        let matches = command.try_get_matches_from_mut(&words);
        let parsed = matches.and_then(|mut matches| {
            SizeArgs::apply(&matches);
            Self::from_arg_matches_mut(&mut matches)
        });
        let parsed = parsed.map_err(|mut error| {
            tips::add_tip(&mut error, &command, &words);
            error.format(&mut command)
        });
        // Leaks the definitions: the process ends soon, and freeing them only takes time.
        std::mem::forget(command);
        parsed
    }
}

/// The heading of options that every command takes.
const GLOBAL: &str = "Global options";

// The types of arguments have comments that clap does not read: it would print them as the help of the command.
/// The commands, in the order of the groups in the help (`help.rs`). clap builds the arguments only of the command that runs.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Write a draft to fill in, with every field explained.
    ///
    /// Each field comes with its meaning, whether it is required, its values, and an example. Required fields are empty,
    /// and `tollproof check` reports those that you have not filled in; optional fields are comments. An existing file is
    /// never changed, except that --ask continues a draft.
    ///
    /// With --ask, tollproof asks for one field after the other, and shows at once what is wrong with an answer. With
    /// --from, the draft has the values of an earlier submission or of a row of a sheet.
    New(NewArgs),
    /// Check drafts and report what is wrong with them.
    ///
    /// In a folder, tollproof reads files that end in .json, .yaml, .yml, .ndjson, .jsonl, .csv, .tsv or .xlsx, and notes and
    /// programs that are sure to have a draft; NDJSON and CSV may be compressed (.gz, .zst). It skips hidden files, files
    /// that git ignores, and documents that are not drafts, such as package.json. A file that you name is always read.
    Check(Box<CheckArgs>),
    /// Open websites, opt-in pages and pictures, and store what is seen.
    ///
    /// Reviewers open the website, the opt-in page and the picture of a draft. This command opens them first: the website,
    /// opt-in pages and pictures, the privacy policy and the terms, links in texts and samples, and the domains of e-mail
    /// addresses. `tollproof check` then judges what was seen, without a network.
    ///
    /// Facts are stored in `.tollproof/facts.ndjson` beside tollproof.yaml, or where `facts:` in it says: one line
    /// for each address, which can be committed and merged. An address is opened again after 14 days
    /// (`facts-max-age:`) or with `--again`; one that did not open is tried again in every run.
    ///
    /// Each address gets a GET request from this machine, without cookies and keys, and name servers are asked for its
    /// host. Nothing else of a draft is sent. Private addresses, also after a redirect, are not opened.
    ///
    /// Pages that are empty without scripts, and opt-in pages with scripts, are rendered in Chromium, Chrome or Edge, if
    /// one is installed. The browser has a new profile, its sandbox, and access to public addresses only; it submits
    /// nothing. Without a browser, such a page is not checked.
    ///
    /// The words of opt-in pictures are read by Tesseract, if it is installed. It gets the picture, and opens nothing.
    ///
    /// With --picture, the browser makes the picture of an opt-in page that providers ask for.
    #[cfg(feature = "online")]
    Look(Box<LookArgs>),
    /// Ask a reader what the texts of drafts mean, and store the answers.
    ///
    /// A reader answers questions about a text: a language model on this machine, one at a provider that you choose, or a
    /// person. The questions are those of rules, such as "Can people get what they come for without agreeing to texts?",
    /// and answers quote the words that decide. `tollproof check` then uses the answers, without a network.
    ///
    /// Answers are stored in `.tollproof/readings.ndjson` beside tollproof.yaml, or where `readings:` in it says: one line
    /// for each draft, which can be committed, merged and reviewed. An answer whose quote is in neither draft nor page is
    /// not stored. When a text or a question changes, it is asked again.
    ///
    /// These leave this machine: the texts of opt-in description, summary, sample and additional information, the use case,
    /// the business name, the addresses of opt-in pages, and what `tollproof look` stored of pages. The contact's name and
    /// address, e-mail addresses and phone numbers in them are replaced. Where it goes is named before it starts; --dry-run
    /// shows all of it and sends nothing.
    ///
    /// The reader comes from your own settings (`reader:`), from TOLLPROOF_READER and variables like it, or from these
    /// options; never from the tollproof.yaml of a project. The key of a server comes from TOLLPROOF_READER_KEY or from
    /// `key-command`. With --export and --import, no reader is needed: paste the file into an assistant, or hand it over.
    #[cfg(feature = "online")]
    Read(Box<ReadArgs>),
    /// List the drafts in files, with the fields that were found.
    ///
    /// Drafts in notes (Markdown, text, mails, HTML), in programs and in commands are found by the fields of a provider.
    /// Only what is listed is checked.
    Drafts(DraftsArgs),
    /// Convert a draft to the format of another provider.
    ///
    /// Values with an exact counterpart are converted. Others are left out and listed on standard error, and the result is
    /// checked.
    Convert(ConvertArgs),
    /// Explain a provider's answer on the lines of your draft.
    ///
    /// The answer is the body of a refused request (400, 404, 422), or a record with the reviewer's reasons, of Bird,
    /// Twilio, Telnyx, Bandwidth, AWS, Infobip or Plivo. It may also be text: an e-mail, or what the provider's console
    /// shows. Codes, titles of reasons and other wordings are recognized.
    ///
    /// Each reason is shown at the field that it is about, with what to change, and with the finding of tollproof if there
    /// is one. The last finding says what to do next.
    Explain(Box<ExplainArgs>),
    /// Write a page to fill in and check drafts in a browser.
    ///
    /// The page is one file that works without a network and without tollproof. What is typed into it stays on the computer.
    #[cfg(feature = "page")]
    Page(PageArgs),
    /// Explain a rule, or list all of them.
    Rule(RuleArgs),
    /// Print a JSON Schema, or explain a field.
    Schema(SchemaArgs),
    /// Show what tollproof understands of a text.
    ///
    /// This is for people who write rules. The output has the language, the sentences and their clauses, and below each
    /// clause the terms of the vocabulary with their groups. A rule names groups as `<group>` in a phrase, and by their
    /// names in the checks `frame`, `topics` and `compare`.
    ///
    /// A file with a draft is shown field by field. Any other file is one text.
    Text(TextArgs),
    /// Show sample messages as a phone does, and what they cost.
    ///
    /// Each sample message of a draft is shown with its encoding, its length, and the number of messages that each
    /// recipient costs. One character that is not in the GSM-7 alphabet, such as a curly quote, more than doubles the
    /// length; such characters are marked, with what to write instead.
    ///
    /// A file that contains no draft is one message.
    ///
    /// With --fields, the fields of each draft are shown in the order of the form, with what to type for each.
    Preview(PreviewArgs),
    /// Show the type of a number or sender name, and what it needs before it can send.
    ///
    /// A sender is a toll-free number, a long code number, a short code number of 4 to 6 digits, or an alphanumeric sender.
    /// A number without + is read as a US or Canadian number; letters in a toll-free number (1-800-FLOWERS) are read as the
    /// digits of their keys. tollproof works offline: it does not know whether the number is yours.
    Number(NumberArgs),
    /// Manage the history of earlier submissions.
    ///
    /// A history is files, or a store: a SQLite file (`sqlite:PATH`) or a PostgreSQL server (`postgres://...`). `list`,
    /// `show` and `export` read files and stores; `import` and `note` need a store.
    #[command(subcommand)]
    History(HistoryCommand),
    /// Check a draft, reserve its number and print the request body.
    ///
    /// The draft is checked with the history. If there is no error, its number is reserved and the body of the request is
    /// printed on standard output; findings go to standard error. If several callers ask at the same time, on any machine
    /// that shares the store, only one gets the number. A number with an open submission or a reservation is always
    /// refused. Warnings do not refuse a draft. An update request is checked and printed; it reserves nothing.
    ///
    /// Afterwards run `gate confirm` with the record of the submission, or `gate release`. Otherwise the reservation ends
    /// after --ttl.
    Gate(Box<GateArgs>),
    /// Submit drafts for verification, each at most once.
    ///
    /// Every draft is checked first. A draft with errors, or whose number has an open submission, is not sent; the others
    /// are. What is about to be sent is written to the history before it is sent: if the answer is lost, or the run is
    /// stopped, the same command continues where it stopped, and sends nothing twice.
    ///
    /// A file may have several drafts, and a folder thousands; they are sent one after the other. The output is a table
    /// with the result for each draft. The key comes from the environment variables of the provider's own tools, or from
    /// `key-command:` in your own settings; it is never stored.
    #[cfg(feature = "online")]
    Submit(Box<SubmitArgs>),
    /// Get the status of submissions, and store it in the history.
    ///
    /// Attempts with an unknown outcome are resolved first: a submission that arrived is stored, and the number of one that did
    /// not is free again. Then the provider is asked about every open submission, and about rejected ones that can still be
    /// changed. The output lists what changed; with numbers or ids, all of them.
    ///
    /// It can run in a scheduler: an older answer never replaces a newer one.
    #[cfg(feature = "online")]
    Status(Box<StatusArgs>),
    /// Send a draft as an update of its submission.
    ///
    /// The id of the submission comes from `--id`, from a `# tollproof: record=ID` comment in the draft, or from
    /// `records:` in tollproof.yaml. Otherwise it is the latest submission of the draft's number in the history. Its
    /// record is fetched first. An approved submission is refused unless --approved is given too, because a change can
    /// cost the approval.
    #[cfg(feature = "online")]
    Update(Box<UpdateArgs>),
    /// Withdraw a submission.
    ///
    /// At most providers this deletes the submission, which cannot be undone; the question says so. An approved submission
    /// is refused unless --approved is given too, because its number could no longer send.
    #[cfg(feature = "online")]
    Cancel(Box<CancelArgs>),
    /// Show senders of other kinds: names, long codes and short codes.
    #[cfg(feature = "online")]
    #[command(subcommand)]
    Senders(SendersCommand),
    /// List what was sent, and resolve unknown outcomes by hand.
    ///
    /// Each submission, update and purchase is written down before it is sent. If its answer is lost, `tollproof status`
    /// asks the provider. Some APIs cannot be asked: then look in the provider's console, and use `attempts resolve`. Until
    /// then the number stays reserved, and nothing more is sent for it.
    #[cfg(feature = "online")]
    Attempts(Box<AttemptsArgs>),
    /// Run a local server that answers as the providers do, to rehearse submissions.
    ///
    /// The sandbox is a server with the providers' APIs: search and buy a number, submit, wait for the review, read the
    /// reasons, update. Nothing is sent to a provider. By default the review uses the rules of tollproof, so `tollproof
    /// explain` leads from a rejection back to your draft.
    ///
    /// It prints the address and the credentials of each provider, and serves until you press Ctrl-C. Its control API is at
    /// /_sandbox: move the clock, plan faults, read what arrived. docs/sandbox.md shows each step with curl, and lists
    /// what the sandbox assumes because no source says it.
    #[cfg(feature = "sandbox")]
    Sandbox(SandboxArgs),
    /// Write a first tollproof.yaml, and a hook that checks commits.
    ///
    /// tollproof.yaml goes into the current folder, with every setting explained. The hook is for pre-commit, at the top of
    /// the repository; on a terminal, tollproof asks whether you want it. Existing files are not changed.
    Init(InitArgs),
    /// Check the setup, and say how to fix each problem.
    ///
    /// It looks at the settings of the current folder and where each is set, at the rules, the history and the baseline
    /// that they name, at the drafts below the folder and their providers, at the hook for commits, and at the schemas of
    /// editors. What is not used is named as such and is not a problem. Nothing is changed, and texts of drafts, reasons
    /// and passwords are not printed.
    Doctor(DoctorArgs),
    /// Show which settings apply to a file.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Manage known findings, so that only new ones count.
    #[command(subcommand)]
    Baseline(BaselineCommand),
    /// Test rules by their examples, and measure them on labelled drafts.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Check drafts in an editor while you type (language server).
    ///
    /// Your editor starts this command and talks to it on standard input and output. docs/editors/ has settings for VS
    /// Code, Neovim, Helix, Zed and JetBrains.
    #[cfg(feature = "lsp")]
    Lsp(Box<LspArgs>),
    /// Check drafts in an assistant, which also answers questions (MCP server).
    ///
    /// Your assistant starts this command and talks to it on standard input and output, in the Model Context Protocol. It
    /// can then check, convert and preview drafts, and answer what rules ask about their texts.
    ///
    /// The command reads no file outside of one folder. It starts no program and opens no connection, unless your own
    /// settings let it submit. It writes one file, the store of readings, when the assistant answers questions about a
    /// file. docs/mcp.md shows how to set it up.
    #[cfg(feature = "mcp")]
    Mcp(McpArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    #[command(after_help = examples("man"))]
    Man,
    /// Print the libraries and data in tollproof, with their licenses.
    Licenses,
}

// The arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("explain"))]
pub(crate) struct ExplainArgs {
    /// The draft that was sent, or `-` for standard input.
    ///
    /// If the file has several drafts, the one with the answer's number is used. Without a draft, codes, a rule, an answer
    /// or --text are explained on their own.
    #[arg(value_name = "DRAFT", required_unless_present = "text")]
    pub(crate) draft: Option<PathBuf>,

    /// The answer: a record, the body of a refused request, or an e-mail; `-`; or codes.
    #[arg(value_name = "ANSWER")]
    pub(crate) answer: Vec<PathBuf>,

    /// The answer as text: what an e-mail or the provider's console says.
    #[arg(
        long,
        value_name = "TEXT",
        conflicts_with = "answer",
        allow_hyphen_values = true,
        help_heading = "Input"
    )]
    pub(crate) text: Option<String>,

    /// Print a prompt for an assistant, which understands free text better.
    ///
    /// Paste it into any chat: it is the text of the answer as it is, a list of codes, and what to do. The assistant answers with codes
    /// and short sentences. Explain those in place of the text: tollproof explain draft.json --text "30513 30475".
    #[arg(long, conflicts_with = "output_format", help_heading = "Input")]
    pub(crate) for_assistant: bool,

    /// The kind of the draft, whatever its field names are.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input", hide_short_help = true)]
    pub(crate) kind: Option<Kind>,

    /// The provider of the draft, whatever its field names are.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) provider: Option<Provider>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    #[command(flatten)]
    pub(crate) seen: FactsArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,

    /// The format of the report, as for `check`; full by default.
    #[arg(long, value_name = "FORMAT[=PATH]", visible_alias = "format", help_heading = "Report")]
    pub(crate) output_format: Vec<ReportTarget>,

    /// Hide personal data: names, addresses, phone numbers.
    ///
    /// This applies to all reports of the run. Places and fingerprints stay the same; fixes that would write such a
    /// value are left out.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,
}

impl ExplainArgs {
    /// The provider and the kind that the command line chooses.
    pub(crate) fn choice(&self) -> KindChoice {
        KindChoice::named(self.provider, self.kind)
    }
}

/// The format of a request body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyEncoding {
    /// JSON.
    Json,
    /// A form: `application/x-www-form-urlencoded`.
    Form,
}

/// Reads a kind; what is near to none of them is told all of them.
fn kind(name: &str) -> Result<Kind, String> {
    name.parse().map_err(|unknown: UnknownKind| match unknown.nearest {
        Some(_) => unknown.to_string(),
        None => {
            format!("{unknown}; use one of {}", Kind::all().map(Kind::name).collect::<Vec<_>>().join(", "))
        }
    })
}
