//! Heads of requests and answers, as they come in and as they go on.

use std::io::Read;
use std::time::Instant;

use httparse::{EMPTY_HEADER, Header, Request, Response, Status};
use url::Url;

/// The largest head, in bytes.
const MAX_HEAD: usize = 64 << 10;

/// The most headers.
const MAX_HEADERS: usize = 128;

/// Hop-by-hop headers, which are not forwarded.
const OF_CONNECTION: [&str; 7] =
    ["connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade"];

/// A request to the proxy.
pub(super) struct ProxyRequest {
    pub(super) authorization: Option<String>,
    pub(super) aim: Aim,
}

/// The purpose of a request.
pub(super) enum Aim {
    /// A connection for TLS; the address has only host and port.
    Connect(Url),
    /// A page over http, and the head as it goes on.
    Page { url: Url, head: Vec<u8> },
    /// A request that would change something at its server, or cannot be understood.
    Refused,
}

/// Reads the head of a request or an answer. Returns it with what was read after it.
pub(super) fn read_head(from: &mut impl Read, until: Instant) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    while bytes.len() <= MAX_HEAD && Instant::now() < until {
        let count = match from.read(&mut part) {
            Ok(0) => return None,
            Ok(count) => count,
            Err(error) if super::is_pause(&error) => continue,
            Err(_) => return None,
        };
        let start = bytes.len().saturating_sub(3);
        bytes.extend_from_slice(&part[..count]);
        if let Some(at) = bytes[start..].windows(4).position(|it| it == b"\r\n\r\n") {
            let rest = bytes.split_off(start + at + 4);
            return Some((bytes, rest));
        }
    }
    None
}

/// Reads a request. `None` if it is not HTTP.
pub(super) fn request(head: &[u8]) -> Option<ProxyRequest> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut request = Request::new(&mut headers);
    if !matches!(request.parse(head), Ok(Status::Complete(_))) {
        return None;
    }
    let (method, target) = (request.method?, request.path?);
    let value =
        |name: &str| request.headers.iter().find(|it| it.name.eq_ignore_ascii_case(name)).map(|it| it.value);
    let authorization =
        value("proxy-authorization").and_then(|bytes| std::str::from_utf8(bytes).ok()).map(str::to_owned);
    let has_body =
        value("transfer-encoding").is_some() || value("content-length").is_some_and(|it| it != b"0");
    let aim = match method {
        "CONNECT" => Url::parse(&format!("https://{target}/")).map_or(Aim::Refused, Aim::Connect),
        "GET" | "HEAD" | "OPTIONS" if !has_body => {
            page(method, target, request.headers).unwrap_or(Aim::Refused)
        }
        _ => Aim::Refused,
    };
    Some(ProxyRequest { authorization, aim })
}

fn page(method: &str, target: &str, headers: &[Header<'_>]) -> Option<Aim> {
    let url = Url::parse(target).ok().filter(|it| it.scheme() == "http")?;
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n").into_bytes();
    push_headers(&mut head, headers.iter().filter(|it| !it.name.eq_ignore_ascii_case("host")));
    Some(Aim::Page { url, head })
}

/// The head of an answer as it goes on: after it the connection ends. Empty for one that only announces the answer; `None` if
/// it is not HTTP.
pub(super) fn answer(head: &[u8]) -> Option<Vec<u8>> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut answer = Response::new(&mut headers);
    if !matches!(answer.parse(head), Ok(Status::Complete(_))) {
        return None;
    }
    let code = answer.code.filter(|it| *it != 101)?;
    if code < 200 {
        return Some(Vec::new());
    }
    let mut head = format!("HTTP/1.1 {code} {}\r\n", answer.reason.unwrap_or_default()).into_bytes();
    push_headers(&mut head, answer.headers.iter());
    Some(head)
}

fn push_headers<'h>(head: &mut Vec<u8>, headers: impl Iterator<Item = &'h Header<'h>>) {
    for it in
        headers.filter(|header| !OF_CONNECTION.iter().any(|name| header.name.eq_ignore_ascii_case(name)))
    {
        head.extend_from_slice(it.name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(it.value);
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"Connection: close\r\n\r\n");
}
