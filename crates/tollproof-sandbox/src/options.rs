//! Options for the start.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};

use crate::review::ReviewMode;

/// Options for the start.
#[derive(Clone, Debug)]
pub struct SandboxOptions {
    /// The address; port 0 is a free port.
    pub listen: SocketAddr,
    /// Whether other machines may reach the address.
    pub expose: bool,
    /// The key, token or secret that requests must have.
    pub key: String,
    /// The file with the state. `None` keeps it in memory.
    pub store: Option<PathBuf>,
    /// The providers, by their names; empty for all.
    pub providers: Vec<String>,
    /// The review mode.
    pub review: ReviewMode,
    /// Duration of a review. With zero, a submission is reviewed when it is first read.
    pub review_after: SignedDuration,
    /// The time at the start, instead of the current time.
    pub now: Option<Timestamp>,
    /// The path of Bird's verifications, which no source shows, below Bird's address. `{…}` is a segment with any text.
    pub bird_path: Option<String>,
    /// The loopback address that gets the webhooks of all providers, in place of those that requests name.
    pub webhook: Option<String>,
}

impl Default for SandboxOptions {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            expose: false,
            key: "sandbox-key".to_owned(),
            store: None,
            providers: Vec::new(),
            review: ReviewMode::Rules,
            review_after: SignedDuration::ZERO,
            now: None,
            bird_path: None,
            webhook: None,
        }
    }
}
