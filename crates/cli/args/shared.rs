//! Options that several commands share: rules, settings, history and time.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tollproof_history::Host;
use tollproof_project::{ConfigChoice, LinterOptions};

use super::PrintFormat;

// Which rules run, with which settings.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// The settings file to use, instead of the nearest tollproof.yaml.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config", help_heading = "Rules")]
    #[arg(hide_short_help = true)]
    pub(crate) config: Option<PathBuf>,

    /// Use no settings file.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub(crate) no_config: bool,

    /// Add the rules in a folder; may be repeated.
    ///
    /// Each rule is a YAML file, `group/name.yaml`, in the same form as the built-in rules. Files in `vocabulary/` add
    /// groups of terms, which rules can name.
    #[arg(long, value_name = "DIR", help_heading = "Rules")]
    pub(crate) rules: Vec<PathBuf>,

    /// Run only these rules or groups, separated by commas.
    ///
    /// May be repeated. To turn on a rule that is off by default, name it. Locked rules, and rules about what cannot be
    /// read, always run.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) select: Vec<String>,

    /// Report and count all findings, also those that comments, `ignore:` or `baseline:` hide.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    pub(crate) no_ignores: bool,

    /// Do not run these rules or groups, separated by commas.
    ///
    /// May be repeated. It overrides --select. Locked rules, and rules about what cannot be read, always run.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub(crate) ignore: Vec<String>,
}

impl RulesArgs {
    /// The options for the project's linters.
    pub(crate) fn options(&self) -> LinterOptions {
        LinterOptions {
            config: config_choice(self.config.as_deref(), self.no_config),
            rule_dirs: self.rules.clone(),
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            no_ignores: self.no_ignores,
            ..LinterOptions::default()
        }
    }
}

/// The settings that `--config` and `--no-config` choose.
pub(crate) fn config_choice(named: Option<&Path>, none: bool) -> ConfigChoice {
    match named {
        _ if none => ConfigChoice::None,
        Some(path) => ConfigChoice::File(path.to_owned()),
        None => ConfigChoice::Nearest,
    }
}

/// The environment variable with a history, in place of `--history`. Its value can contain a password, so that help does not
/// show it.
pub(super) const HISTORY_VARIABLE: &str = "TOLLPROOF_HISTORY";

// Where earlier submissions are.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// Source of earlier submissions; may be repeated.
    ///
    /// A file, folder or glob of verification records as you fetched them (JSON, NDJSON or YAML), `sqlite:PATH`, or
    /// `postgres://...`. Without it, `history:` in tollproof.yaml applies.
    #[arg(long, value_name = "SOURCE", help_heading = "History", env = HISTORY_VARIABLE, hide_env_values = true)]
    pub(crate) history: Vec<String>,

    /// Use only the submissions of this host: the address of a sandbox, such as 127.0.0.1:8833.
    ///
    /// Without it, only those of the providers.
    #[arg(long, value_name = "HOST", value_parser = host, help_heading = "History", hide_short_help = true)]
    pub(crate) host: Option<Host>,

    #[command(flatten)]
    pub(crate) size: SizeArgs,
}

impl HistoryArgs {
    /// The host that the histories are asked about.
    pub(crate) fn host(&self) -> Host {
        self.host.clone().unwrap_or_default()
    }
}

// What was seen of pages, and what readers understood.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FactsArgs {
    /// The file in which `tollproof look` stored what it saw of pages, pictures and mail domains.
    ///
    /// Without it, `facts:` in tollproof.yaml applies, or else `.tollproof/facts.ndjson` beside it, if it exists.
    #[arg(long, value_name = "FILE", help_heading = "Pages", hide_short_help = true)]
    pub(crate) facts: Option<PathBuf>,

    /// The file in which `tollproof read` stored what a reader understood of the texts.
    ///
    /// Without it, `readings:` in tollproof.yaml applies, or else `.tollproof/readings.ndjson` beside it, if it exists.
    #[arg(long, value_name = "FILE", help_heading = "Pages", hide_short_help = true)]
    pub(crate) readings: Option<PathBuf>,
}

// How a result is printed.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PrintArgs {
    /// The format of the output.
    #[arg(long, value_name = "FORMAT", visible_alias = "format", default_value = "full")]
    pub(crate) output_format: PrintFormat,
}

// The limit on the size of a file.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SizeArgs {
    /// The largest file to read, such as 500MB or 4GiB; 1GiB by default.
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = "Input", hide_short_help = true)]
    pub(crate) max_file_size: Option<u64>,
}

// The current time, and the time of the reviewers' notification.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TimeArgs {
    /// Time you received the reviewers' notification that this update request answers.
    ///
    /// The 7 days for an answer start then; a date without a time means 00:00 UTC. Without it, they start at the record's `updatedAt`.
    #[arg(long, value_name = "TIME", value_parser = time_or_day, help_heading = "History", hide_short_help = true)]
    pub(crate) notified_at: Option<Timestamp>,

    /// The time to calculate with, instead of the current time.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "History", hide_short_help = true)]
    pub(crate) now: Option<Timestamp>,
}

impl TimeArgs {
    /// The time to calculate with.
    ///
    /// # Errors
    ///
    /// A notification that was received after it.
    pub(crate) fn now(&self) -> Result<Timestamp, String> {
        let now = self.now.unwrap_or_else(Timestamp::now);
        match self.notified_at {
            Some(notified) if notified > now => {
                Err(format!("`--notified-at` is in the future: it is now {now:.0}"))
            }
            _ => Ok(now),
        }
    }
}

impl SizeArgs {
    /// Sets the limit from the command line, for any command.
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

/// Parses the address of a host. An empty one is not accepted, because it would mean the providers themselves.
fn host(text: &str) -> Result<Host, String> {
    let host = Host::named(text);
    if host.is_provider() || host.as_str().contains(char::is_whitespace) {
        Err("use the address of a sandbox, such as 127.0.0.1:8833".to_owned())
    } else {
        Ok(host)
    }
}

/// Parses a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || "use a size such as 500MB or 4GiB".to_owned();
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

/// Parses a time, or a day as its start in UTC: an answer is due a little earlier then, never later.
pub(crate) fn time_or_day(text: &str) -> Result<Timestamp, String> {
    let day = text.trim().parse::<Date>().ok().filter(|_| !text.contains(['T', 't', ':']));
    match day.and_then(|day| day.to_zoned(TimeZone::UTC).ok()) {
        Some(start) => Ok(start.timestamp()),
        None => text.trim().parse().map_err(|_| {
            "use a day or a time with its zone, such as 2026-11-14 or 2026-11-14T08:00:00Z".to_owned()
        }),
    }
}

/// Parses a time. A date alone is not enough: it could mean either end of the day.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    text.trim().parse().map_err(|_| "use a date, time and zone, such as 2026-11-14T08:00:00Z".to_owned())
}
