//! Options of `check` that apply fixes.

// Whether fixes are applied, and which.
#[derive(Debug, clap::Args)]
pub(crate) struct FixArgs {
    /// Apply the safe fixes to the files, and report what is left.
    ///
    /// A safe fix changes how a value is written and not what it says. What --min-severity hides is not
    /// changed. The text of standard input is printed with its fixes, and the report goes to standard
    /// error then.
    #[arg(long, group = "fixing", help_heading = "Fixing")]
    pub(crate) fix: bool,

    /// With --fix or --diff: apply the unsafe fixes too. Read what they change.
    #[arg(long, requires = "fixing", help_heading = "Fixing")]
    pub(crate) unsafe_fixes: bool,

    /// Print what --fix would change as a unified diff, and change nothing.
    ///
    /// It takes the place of the report on standard output. The exit status is 1 if it is not empty.
    #[arg(long, group = "fixing", help_heading = "Fixing")]
    pub(crate) diff: bool,
}
