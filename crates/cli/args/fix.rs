//! Options of `check` that apply fixes.

// Which fixes are applied.
#[derive(Debug, clap::Args)]
pub(crate) struct FixArgs {
    /// Apply safe fixes to the files, and report what is left.
    ///
    /// A safe fix changes how a value is written, not what it means. Findings that --min-severity hides are not
    /// fixed. For standard input, the fixed text is printed and the report goes to standard error.
    #[arg(long, help_heading = "Fixing")]
    pub(crate) fix: bool,

    /// With --fix or --diff: apply unsafe fixes too. Read what they change.
    #[arg(long, help_heading = "Fixing")]
    pub(crate) unsafe_fixes: bool,

    /// Print what --fix would change as a unified diff, and change nothing.
    ///
    /// The diff replaces the report on standard output. The exit status is 1 if it is not empty.
    #[arg(long, conflicts_with = "fix", help_heading = "Fixing")]
    pub(crate) diff: bool,
}
