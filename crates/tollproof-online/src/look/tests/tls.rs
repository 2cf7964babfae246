//! Certificates: each reason to refuse one is known.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use rustls::{ServerConnection, Stream};
use tollproof_core::seen::{AddressUse, SeenOutcome};
use ureq::tls::Certificate;

use super::{TestNet, fact};
use crate::client::Visitor;
use crate::client::tests::tls::server_config;

const AUTHORITY: &[u8] = include_bytes!("certificates/authority.pem");
const KEY: &[u8] = include_bytes!("certificates/server.key");

/// A server with a certificate that answers each request with a page.
fn server(certificate: &[u8]) -> SocketAddr {
    let config = server_config(certificate, KEY);
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    std::thread::spawn(move || {
        for mut tcp in listener.incoming().flatten() {
            let mut tls = ServerConnection::new(Arc::clone(&config)).expect("the settings are complete");
            let mut stream = Stream::new(&mut tls, &mut tcp);
            if stream.read(&mut [0; 4096]).is_ok_and(|it| it > 0) {
                let _ = stream.write_all(
                    b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nContent-Type: text/html\r\n\r\n<p>Hello",
                );
            }
            tls.send_close_notify();
            let _ = tls.write_tls(&mut tcp);
        }
    });
    address
}

#[test]
fn certificates_that_are_refused_are_told_apart() {
    for (certificate, host, outcome, why) in [
        (&include_bytes!("certificates/valid.pem")[..], "secure.test", SeenOutcome::Seen, None),
        (
            include_bytes!("certificates/valid.pem"),
            "www.secure.test",
            SeenOutcome::Certificate,
            Some("wrong-name"),
        ),
        (
            include_bytes!("certificates/expired.pem"),
            "secure.test",
            SeenOutcome::Certificate,
            Some("expired"),
        ),
        (
            include_bytes!("certificates/self-signed.pem"),
            "secure.test",
            SeenOutcome::Certificate,
            Some("self-signed"),
        ),
        (
            include_bytes!("certificates/self-signed-authority.pem"),
            "secure.test",
            SeenOutcome::Certificate,
            Some("self-signed"),
        ),
        // A browser may find what the server did not send.
        (
            include_bytes!("certificates/unknown-issuer.pem"),
            "secure.test",
            SeenOutcome::NotChecked,
            Some("unknown-issuer"),
        ),
    ] {
        let address = server(certificate);
        let mut net = TestNet::new();
        let public = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));
        net.answer(host, vec![Ok(vec![public])]);
        net.detours.insert((public, 443).into(), address);
        let authority = Certificate::from_pem(AUTHORITY).expect("it is a certificate");
        let looker = net.looker_with(Visitor::trusting(authority));
        let seen = fact(&looker, &format!("https://{host}/"), AddressUse::Website);
        assert_eq!((seen.outcome, seen.why.as_deref()), (outcome, why));
    }
}
