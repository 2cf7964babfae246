//! Requests that are answered at all: no web page elsewhere can move the sandbox.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderValue};

/// Whether a request is for this server and comes from no page of another one.
///
/// A page can reach the loopback address by a name that its owner points there, so the name must be one of ours. On an
/// address that other machines may reach, any name is accepted.
pub(crate) fn is_welcome(headers: &HeaderMap, address: SocketAddr) -> bool {
    let Some(host) = single(headers, "host") else { return false };
    if address.ip().is_loopback() && !is_own(host, address) {
        return false;
    }
    match headers.get_all("origin").iter().count() {
        0 => true,
        1 => single(headers, "origin").and_then(|it| it.strip_prefix("http://")) == Some(host),
        _ => false,
    }
}

/// The value of a header that occurs once.
fn single<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(HeaderValue::to_str)?.ok()?;
    values.next().is_none().then_some(value)
}

/// Whether `host` is a loopback name with the port of the address.
fn is_own(host: &str, address: SocketAddr) -> bool {
    let name = match host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
        Some((name, port)) if port.parse() == Ok(address.port()) => name,
        Some(_) => return false,
        None if address.port() == 80 => host,
        None => return false,
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_hosts_and_pages_are_refused() {
        let address: SocketAddr = "127.0.0.1:8833".parse().expect("it is one");
        let welcome = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert("host", host.parse().expect("it is printable"));
            if let Some(origin) = origin {
                headers.insert("origin", origin.parse().expect("it is printable"));
            }
            is_welcome(&headers, address)
        };
        assert!(
            welcome("127.0.0.1:8833", None) && welcome("localhost:8833", None) && welcome("[::1]:8833", None)
        );
        assert!(welcome("localhost:8833", Some("http://localhost:8833")));
        for (host, origin) in [
            ("rebound.example:8833", None),
            ("127.0.0.1", None),
            ("127.0.0.1:80", None),
            ("127.0.0.1.example:8833", None),
            ("127.0.0.1:8833", Some("https://page.example")),
            ("127.0.0.1:8833", Some("http://localhost:3000")),
            ("127.0.0.1:8833", Some("null")),
        ] {
            assert!(!welcome(host, origin), "{host} {origin:?}");
        }
        assert!(!is_welcome(&HeaderMap::new(), address));
    }
}
