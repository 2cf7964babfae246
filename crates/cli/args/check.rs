//! The arguments of `check`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tollproof_core::Severity;
use tollproof_project::FailOn;

use super::{FixArgs, ReportTarget, SessionArgs, examples};
use crate::output::{FORMAT_HELP, FORMAT_LONG_HELP};
use crate::statistics::StatisticsBy;

// The arguments of `check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = examples("check"),
    after_long_help = examples("check, long")
)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) session: SessionArgs,

    /// First run `tollproof read` on drafts that no reader has read
    #[cfg(feature = "online")]
    #[arg(long, conflicts_with = "watch", help_heading = "Input", hide_short_help = true)]
    pub(crate) read: bool,

    /// Check again whenever a draft, tollproof.yaml or a rule changes, until you press Ctrl-C.
    #[arg(long, conflicts_with = "fix", help_heading = "Input", hide_short_help = true)]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) fixes: FixArgs,

    /// Fail on findings this severe: error, warning, info or never.
    ///
    /// The exit status is then 1. Without it, `fail-on:` in tollproof.yaml applies, or error.
    #[arg(long, value_name = "SEVERITY", value_parser = fail_on_parser(), hide_possible_values = true, help_heading = "Report")]
    pub(crate) fail_on: Option<FailOn>,

    /// Exit with status 0 whatever is found, as with --fail-on never.
    #[arg(long, conflicts_with = "fail_on", help_heading = "Report", hide_short_help = true)]
    pub(crate) exit_zero: bool,

    /// Hide less severe findings.
    ///
    /// One of error, warning and info. The exit status stays the same.
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = severity_parser())]
    #[arg(hide_possible_values = true, help_heading = "Report")]
    pub(crate) min_severity: Severity,

    /// A file of known findings that do not count, from `tollproof baseline write`.
    ///
    /// Without it, `baseline:` in tollproof.yaml applies.
    #[arg(long, value_name = "FILE", help_heading = "Report", hide_short_help = true)]
    pub(crate) baseline: Option<PathBuf>,

    #[arg(long, value_name = "FORMAT[=PATH]", visible_alias = "format", help = FORMAT_HELP)]
    #[arg(long_help = FORMAT_LONG_HELP, help_heading = "Report")]
    pub(crate) output_format: Vec<ReportTarget>,

    /// Hide personal data: names, addresses, phone numbers.
    ///
    /// This applies to all reports of the run. Places and fingerprints stay the same; fixes that would write such a
    /// value are left out.
    #[arg(long, help_heading = "Report")]
    pub(crate) redact: bool,

    /// Count the findings by rule, severity, use-case or file; by rule if nothing is named.
    ///
    /// May be repeated, and several can be separated by commas. A finding without a use case is counted as `-`.
    #[arg(long, value_name = "BY", num_args = 0..=1, require_equals = true, default_missing_value = "rule")]
    #[arg(value_delimiter = ',', hide_possible_values = true, help_heading = "Report")]
    #[arg(hide_short_help = true)]
    pub(crate) statistics: Vec<StatisticsBy>,

    /// Stop after this many findings.
    ///
    /// Findings that are ignored, known from a baseline or hidden by --min-severity do not count. The file that
    /// contains the last one (or its part, if it is large) still counts as checked.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Report", hide_short_help = true)]
    pub(crate) max_findings: Option<u32>,

    /// Print the summary line only.
    #[arg(short, long, help_heading = "Report")]
    pub(crate) quiet: bool,
}

impl CheckArgs {
    /// The lowest severity that fails the run, if the command line sets one.
    pub(crate) fn fail_on(&self) -> Option<FailOn> {
        if self.exit_zero { Some(FailOn::Never) } else { self.fail_on }
    }
}

/// The parser of `--fail-on`.
fn fail_on_parser() -> impl TypedValueParser<Value = FailOn> {
    let help = |level| match level {
        FailOn::Error => "Errors",
        FailOn::Warning => "Errors and warnings",
        FailOn::Info => "Any finding",
        FailOn::Never => "No finding",
    };
    PossibleValuesParser::new(FailOn::ALL.map(|level| PossibleValue::new(level.name()).help(help(level))))
        .map(|name| {
            let mut all = FailOn::ALL.into_iter();
            all.find(|it| it.name() == name).expect("the possible values are the names of these")
        })
}

fn severity_parser() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["error", "warning", "info"])
        .map(|name| name.parse().expect("the possible values are the names of severities"))
}
