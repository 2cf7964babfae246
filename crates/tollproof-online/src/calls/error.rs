//! Reasons against a call. A provider's answer is not an error here.

use tollproof_history::HistoryError;

use crate::client::ClientError;
use crate::credentials::KeyError;
use tollproof_project::OwnSettingsError;

/// A result of a call, or the reason why it was not made.
pub(super) type Result<T, E = CallError> = std::result::Result<T, E>;

/// A reason against a call. Nothing of it was sent, unless it is [`CallError::Unrecorded`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// tollproof does not know how to call this API.
    #[error("tollproof cannot call {provider}; it can call {}", known.join(", "))]
    UnknownApi {
        /// The provider, with the generation of its API if one was named.
        provider: String,
        /// The names that would be known.
        known: Vec<String>,
    },
    /// The provider has no such operation, or no source shows it.
    #[error("{provider} has no call to {operation}, as far as is known; use its console")]
    NotOffered {
        /// The title of the provider.
        provider: String,
        /// The purpose of a call.
        operation: &'static str,
    },
    /// The path of an operation is in no source and was not set.
    #[error("the path of this call is not documented; set `paths: {operation}` of {provider} in {file}")]
    UnknownPath {
        /// The name of the provider.
        provider: String,
        /// The name of the operation.
        operation: String,
        /// The user's settings file.
        file: String,
    },
    /// An account id or the like is missing.
    #[error("{about} is missing; set {env}, or use `--set {name}=…`")]
    MissingValue {
        /// Its name.
        name: String,
        /// Its label.
        about: String,
        /// The environment variable.
        env: String,
    },
    /// The address of a server is personal to the account and was not set.
    #[error(
        "the address of the API is personal to your account; set `hosts:` of {provider} in {file}, or use `--host`"
    )]
    MissingHost {
        /// The name of the provider.
        provider: String,
        /// The user's settings file.
        file: String,
    },
    /// No key was found.
    #[error("the key of {provider} is missing; set {variables}, or `key-command:` in {file}")]
    MissingKey {
        /// The title of the provider.
        provider: String,
        /// The environment variables.
        variables: String,
        /// The user's settings file.
        file: String,
    },
    /// The server that exchanges user and password for a token did not answer.
    #[error("{provider} could not be reached to log in: {why}")]
    Unreachable {
        /// The title of the provider.
        provider: String,
        /// Reason.
        why: String,
    },
    /// User and password were not exchanged for a token.
    #[error("{provider} did not accept the login: {why}")]
    Login {
        /// The title of the provider.
        provider: String,
        /// Its answer.
        why: String,
    },
    /// The command that prints the key failed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The user's settings cannot be used.
    #[error(transparent)]
    Settings(#[from] OwnSettingsError),
    /// The client refuses the request.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The provider took a request, and the history could not be written then. The next run finds what the provider has.
    #[error(
        "{provider} accepted it{}, but it is not in the history: {error}; run the same command again later",
        id.as_ref().map(|id| format!(" as `{id}`")).unwrap_or_default()
    )]
    Unrecorded {
        /// The title of the provider.
        provider: String,
        /// The id that the provider returned.
        id: Option<String>,
        /// Error in writing the history.
        error: Box<HistoryError>,
    },
    /// The history cannot be used.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The caller asked for something that is not possible. The text is the whole message.
    #[error("{0}")]
    Usage(String),
}

impl CallError {
    /// The name of the outcome of a call that could not be made, one of [`CallOutcome::NAMES`](super::CallOutcome::NAMES).
    #[must_use]
    pub fn result(&self) -> &'static str {
        match self {
            Self::MissingKey { .. } | Self::Login { .. } | Self::Key(_) => "key-refused",
            Self::Unreachable { .. } | Self::Unrecorded { .. } => "not-finished",
            _ => "failed",
        }
    }
}
