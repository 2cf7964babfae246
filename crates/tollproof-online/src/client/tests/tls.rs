//! TLS and proxies: a handshake is not a part of the request, and an end that TLS does not confirm is a cut.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};
use ureq::Proxy;
use ureq::tls::Certificate;

use super::super::exchange::Connections;
use super::super::tls::Tls;
use super::server::{ServerStep, TestServer};
use super::*;

/// Certificates of tests: an authority, and its certificate for `localhost` and `provider.test`.
const AUTHORITY: &[u8] = include_bytes!("certificates/authority.pem");
const CERTIFICATE: &[u8] = include_bytes!("certificates/server.pem");
const KEY: &[u8] = include_bytes!("certificates/server.key");

/// Settings of a server with a certificate.
pub(crate) fn server_config(certificate: &[u8], key: &[u8]) -> Arc<ServerConfig> {
    let certificate = CertificateDer::from_pem_slice(certificate).expect("it is a certificate");
    let key = PrivateKeyDer::from_pem_slice(key).expect("it is a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has them")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("they belong together");
    Arc::new(config)
}

/// A server that reads one request a connection, answers, and says goodbye if it is polite. It sends what it read, which
/// is empty if a handshake failed.
fn server(answer: &'static str, is_polite: bool) -> (u16, Receiver<String>) {
    let config = server_config(CERTIFICATE, KEY);
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut tcp = connection.expect("it was accepted");
            let mut tls = ServerConnection::new(Arc::clone(&config)).expect("the settings are complete");
            let mut request = [0; 4096];
            let read = Stream::new(&mut tls, &mut tcp).read(&mut request).unwrap_or(0);
            let _ = sender.send(String::from_utf8_lossy(&request[..read]).into_owned());
            let _ = Stream::new(&mut tls, &mut tcp).write_all(answer.as_bytes());
            if is_polite {
                tls.send_close_notify();
            }
            let _ = tls.write_tls(&mut tcp);
        }
    });
    (port, received)
}

fn trusting() -> Client {
    let authority = Certificate::from_pem(AUTHORITY).expect("it is a certificate");
    let connections = Connections { tls: Tls::trusting(authority), proxy: None };
    Client { connections, ..client() }
}

/// A client with a proxy.
fn through(address: &str) -> Client {
    let mut client = trusting();
    client.connections.proxy = Some(Proxy::new(address).expect("it is an address"));
    client
}

fn received(requests: &Receiver<String>) -> String {
    requests.recv_timeout(Duration::from_secs(5)).expect("there was a connection")
}

const SOME: &str = "HTTP/1.1 200 OK\r\n\r\nsome";

#[test]
fn an_answer_over_tls_is_whole_if_tls_says_so() {
    let (port, requests) = server(SOME, true);
    let request = HttpRequest { body: None, ..get(&format!("https://localhost:{port}/")) };
    assert_eq!(answer(send(&trusting(), &request)).body, b"some");
    assert!(received(&requests).contains("authorization: Bearer sandbox-key"));
    let (port, _requests) = server(SOME, false);
    let request = HttpRequest { repeat: Repeat::Once, ..get(&format!("https://localhost:{port}/")) };
    assert!(matches!(send(&trusting(), &request), Sent::Lost(_)));
}

#[test]
fn nothing_is_sent_to_a_server_that_is_not_verified() {
    let (port, requests) = server(SOME, true);
    // The certificate is for the name.
    for (client, url) in
        [(trusting(), format!("https://127.0.0.1:{port}/")), (client(), format!("https://localhost:{port}/"))]
    {
        let sent = send(&client, &HttpRequest { repeat: Repeat::Once, ..get(&url) });
        assert!(matches!(sent, Sent::NotSent(_)), "{sent:?}");
        assert_eq!(received(&requests), "");
    }
}

#[test]
fn nothing_is_sent_before_a_handshake_ends() {
    let stalled = ServerStep::Stall(Vec::new());
    for step in [ServerStep::Close, ServerStep::Answer(b"HTTP/1.1 400 No\r\n\r\n".to_vec()), stalled] {
        let server = TestServer::start(vec![step]);
        let options =
            ClientOptions { timeout: Duration::from_millis(300), tries: 1, ..ClientOptions::default() };
        let client = Client { options, ..trusting() };
        let url = server.url.replace("http:", "https:");
        let sent = send(&client, &post(&url, Repeat::Once));
        assert!(matches!(sent, Sent::NotSent(_)), "{sent:?}");
    }
}

#[test]
fn a_proxy_that_refuses_is_named() {
    let client = through("http://127.0.0.1:1");
    let client = Client { options: ClientOptions { tries: 1, ..ClientOptions::default() }, ..client };
    let sent = client.send(&post("https://api.example.com/a", Repeat::Once), &bearer("key-1"));
    let said =
        Sent::NotSent("the proxy `127.0.0.1:1` to `api.example.com` refused the connection".to_owned());
    assert_eq!(sent.expect("it may be sent"), said);
}

#[test]
fn what_a_proxy_gets_is_not_the_request() {
    for (text, why) in [
        (
            "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
            "the proxy did not connect to `api.example.com`",
        ),
        ("HTTP/1.1 200 OK\r\n\r\n", "`api.example.com`"),
    ] {
        let proxy = TestServer::answering(&[text]);
        let address = proxy.url.replace("http://", "http://user:moonstone@");
        let options = ClientOptions { tries: 1, ..ClientOptions::default() };
        let client = Client { options, ..through(&address) };
        let sent = client.send(&post("https://api.example.com/a", Repeat::Once), &bearer("key-1"));
        let Sent::NotSent(said) = sent.expect("it may be sent") else { panic!("nothing was sent") };
        assert!(said.contains(why) && !said.contains("moonstone"), "{said}");
        let requests = proxy.requests();
        assert!(requests[0].starts_with("CONNECT api.example.com:443 HTTP/1.1\r\n"), "{requests:?}");
        assert!(requests.len() == 1 && !requests[0].contains("key-1"), "{requests:?}");
        assert!(!format!("{client:?}").contains("moonstone"));
        // This machine is asked directly.
        let own = TestServer::answering(&["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]);
        assert_eq!(answer(send(&client, &get(&own.url))).status, 200);
        assert_eq!(proxy.requests(), Vec::<String>::new());
    }
}

#[test]
fn a_request_through_a_proxy_counts_as_sent() {
    let (port, requests) = server("HTTP/1.1 2", true);
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = format!("http://{}", listener.local_addr().expect("it is bound"));
    // A proxy that connects every host with the server.
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().expect("it was accepted");
        let mut head = Vec::new();
        let mut byte = [0; 1];
        while !head.ends_with(b"\r\n\r\n") && client.read(&mut byte).is_ok_and(|it| it == 1) {
            head.push(byte[0]);
        }
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").expect("it can be written");
        let mut server = std::net::TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        let (mut from, mut to) = (client.try_clone().expect("it can"), server.try_clone().expect("it can"));
        std::thread::spawn(move || std::io::copy(&mut from, &mut to));
        let _ = std::io::copy(&mut server, &mut client);
        let _ = client.shutdown(std::net::Shutdown::Both);
    });
    let sent = through(&address).send(&post("https://provider.test/", Repeat::Once), &bearer("key-1"));
    assert!(matches!(sent, Ok(Sent::Lost(_))), "{sent:?}");
    assert!(received(&requests).contains("authorization: Bearer key-1"));
}
