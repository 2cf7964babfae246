//! Errors of a sandbox start.

use std::io;
use std::net::SocketAddr;

/// Errors of a sandbox start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The address is not of this machine alone.
    #[error("`{0}` can be reached from other machines")]
    Exposed(SocketAddr),
    /// The address is in use or may not be used.
    #[error("cannot listen on `{address}`: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Cause.
        error: io::Error,
    },
    /// The store cannot be opened.
    #[error("cannot open the store: {0}")]
    Store(String),
    /// The file is a database of another program, or of another version.
    #[error("the store is not a file of this version of the sandbox")]
    NotOurs,
    /// No provider has this name.
    #[error("unknown provider `{0}`")]
    UnknownProvider(String),
    /// The path of Bird's verifications cannot be used.
    #[error("`{0}` is not a path of letters and digits that begins with `/`")]
    BirdPath(String),
    /// The receiver of webhooks is not on this machine.
    #[error("`{0}` is not an address of this machine that begins with `http://`")]
    Webhook(String),
    /// The runtime could not be created.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

impl From<rusqlite::Error> for SandboxError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.to_string())
    }
}
