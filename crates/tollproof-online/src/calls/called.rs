//! The result of a request, sorted by what it means.

use std::time::Duration;

use serde_json::Value;

use super::outcome::NextStep;

/// The result of a request.
#[derive(Debug)]
pub(crate) enum Called {
    /// The provider took the request.
    Done(ApiAnswer),
    /// The provider refused the request.
    Refused(ApiAnswer),
    /// The provider refused the key, or its role.
    BadKey(ApiAnswer),
    /// There were too many requests.
    Limited(ApiAnswer),
    /// Nothing was sent.
    NotSent(String),
    /// Nothing was sent, or read, and nothing will be as things are.
    Barred(String, NextStep),
    /// No answer says whether the request was taken.
    Unknown(String),
}

/// An answer of the provider.
#[derive(Clone, Debug, Default)]
pub(crate) struct ApiAnswer {
    pub(crate) status: u16,
    /// Whether what was asked for does not exist.
    pub(crate) is_missing: bool,
    pub(crate) value: Value,
    /// The body as it was received.
    pub(crate) text: String,
    /// The answer's message, for people.
    pub(crate) message: String,
    pub(crate) retry_after: Option<Duration>,
}

impl Called {
    /// The outcome, in the middle of a sentence.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::NotSent(why) | Self::Barred(why, _) | Self::Unknown(why) => why.clone(),
            Self::Done(it) | Self::Refused(it) | Self::BadKey(it) | Self::Limited(it) => {
                format!("status {} {}", it.status, it.message).trim_end().to_owned()
            }
        }
    }
}
