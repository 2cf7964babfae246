//! Options of a session: which files are checked, by which rules, and what is known of their numbers.

use std::path::PathBuf;

use tollproof_core::Kind;

use super::{HistoryArgs, RulesArgs, TimeArgs, kind};

// What a session over files needs.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    /// Files, folders, or `-` for standard input.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) paths: Vec<PathBuf>,

    /// What every document is, whatever its keys say.
    ///
    /// Below a folder it holds for documents that have a field of this kind; others are skipped.
    ///
    /// One of submit-request, update-request, verification-record, number-purchase, number-search and
    /// error-response. Without it, the kind is told from a `# tollproof: kind=...` comment, from `kinds:`
    /// in tollproof.yaml, or from the keys of the document.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input")]
    pub(crate) kind: Option<Kind>,

    /// What standard input would be called if it were a file.
    ///
    /// Findings are reported under this name; its ending tells the format.
    #[arg(long, value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub(crate) stdin_filename: Option<String>,

    /// Apply folder rules to named files: `exclude` in tollproof.yaml, and skip what is not a draft.
    ///
    /// Nothing to check is not an error then: for hooks, which name every file of a commit.
    #[arg(long, alias = "as-walked", help_heading = "Input", hide_short_help = true)]
    pub(crate) force_exclude: bool,

    /// Check only what changed since a commit of git.
    ///
    /// The commit is HEAD, or the one where REF and HEAD parted. What changed is what differs from it in the working tree, committed or not, and what git does not know yet.
    /// The other drafts below the paths are read for the numbers they name, as --also-read does.
    #[arg(
        long,
        value_name = "REF",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "HEAD",
        help_heading = "Input"
    )]
    pub(crate) changed: Option<String>,

    /// Read these drafts too, for the numbers they name, and report nothing about them.
    ///
    /// A draft that names the same number as one of them is refused. May be repeated.
    #[arg(long, alias = "beside", value_name = "PATH", help_heading = "Input", hide_short_help = true)]
    pub(crate) also_read: Vec<PathBuf>,

    /// Say on standard error which files were skipped, and why.
    ///
    /// Files that git ignores and hidden files are not named.
    #[arg(short, long, help_heading = "Input", hide_short_help = true)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) rules: RulesArgs,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    /// The record that the draft updates.
    ///
    /// An update request cannot name its record. This option does, for exactly one draft; a
    /// `# tollproof: record=ID` comment or `records:` in tollproof.yaml names it by its id in the history.
    #[arg(long, value_name = "FILE", help_heading = "History", hide_short_help = true)]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) time: TimeArgs,
}
