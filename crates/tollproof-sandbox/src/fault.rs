//! Faults on demand: what goes wrong with an answer or a webhook, and whether the call has an effect.

use std::time::Duration;

/// The header that asks for a fault.
pub(crate) const HEADER: &str = "x-sandbox-fault";

/// Fault of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The effect happens; the connection ends without an answer.
    LostAnswer,
    /// The effect happens; the connection ends in the middle of the body.
    CutBody,
    /// The answer is 500, without an effect.
    Before500,
    /// The answer is 500 although the effect happens.
    After500,
    /// The answer is 429 with `Retry-After`, without an effect.
    TooMany,
    /// The answer comes late.
    Slow(Duration),
}

/// The names of the faults. A slow one may have its seconds: `slow=30`.
pub(crate) const NAMES: [&str; 6] = ["lost-answer", "cut-body", "500-before", "500-after", "429", "slow"];

/// The longest that a slow answer takes.
const MAX_SECONDS: u64 = 600;

impl Fault {
    /// The fault with a name; `None` for any other text.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name.trim() {
            "lost-answer" => Self::LostAnswer,
            "cut-body" => Self::CutBody,
            "500-before" => Self::Before500,
            "500-after" => Self::After500,
            "429" => Self::TooMany,
            "slow" => Self::Slow(Duration::from_secs(5)),
            other => {
                let seconds: u64 = other.strip_prefix("slow=")?.parse().ok()?;
                Self::Slow(Duration::from_secs(seconds.min(MAX_SECONDS)))
            }
        })
    }
}

/// Fault of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WebhookFault {
    /// It is sent twice.
    Duplicate,
    /// It is sent this much later.
    Late(Duration),
    /// It is sent after the next one of the provider.
    OutOfOrder,
    /// It is never sent.
    Lost,
}

/// The names of the faults of webhooks. A late one may have its seconds: `webhook-late=30`.
pub(crate) const WEBHOOK_NAMES: [&str; 4] =
    ["webhook-duplicate", "webhook-late", "webhook-out-of-order", "webhook-lost"];

impl WebhookFault {
    /// The fault with a name; `None` for any other text.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name.trim() {
            "webhook-duplicate" => Self::Duplicate,
            "webhook-late" => Self::Late(Duration::from_secs(5)),
            "webhook-out-of-order" => Self::OutOfOrder,
            "webhook-lost" => Self::Lost,
            other => {
                let seconds: u64 = other.strip_prefix("webhook-late=")?.parse().ok()?;
                Self::Late(Duration::from_secs(seconds.min(MAX_SECONDS)))
            }
        })
    }
}
