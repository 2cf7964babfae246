//! Refusals before anything is sent: where keys may go, and what may be in a header.

use secrecy::ExposeSecret as _;
use url::{Host, Url};

use super::authentication::Authentication;
use super::error::ClientError;
use super::request::HttpRequest;

/// The prefix of sandbox keys. No provider makes such keys.
const SANDBOX_PREFIX: &str = "sandbox-";

/// Headers that decide where a request ends, or what it says of itself.
const RESERVED: [&str; 13] = [
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "proxy-authorization",
    "te",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-amz-date",
    "x-amz-security-token",
];

/// Whether an address is this machine: a loopback IP address, or exactly `localhost`, which the client never looks up.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether an address may be asked at all: https, or http to this machine, without a user.
pub(crate) fn check_address(url: &Url) -> Result<(), ClientError> {
    let host = host(url);
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ClientError::UserInfo(host));
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_loopback(url) => Ok(()),
        _ => Err(ClientError::NotHttps(host)),
    }
}

/// Refuses a request to a provider that must not be sent: real keys are not for the sandbox, nor its keys for others.
pub(super) fn check(request: &HttpRequest, authentication: &Authentication) -> Result<(), ClientError> {
    check_request(request, authentication)?;
    let Some(secret) = authentication.secret().map(|it| it.expose_secret()) else { return Ok(()) };
    match (secret.starts_with(SANDBOX_PREFIX), is_loopback(&request.url)) {
        (true, false) => Err(ClientError::SandboxKey(host(&request.url))),
        (false, true) => Err(ClientError::RealKey),
        _ => Ok(()),
    }
}

/// Refuses a request that must not be sent to anyone.
pub(super) fn check_request(
    request: &HttpRequest,
    authentication: &Authentication,
) -> Result<(), ClientError> {
    check_address(&request.url)?;
    check_key(&request.url, authentication)?;
    let own = authentication.header_name();
    for (name, value) in &request.headers {
        let is_own = own.is_some_and(|own| name.eq_ignore_ascii_case(own));
        if is_own || RESERVED.iter().any(|it| name.eq_ignore_ascii_case(it)) {
            return Err(ClientError::ReservedHeader(name.clone()));
        }
        if !is_name(name) || !is_value(value) {
            return Err(ClientError::InvalidHeader(name.clone()));
        }
    }
    match &request.body {
        Some(body) if !is_value(&body.content_type) => {
            Err(ClientError::InvalidHeader("content-type".to_owned()))
        }
        _ => Ok(()),
    }
}

fn check_key(url: &Url, authentication: &Authentication) -> Result<(), ClientError> {
    let Some(secret) = authentication.secret().map(|it| it.expose_secret()) else { return Ok(()) };
    if secret.is_empty() {
        return Err(ClientError::EmptyKey(host(url)));
    }
    let beside = match authentication {
        // What is after a colon would be a part of the password.
        Authentication::Basic { user, .. } if user.contains(':') => {
            return Err(ClientError::InvalidKey(host(url)));
        }
        Authentication::None => Vec::new(),
        Authentication::Basic { user, .. } => vec![user.as_str()],
        Authentication::Header { name, prefix, .. } => {
            let is_reserved = RESERVED.iter().any(|it| name.eq_ignore_ascii_case(it));
            if !is_name(name) || is_reserved {
                return Err(ClientError::InvalidHeader(name.clone()));
            }
            vec![prefix.as_str()]
        }
        Authentication::SigV4 { access_key, session_token, region, service, .. } => {
            let token = session_token.as_ref().map(|it| it.expose_secret()).unwrap_or_default();
            vec![access_key, region, service, token]
        }
    };
    if secret.trim() != secret || beside.into_iter().chain([secret]).any(|it| !is_value(it)) {
        return Err(ClientError::InvalidKey(host(url)));
    }
    Ok(())
}

/// The host of an address, for messages.
pub(super) fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Visible ASCII and spaces between: what is outside of it is not the same for every server.
fn is_value(value: &str) -> bool {
    value.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}
