//! Reasons for a request not sent or not answered, for people. No word comes from a request or an answer.

use std::io::{self, ErrorKind};
use std::time::Duration;

use tollproof_history::reason;
use ureq::{Error, Timeout};

pub(super) const NO_CERTIFICATES: &str =
    "this system has no trusted certificates; install them, or name a PEM file in SSL_CERT_FILE";

pub(super) const CUT: &str = "the connection ended before the answer was complete";

/// Cause of a missing answer.
#[derive(Debug)]
pub(super) enum ExchangeError {
    /// An error of the connection or of HTTP.
    Failed(Error),
    /// The body is over its limit; its length, if it was announced.
    TooLarge {
        #[cfg_attr(not(feature = "look"), expect(dead_code, reason = "only looking at pages says it"))]
        length: Option<u64>,
    },
}

impl From<Error> for ExchangeError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for ExchangeError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl ExchangeError {
    /// Cause of no request.
    pub(super) fn not_sent(&self, host: &str, proxy: Option<&str>, time: Duration) -> String {
        let Self::Failed(error) = self else { return CUT.to_owned() };
        // The proxy is what a connection is made to.
        let to = proxy.map_or(format!("`{host}`"), |proxy| format!("the proxy `{proxy}` to `{host}`"));
        match error {
            Error::HostNotFound if proxy.is_some() => format!("{to} was not found; check its name"),
            Error::HostNotFound => format!("the host {to} was not found; check its name and the network"),
            Error::Io(error) => match error.kind() {
                ErrorKind::ConnectionRefused => format!("{to} refused the connection"),
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset => {
                    format!("{to} ended the connection before the request")
                }
                _ => format!("cannot reach {to}: {}", reason(error)),
            },
            Error::Timeout(_) => format!("{to} did not accept a connection in {}", seconds(time)),
            Error::Rustls(error) => format!("cannot verify that this is `{host}`: {error}"),
            Error::Tls(error) => format!("cannot verify that this is `{host}`: {error}"),
            Error::ConnectProxyFailed(why) => format!("the proxy did not connect to `{host}`: {why}"),
            _ => format!("cannot reach `{host}`"),
        }
    }

    /// Explains a lost answer.
    pub(super) fn lost(&self, max_body: usize, time: Duration) -> String {
        let error = match self {
            Self::TooLarge { .. } => return format!("the answer is larger than {} KiB", max_body >> 10),
            Self::Failed(error) => error,
        };
        match error {
            Error::Timeout(Timeout::SendRequest | Timeout::SendBody) => {
                format!("the request could not be sent completely in {}", seconds(time))
            }
            Error::Timeout(_) => format!("no complete answer came in {}", seconds(time)),
            Error::Io(error) => match error.kind() {
                ErrorKind::UnexpectedEof => CUT.to_owned(),
                ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                    "the connection was reset before the answer was complete".to_owned()
                }
                _ => format!("the answer could not be read: {}", reason(error)),
            },
            Error::LargeResponseHeader(..) => "the headers of the answer are too large".to_owned(),
            Error::Protocol(_) | Error::Http(_) => "the answer is not valid HTTP".to_owned(),
            _ => "the answer could not be read".to_owned(),
        }
    }
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} milliseconds", time.as_millis()),
        1 => "1 second".to_owned(),
        some => format!("{some} seconds"),
    }
}
