//! The client against listeners on the loopback address, and against the sandbox.

mod cut;
mod guarded;
mod repeated;
mod secret;
pub(crate) mod server;
mod signed;
pub(crate) mod tls;

use std::time::Duration;

use super::{
    Authentication, Client, ClientOptions, HttpAnswer, HttpRequest, Method, Repeat, RequestBody, Sent,
};

/// A client that does not wait long.
fn client() -> Client {
    let options = ClientOptions {
        timeout: Duration::from_secs(5),
        pause: Duration::from_millis(2),
        max_body: 64 << 10,
        ..ClientOptions::default()
    };
    Client::new(options).expect("it needs nothing")
}

fn get(url: &str) -> HttpRequest {
    HttpRequest {
        method: Method::Get,
        url: url.parse().expect("it is an address"),
        headers: Vec::new(),
        body: None,
        repeat: Repeat::Read,
    }
}

fn post(url: &str, repeat: Repeat) -> HttpRequest {
    let body = RequestBody { content_type: "application/json".to_owned(), bytes: b"{\"a\":1}".to_vec() };
    HttpRequest { method: Method::Post, body: Some(body), repeat, ..get(url) }
}

fn key() -> Authentication {
    bearer("sandbox-key")
}

fn bearer(key: &str) -> Authentication {
    Authentication::Header {
        name: "Authorization".to_owned(),
        prefix: "Bearer ".to_owned(),
        secret: key.into(),
    }
}

fn answer(sent: Sent) -> HttpAnswer {
    match sent {
        Sent::Answer(answer) => answer,
        other => panic!("{other:?}"),
    }
}

fn send(client: &Client, request: &HttpRequest) -> Sent {
    client.send(request, &key()).expect("it may be sent")
}
