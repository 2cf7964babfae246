//! Options that the commands share which go online.

use std::time::Duration;

use jiff::{SignedDuration, Span, SpanRelativeTo};
use tollproof_core::{Kind, KindChoice, Provider};
use tollproof_history::Host;

use super::kind;
use super::shared::HISTORY_VARIABLE;

/// The address of a sandbox that was started without `--listen`.
const SANDBOX: &str = "http://127.0.0.1:8833";

/// The environment variable with the address of a sandbox to use.
const SANDBOX_VARIABLE: &str = "TOLLPROOF_SANDBOX";

// The kind of all documents, for commands that usually detect it.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct KindArgs {
    /// The kind of every document, whatever its field names are.
    #[arg(long, value_name = "KIND", value_parser = kind, help_heading = "Input", hide_short_help = true)]
    pub(crate) kind: Option<Kind>,

    /// The provider of every document, whatever its field names are.
    #[arg(long, value_name = "NAME", help_heading = "Input", hide_short_help = true)]
    pub(crate) provider: Option<Provider>,
}

impl KindArgs {
    /// The provider and the kind that the command line chooses.
    pub(crate) fn choice(&self) -> KindChoice {
        KindChoice::named(self.provider, self.kind)
    }
}

// How a provider is reached.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct OnlineArgs {
    /// Use a sandbox instead of the provider; http://127.0.0.1:8833 by default.
    ///
    /// `tollproof sandbox` starts one. What is rehearsed there is kept apart in the history. The environment variable
    /// TOLLPROOF_SANDBOX has the same effect.
    #[arg(long, value_name = "URL", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = SANDBOX, value_parser = sandbox, help_heading = "Provider")]
    pub(crate) sandbox: Option<String>,

    /// The address of the API, if it is not the usual one; may be repeated.
    ///
    /// A provider with several servers needs the name of the server too, as in `--host api=https://...`.
    #[arg(long, value_name = "[NAME=]URL", value_parser = server, help_heading = "Provider", hide_short_help = true)]
    pub(crate) host: Vec<(String, String)>,

    /// The generation of the API, where a provider has several.
    #[arg(long, value_name = "NAME", help_heading = "Provider", hide_short_help = true)]
    pub(crate) api: Option<String>,

    /// An account id or another value that the API needs; may be repeated.
    ///
    /// It overrides the environment variable and the user's settings.
    #[arg(long, value_name = "NAME=VALUE", value_parser = named_value, help_heading = "Provider", hide_short_help = true)]
    pub(crate) set: Vec<(String, String)>,

    /// Time limit of a request.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = timeout)]
    #[arg(help_heading = "Provider", hide_short_help = true)]
    pub(crate) timeout: Duration,
}

impl OnlineArgs {
    /// The address of the sandbox, if one is to be used.
    pub(crate) fn sandbox(&self) -> Result<Option<String>, String> {
        if let Some(named) = &self.sandbox {
            return Ok(Some(named.clone()));
        }
        let Some(set) = std::env::var_os(SANDBOX_VARIABLE).filter(|it| !it.is_empty()) else {
            return Ok(None);
        };
        let set = sandbox(&set.to_string_lossy()).map_err(|why| format!("{SANDBOX_VARIABLE}: {why}"))?;
        Ok(Some(set))
    }

    /// The host that a history is about, as far as the command line decides it.
    pub(crate) fn history_host(&self) -> Result<Host, String> {
        let named = self.host.first().map(|(_, address)| address.clone());
        Ok(named.or(self.sandbox()?).map_or_else(Host::provider, |it| Host::named(&it)))
    }
}

// Which provider is called.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ProviderArgs {
    /// The provider.
    ///
    /// Without it, the provider of the draft, or `provider:` in tollproof.yaml.
    #[arg(long, value_name = "NAME", help_heading = "Provider")]
    pub(crate) provider: Option<Provider>,
}

// The history that is written to.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct StoreArgs {
    /// The history that is read and written: `sqlite:PATH` or `postgres://...`.
    ///
    /// Each request is written there before it is sent, so that nothing is sent twice. Without it, `history:` in
    /// tollproof.yaml applies.
    #[arg(long, value_name = "SOURCE", help_heading = "History", env = HISTORY_VARIABLE, hide_env_values = true)]
    pub(crate) history: Vec<String>,
}

// The answer to a question, given in advance.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct YesArgs {
    /// Do not ask for confirmation. Required without a terminal.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// The time to wait for reviews.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaitLimit(pub(crate) Option<SignedDuration>);

/// The word for waiting without a limit, which people do not type.
const WITHOUT_LIMIT: &str = "forever";

// Whether to wait for reviews.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct WaitArgs {
    /// Wait until the reviews end, or for this time at most: 30m, 2d.
    ///
    /// The provider is asked every minute at first, later less often. If a review has not ended after that time, the
    /// exit status is 5.
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = WITHOUT_LIMIT, value_parser = wait_limit)]
    pub(crate) wait: Option<WaitLimit>,
}

/// Parses the address of a sandbox.
fn sandbox(text: &str) -> Result<String, String> {
    let text = text.trim().trim_end_matches('/');
    let is_url = |word: &str| word.starts_with("http://") || word.starts_with("https://");
    match text.split_once("://") {
        Some(_) if is_url(text) => Ok(text.to_owned()),
        None if !text.is_empty() => Ok(format!("http://{text}")),
        _ => Err(format!("use the address of a sandbox, such as {SANDBOX}")),
    }
}

/// Parses `[NAME=]URL`; without a name, the name is empty.
fn server(text: &str) -> Result<(String, String), String> {
    let (name, url) = match text.split_once('=') {
        Some((name, url)) if !name.contains("://") => (name, url),
        _ => ("", text),
    };
    if url.starts_with("https://") || url.starts_with("http://") {
        Ok((name.trim().to_owned(), url.to_owned()))
    } else {
        Err("use an address such as https://api.example.com".to_owned())
    }
}

/// Parses `NAME=VALUE`.
fn named_value(text: &str) -> Result<(String, String), String> {
    let named = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    match named.filter(|(name, value)| !name.is_empty() && !value.is_empty()) {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err("use a name and a value, such as account=AC0123".to_owned()),
    }
}

/// Parses a length of time; a day has 24 hours.
fn length(text: &str) -> Option<SignedDuration> {
    let span = text.parse::<Span>().ok()?;
    span.to_duration(SpanRelativeTo::days_are_24_hours()).ok().filter(SignedDuration::is_positive)
}

fn timeout(text: &str) -> Result<Duration, String> {
    let longest = SignedDuration::from_mins(10);
    let fits =
        length(text).filter(|duration| *duration >= SignedDuration::from_secs(1) && *duration <= longest);
    let fits = fits.and_then(|duration| Duration::try_from(duration).ok());
    fits.ok_or_else(|| "use a time from 1s (1 second) to 10m (10 minutes), such as 30s".to_owned())
}

fn wait_limit(text: &str) -> Result<WaitLimit, String> {
    match text {
        WITHOUT_LIMIT => Ok(WaitLimit(None)),
        _ => length(text)
            .map(|duration| WaitLimit(Some(duration)))
            .ok_or_else(|| "use a time such as 30m or 2d".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_values_are_read() {
        assert_eq!(sandbox("127.0.0.1:9/").as_deref(), Ok("http://127.0.0.1:9"));
        assert_eq!(sandbox("http://localhost:8833/").as_deref(), Ok("http://localhost:8833"));
        assert!(sandbox("ftp://x").is_err() && sandbox(" ").is_err());
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(server("https://a.example/?b=c"), pair("", "https://a.example/?b=c"));
        assert_eq!(server("api=https://a.example"), pair("api", "https://a.example"));
        assert!(server("a.example").is_err());
        assert_eq!(named_value("account=AC=1"), pair("account", "AC=1"));
        assert!(named_value("account").is_err() && named_value("=1").is_err());
    }

    #[test]
    fn times_have_units() {
        assert_eq!(timeout("30s"), Ok(Duration::from_secs(30)));
        assert!(timeout("0s").is_err() && timeout("30").is_err() && timeout("1h").is_err());
        assert_eq!(wait_limit("forever"), Ok(WaitLimit(None)));
        assert_eq!(wait_limit("2d"), Ok(WaitLimit(Some(SignedDuration::from_hours(48)))));
        assert!(wait_limit("soon").is_err() && wait_limit("-1s").is_err());
    }
}
