//! Options that several commands share: which rules run, and what is known of the past.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use jiff::Timestamp;
use tollproof_project::{ConfigChoice, LinterOptions};

// Which rules run, by which settings.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// The configuration to use, instead of the nearest tollproof.yaml.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "no_config",
        help_heading = "Rules",
        hide_short_help = true
    )]
    pub(crate) config: Option<PathBuf>,

    /// Use no configuration file.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub(crate) no_config: bool,

    /// Add the rules below a folder; may be repeated.
    ///
    /// Each is a YAML file, `group/name.yaml`. Their form is that of the built-in rules.
    #[arg(long, value_name = "DIR", help_heading = "Rules")]
    pub(crate) rules: Vec<PathBuf>,

    /// Run these rules or groups only, separated by commas.
    ///
    /// May be repeated. Naming a rule that is off by default turns it on. Locked rules and those about what could not be read
    /// run as well.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) select: Vec<String>,

    /// Let every finding count: no comment hides any, nor `ignore:` or `baseline:` in tollproof.yaml.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub(crate) no_ignores: bool,

    /// Do not run these rules or groups, separated by commas.
    ///
    /// May be repeated. It counts more than --select. Locked rules and those about what could not be read run all the same.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) ignore: Vec<String>,
}

impl RulesArgs {
    /// The same without the command line's form.
    pub(crate) fn options(&self) -> LinterOptions {
        LinterOptions {
            config: config_choice(self.config.as_deref(), self.no_config),
            rule_dirs: self.rules.clone(),
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            no_ignores: self.no_ignores,
        }
    }
}

/// Which settings `--config` and `--no-config` ask for.
pub(crate) fn config_choice(named: Option<&Path>, none: bool) -> ConfigChoice {
    match named {
        _ if none => ConfigChoice::None,
        Some(path) => ConfigChoice::File(path.to_owned()),
        None => ConfigChoice::Nearest,
    }
}

// Where earlier submissions are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// Where earlier submissions are kept; may be repeated.
    ///
    /// Verification records as they were fetched (a file, a folder or a glob of JSON, NDJSON or YAML),
    /// `sqlite:PATH` or `postgres://...`. Without it, `history:` in tollproof.yaml counts.
    #[arg(long, value_name = "SOURCE", help_heading = "History")]
    pub(crate) history: Vec<String>,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

// How much of a file is read.
#[derive(Debug, clap::Args)]
pub(crate) struct SizeArgs {
    /// The largest file that is read, such as 500MB or 4GiB; 1GiB by default.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Input", hide_short_help = true)]
    pub(crate) max_file_size: Option<u64>,
}

// What time it is, and when the authority asked.
#[derive(Debug, clap::Args)]
pub(crate) struct TimeArgs {
    /// When the authority's notification was received, which an update request answers.
    ///
    /// The 7 days for an answer count from there. Without it the record's `updatedAt` stands in for it.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "History", hide_short_help = true)]
    pub(crate) notified_at: Option<Timestamp>,

    /// The time to count with, instead of the clock's.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "History", hide_short_help = true)]
    pub(crate) now: Option<Timestamp>,
}

impl TimeArgs {
    /// The time to count with.
    ///
    /// # Errors
    ///
    /// A notification that was received after it.
    pub(crate) fn now(&self) -> Result<Timestamp, String> {
        let now = self.now.unwrap_or_else(Timestamp::now);
        match self.notified_at {
            Some(notified) if notified > now => {
                Err(format!("`--notified-at` lies in the future: it is {now:.0} now"))
            }
            _ => Ok(now),
        }
    }
}

impl SizeArgs {
    /// Sets the limit that the command line names, whichever command it is for.
    pub(crate) fn apply(matches: &ArgMatches) {
        let mut command = Some(matches);
        while let Some(matches) = command {
            if let Ok(Some(&bytes)) = matches.try_get_one("max_file_size") {
                tollproof_history::set_max_file_size(bytes);
            }
            command = matches.subcommand().map(|(_, matches)| matches);
        }
    }
}

/// Reads a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "write a size, such as 500MB or 4GiB".to_owned();
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|it: char| !it.is_ascii_digit()).unwrap_or(text.len()));
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(factor).filter(|&bytes| bytes > 0).ok_or_else(wrong)
}

/// Reads a point in time: the date alone could be either end of a day.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    text.trim().parse().map_err(|_| "write date, time and zone, such as 2026-11-14T08:00:00Z".to_owned())
}
