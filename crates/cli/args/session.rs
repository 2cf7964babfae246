//! Options of a session: which files are checked, with which rules and which history.

use std::path::PathBuf;

use tollproof_core::{Kind, KindChoice, Provider};

use super::{FactsArgs, HistoryArgs, RulesArgs, TimeArgs, kind};

// The arguments of a session over files.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// The kind of every document, whatever its field names are.
    ///
    /// In a folder, documents without any field of this kind are skipped.
    ///
    /// One of submit-request, update-request, verification-record, number-purchase, number-search and
    /// error-response. Without it, tollproof detects the kind from a `# tollproof: kind=...` comment, from `kinds:`
    /// in tollproof.yaml, or from the field names.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input")]
    pub(crate) kind: Option<Kind>,

    /// The provider of every document, whatever its field names are.
    ///
    /// One of bird, aws, bandwidth, bulk-csv, infobip, pinnacle, plivo, surge, telnyx, twilio and vonage. Without it,
    /// tollproof detects the provider from a `# tollproof: provider=...` comment, from `provider:` in tollproof.yaml, or
    /// from the field names.
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) provider: Option<Provider>,

    /// Check the drafts as if they were for this provider.
    ///
    /// Each draft is converted as by `tollproof convert`, and the findings are shown in the draft.
    #[arg(long = "for", value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub(crate) judged_by: Option<Provider>,

    /// The name of standard input in reports.
    ///
    /// Its extension decides the format, and the settings of its folder apply.
    #[arg(long, value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub(crate) stdin_filename: Option<String>,

    /// Apply folder rules to named files: `exclude` in tollproof.yaml, and skip what is not a draft.
    ///
    /// Having nothing to check is then not an error. For hooks, which name every file of a commit.
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub(crate) force_exclude: bool,

    /// Check only files that changed since a git commit.
    ///
    /// The commit is HEAD, or the merge base of REF and HEAD. Committed, uncommitted and untracked changes
    /// count. The other drafts are read for their numbers, as with --also-read.
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "HEAD", help_heading = "Input")]
    pub(crate) changed: Option<String>,

    /// Read the numbers of these drafts too, without reporting on them.
    ///
    /// A draft with the same number as one of them is an error. May be repeated.
    #[arg(long, value_name = "PATH", help_heading = "Input", hide_short_help = true)]
    pub(crate) also_read: Vec<PathBuf>,

    /// Show on standard error which files were skipped, and why.
    ///
    /// Hidden files and files that git ignores are not listed.
    #[arg(short, long, help_heading = "Input", hide_short_help = true)]
    pub(crate) verbose: bool,

    /// The number of threads that check files; by default, the number of cores.
    ///
    /// The report is the same for any number. Small inputs are checked without threads.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    /// The record that the draft updates.
    ///
    /// An update request does not contain its record. Use this option for a single draft; otherwise name the record
    /// by its id in the history, with a `# tollproof: record=ID` comment or `records:` in tollproof.yaml.
    #[arg(long, value_name = "FILE", help_heading = "History", hide_short_help = true)]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) seen: FactsArgs,

    #[command(flatten)]
    pub(crate) time: TimeArgs,
}

impl SessionArgs {
    /// The number of threads; 0 for the number of cores.
    pub(crate) fn jobs(&self) -> usize {
        self.jobs.map_or(0, usize::from)
    }

    /// The provider and the kind that the command line chooses.
    pub(crate) fn choice(&self) -> KindChoice {
        KindChoice::named(self.provider, self.kind)
    }
}
