//! One try of a request on a connection of its own.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use secrecy::ExposeSecret as _;
use ureq::config::{Config, ConfigBuilder};
use ureq::http::{HeaderName, HeaderValue, Request, Response};
use ureq::typestate::AgentScope;
use ureq::unversioned::resolver::Resolver;
use ureq::unversioned::transport::{ConnectProxyConnector, Connector as _, SocksConnector, TcpConnector};
use ureq::{Agent, AsSendBody, Body, Proxy};

use super::answer::{HttpAnswer, Sent};
use super::authentication::Authentication;
use super::error::ClientError;
use super::guard::{self, is_loopback};
use super::reasons::{self, ExchangeError};
use super::request::{HttpRequest, USER_AGENT};
use super::resolver::HostResolver;
use super::sigv4;
use super::tls::{Tls, has_certificates};
use super::transport::{NotingConnector, TransferNotes};

/// Headers of an answer that may be larger are not an answer.
const MAX_HEADERS: usize = 64 << 10;

/// State shared by a client's connections.
pub(super) struct Connections {
    pub(super) tls: Tls,
    /// Not for this machine.
    pub(super) proxy: Option<Proxy>,
}

impl Connections {
    /// Sends a request once and reads its whole answer within `time`.
    pub(super) fn exchange(
        &self,
        request: &HttpRequest,
        authentication: &Authentication,
        time: Duration,
        max_body: usize,
    ) -> Result<Sent, ClientError> {
        let Self { tls, proxy } = self;
        let url = &request.url;
        let host = guard::host(url);
        let mut config = config(time, USER_AGENT);
        if url.scheme() == "https" {
            let tls = tls.config();
            if !has_certificates(&tls) {
                return Ok(Sent::NotSent(reasons::NO_CERTIFICATES.to_owned()));
            }
            config = config.tls_config(tls);
        }
        let proxy = proxy.clone().filter(|_| !is_loopback(url));
        let uri = url.as_str().parse().ok();
        let used = proxy.as_ref().filter(|proxy| uri.as_ref().is_some_and(|uri| !proxy.is_no_proxy(uri)));
        let via = used.map(|proxy| format!("{}:{}", proxy.host(), proxy.port()));
        let noted = Arc::new(TransferNotes::default());
        let agent = agent(config.proxy(proxy).build(), tls, &noted, HostResolver::default());
        let head = head(request, authentication)?;
        let result = match &request.body {
            Some(body) => run(&agent, head.map(|()| &body.bytes[..]), max_body),
            // With a length of zero, without which servers refuse these methods.
            None if !request.method.is_read() => run(&agent, head.map(|()| &[][..]), max_body),
            None => run(&agent, head, max_body),
        };
        Ok(match result {
            Ok(answer) if is_cut(&answer, &noted) => Sent::Lost(reasons::CUT.to_owned()),
            Ok(answer) => Sent::Answer(answer.without_keys(authentication)),
            Err(failure) if noted.sent() => Sent::Lost(failure.lost(max_body, time)),
            Err(failure) => Sent::NotSent(failure.not_sent(&host, via.as_deref(), time)),
        })
    }
}

/// The options of all requests: nothing is followed, kept or repeated, and all of it is bounded.
pub(super) fn config(time: Duration, user_agent: &str) -> ConfigBuilder<AgentScope> {
    Agent::config_builder()
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .max_idle_connections(0)
        .max_response_header_size(MAX_HEADERS)
        .timeout_global(Some(time))
        .user_agent(user_agent)
        .accept_encoding("identity")
}

/// An agent for one request, so that its connection is used for nothing else.
pub(super) fn agent(config: Config, tls: &Tls, noted: &Arc<TransferNotes>, resolver: impl Resolver) -> Agent {
    let noting = NotingConnector { noted: Arc::clone(noted), has_proxy: config.proxy().is_some() };
    let connector =
        ().chain(SocksConnector::default())
            .chain(ConnectProxyConnector::default())
            .chain(TcpConnector::default())
            .chain(tls.connector())
            .chain(noting);
    Agent::with_parts(config, connector, resolver)
}

/// The request line and the headers.
fn head(request: &HttpRequest, authentication: &Authentication) -> Result<Request<()>, ClientError> {
    let host = || guard::host(&request.url);
    let mut url = request.url.clone();
    url.set_fragment(None);
    let mut head = Request::builder().method(request.method.name()).uri(url.as_str());
    // The connection is used once: the other side need not wait for more.
    head = head.header("connection", "close");
    for (name, value) in &request.headers {
        head = head.header(name, value);
    }
    if let Some(body) = &request.body {
        head = head.header("content-type", &body.content_type);
    }
    let signed = match authentication {
        Authentication::SigV4 { .. } => sigv4::headers(request, authentication, Timestamp::now()),
        other => other.header().map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
    };
    for (name, value) in signed {
        let invalid = || ClientError::InvalidKey(host());
        let name = HeaderName::try_from(name).map_err(|_| invalid())?;
        let mut value = HeaderValue::try_from(value.expose_secret()).map_err(|_| invalid())?;
        value.set_sensitive(true);
        head = head.header(name, value);
    }
    head.body(()).map_err(|_| ClientError::InvalidAddress(host()))
}

pub(super) fn run<B: AsSendBody>(
    agent: &Agent,
    request: Request<B>,
    max_body: usize,
) -> Result<HttpAnswer, ExchangeError> {
    let (head, body) = Response::<Body>::into_parts(agent.run(request)?);
    if let Some(length) = body.content_length().filter(|it| *it > max_body as u64) {
        return Err(ExchangeError::TooLarge { length: Some(length) });
    }
    let mut bytes = Vec::new();
    body.into_reader().take(max_body as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > max_body {
        return Err(ExchangeError::TooLarge { length: None });
    }
    let headers = head.headers.iter().filter_map(|(name, value)| {
        // Servers write addresses with letters as they are, and browsers read them so.
        let value = std::str::from_utf8(value.as_bytes()).ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    Ok(HttpAnswer::new(head.status.as_u16(), bytes, headers.collect()))
}

/// Whether an answer ended before its time although nothing says so: the end of a body without a length is the end of the
/// connection, and the last chunk may lack its line break.
pub(super) fn is_cut(answer: &HttpAnswer, noted: &TransferNotes) -> bool {
    let has_length =
        answer.header("content-length").is_some() || answer.header("transfer-encoding").is_some();
    noted.failed() || (noted.ended() && has_length)
}
