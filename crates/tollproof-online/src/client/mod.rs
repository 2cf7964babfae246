//! The one HTTP client that goes online. It says exactly what became of a request.

mod answer;
mod authentication;
mod error;
mod exchange;
mod guard;
mod mask;
mod options;
#[cfg(feature = "look")]
mod presented;
mod reasons;
mod repeat;
mod request;
mod resolver;
mod shown;
mod sigv4;
#[cfg(test)]
pub(crate) mod tests;
mod tls;
mod transport;
#[cfg(feature = "look")]
mod visit;

use std::fmt;
use std::time::Instant;

use ureq::Proxy;

pub use self::answer::{HttpAnswer, Sent};
pub use self::authentication::Authentication;
pub use self::error::ClientError;
pub(crate) use self::guard::check_address;
pub use self::guard::is_loopback;
pub use self::options::ClientOptions;
pub(crate) use self::repeat::Tries;
pub use self::request::{HttpRequest, Method, Repeat, RequestBody};
#[cfg(feature = "look")]
pub(crate) use self::visit::{CertificateProblem, PageVisit, VisitFailure, Visitor};

use self::exchange::Connections;
use self::tls::Tls;

/// Sends requests, each on a connection of its own. It can be used by several threads.
pub struct Client {
    options: ClientOptions,
    connections: Connections,
}

impl Client {
    /// A client with these limits, which uses the proxy of the environment (`ALL_PROXY`, `HTTPS_PROXY`, `NO_PROXY`). Root
    /// certificates are read when the first https address is asked.
    ///
    /// # Errors
    ///
    /// No try is allowed, or no time.
    pub fn new(options: ClientOptions) -> Result<Self, ClientError> {
        if options.tries == 0 || options.timeout.is_zero() || options.whole.is_zero() {
            return Err(ClientError::NoTry);
        }
        Ok(Self { options, connections: Connections { tls: Tls::default(), proxy: Proxy::try_from_env() } })
    }

    /// Sends a request, again as its [`Repeat`] allows, and reads the whole answer. It waits between tries.
    ///
    /// # Errors
    ///
    /// The request must not be sent: [`ClientError`] says why. Nothing was sent.
    pub fn send(&self, request: &HttpRequest, authentication: &Authentication) -> Result<Sent, ClientError> {
        guard::check(request, authentication)?;
        let started = Instant::now();
        let left = || self.options.whole.saturating_sub(started.elapsed());
        let mut tries = Tries::new(&self.options, request.repeat);
        loop {
            let time = self.options.timeout.min(left());
            let max_body = self.options.max_body;
            let sent = self.connections.exchange(request, authentication, time, max_body)?;
            match tries.next(&sent, left()) {
                Some(pause) => std::thread::sleep(pause),
                None => return Ok(tries.result(sent)),
            }
        }
    }

    /// Sends a request once to a server that the user has chosen, which may be one on this machine that takes real keys.
    ///
    /// # Errors
    ///
    /// The request must not be sent: [`ClientError`] says why. Nothing was sent.
    pub(crate) fn send_once(
        &self,
        request: &HttpRequest,
        authentication: &Authentication,
    ) -> Result<Sent, ClientError> {
        guard::check_request(request, authentication)?;
        let ClientOptions { timeout, max_body, .. } = self.options;
        self.connections.exchange(request, authentication, timeout, max_body)
    }

    /// The tries of one request that is sent by [`Self::send_once`].
    pub(crate) fn tries(&self, repeat: Repeat) -> Tries<'_> {
        Tries::new(&self.options, repeat)
    }
}

/// Without the proxy, whose address may have a password.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("options", &self.options).finish_non_exhaustive()
    }
}
