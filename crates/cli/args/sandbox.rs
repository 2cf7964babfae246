//! The arguments of `sandbox`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};
use tollproof_sandbox::{ReviewMode, SandboxOptions, provider_names};

use super::examples;
use super::shared::time;

// The arguments of `sandbox`.
#[derive(Debug, clap::Args)]
#[command(after_help = examples("sandbox"))]
pub(crate) struct SandboxArgs {
    /// The address to listen on; port 0 is a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8833", help_heading = "Server")]
    listen: SocketAddr,

    /// Allow an address that other machines can reach.
    ///
    /// Whoever reaches it can also use the control API at /_sandbox, which needs no key.
    #[arg(long, help_heading = "Server")]
    expose: bool,

    /// The key, token or secret that requests must have.
    #[arg(long, value_name = "KEY", default_value = "sandbox-key", help_heading = "Server")]
    key: String,

    /// Keep numbers and submissions in a file (SQLite), instead of in memory.
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    store: Option<PathBuf>,

    /// Only this provider; may be repeated.
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(provider_names()), help_heading = "Server")]
    provider: Vec<String>,

    /// Outcome of reviews: rules, approve, reject, or a script.
    ///
    /// `rules` rejects a submission with errors. `reject` takes codes of Twilio, such as `reject 30513`. A script has a
    /// step for each time that a submission is sent, and its last step is repeated: `reject 30513, then approve`.
    #[arg(long, value_name = "HOW", default_value = "rules", help_heading = "Review")]
    review: ReviewMode,

    /// Duration of a review, such as 2d or 30m.
    ///
    /// With 0s, a review ends when the submission is read for the first time.
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = length, help_heading = "Review")]
    review_after: SignedDuration,

    /// The time at which the clock of the sandbox starts, instead of the current time.
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Review")]
    now: Option<Timestamp>,

    /// Send the webhooks of all providers to this address of your own machine.
    ///
    /// Without it, they go to the addresses that submissions and subscriptions name, if those are loopback addresses.
    #[arg(long, value_name = "URL", help_heading = "Server")]
    webhook: Option<String>,

    /// The path of Bird's verifications, which Bird does not document.
    ///
    /// Without it, /workspaces/{workspaceId}/toll-free-verifications.
    #[arg(long, value_name = "PATH", help_heading = "Server", hide_short_help = true)]
    bird_path: Option<String>,
}

impl SandboxArgs {
    pub(crate) fn options(&self) -> SandboxOptions {
        SandboxOptions {
            listen: self.listen,
            expose: self.expose,
            key: self.key.clone(),
            store: self.store.clone(),
            providers: self.provider.clone(),
            review: self.review.clone(),
            review_after: self.review_after,
            now: self.now,
            bird_path: self.bird_path.clone(),
            webhook: self.webhook.clone(),
        }
    }
}

/// Parses a length of time; a day has 24 hours.
fn length(text: &str) -> Result<SignedDuration, String> {
    let span = text.parse::<Span>().ok();
    let length = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    length.filter(|it| !it.is_negative()).ok_or_else(|| "use a time such as 2d or 30m".to_owned())
}
