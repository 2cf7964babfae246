//! A webhook: what is sent to whom, by which scheme it is signed, and how it is sent.

mod send;
mod signature;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::http::Uri;
use serde::{Deserialize, Serialize};

pub(crate) use self::send::send;
pub(crate) use self::signature::telnyx_public_key;

/// A request that the sandbox sends. It is signed when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Webhook {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) content_type: String,
    pub(crate) body: String,
    pub(crate) scheme: SignatureScheme,
    /// The signing secret.
    pub(crate) secret: String,
    /// The value of `Authorization`, if the receiver wants one.
    pub(crate) login: Option<String>,
    /// The ids of what is assumed about it.
    pub(crate) assumed: Vec<String>,
}

/// A webhook signature scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SignatureScheme {
    Bird,
    Plivo,
    Telnyx,
    Twilio,
    /// The provider has none, or no source describes it.
    Unsigned,
}

/// Outcome of a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivered {
    /// The receiver answered with this status.
    Answered(u16),
    /// The receiver could not be reached, or did not answer in time.
    NotAnswered,
}

impl Webhook {
    /// The destination, if that is this machine.
    pub(crate) fn destination(&self) -> Option<SocketAddr> {
        destination(&self.url)
    }

    /// The address without what may be secret in it: a login and the query.
    pub(crate) fn shown_url(&self) -> String {
        let bare = self.url.split(['?', '#']).next().unwrap_or_default();
        match bare.split_once("://") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
                let host = authority.rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{host}{path}")
            }
            None => bare.to_owned(),
        }
    }
}

/// The socket of an `http` address with a loopback host. No name is looked up but `localhost`, which is this machine.
pub(crate) fn destination(url: &str) -> Option<SocketAddr> {
    let uri: Uri = url.parse().ok()?;
    if uri.scheme_str() != Some("http") {
        return None;
    }
    let host = uri.host()?;
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let ip = match bare.parse::<IpAddr>() {
        Ok(ip) => ip,
        Err(_) if host.eq_ignore_ascii_case("localhost") => IpAddr::V4(Ipv4Addr::LOCALHOST),
        Err(_) => return None,
    };
    let after_host = uri.authority()?.as_str().rsplit('@').next()?.strip_prefix(host)?;
    let port = match after_host.strip_prefix(':') {
        Some(port) => port.parse().ok()?,
        None => 80,
    };
    ip.is_loopback().then(|| SocketAddr::new(ip, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_this_machine_have_a_destination() {
        for (url, socket) in [
            ("http://127.0.0.1:9000/hook?a=1", "127.0.0.1:9000"),
            ("http://127.8.8.8/", "127.8.8.8:80"),
            ("http://LOCALHOST:1/", "127.0.0.1:1"),
            ("http://[::1]:9000/hook", "[::1]:9000"),
            ("http://user:word@127.0.0.1:9000/", "127.0.0.1:9000"),
        ] {
            assert_eq!(destination(url).map(|it| it.to_string()).as_deref(), Some(socket), "{url}");
        }
        for url in [
            "https://127.0.0.1:9000/",
            "http://hooks.example.com/",
            "http://127.0.0.1.example.com/",
            "http://127.0.0.1@example.com/",
            "http://localhost.example.com/",
            "http://0.0.0.0:9000/",
            "http://[::ffff:127.0.0.1]:9000/",
            "http://10.0.0.1/",
            "http://169.254.169.254/latest/meta-data",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://127.0.0.1:99999/",
            "ftp://127.0.0.1/",
            "//127.0.0.1/",
            "127.0.0.1:9000",
            "",
        ] {
            assert_eq!(destination(url), None, "{url}");
        }
    }
}
