//! Access to the proxy of a browser.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use super::{LocalSite, render, renderer};

#[test]
fn other_programs_cannot_use_the_proxy() {
    let site = LocalSite::start(&[("/", "<body>A page")]);
    let Some(renderer) = renderer(&site, Duration::from_secs(20)) else { return };
    assert!(render(&renderer, "/").is_ok());
    let proxy = renderer.running().expect("it was started").proxy();
    assert!(proxy.ip().is_loopback());
    for head in [
        "GET http://site.test/free HTTP/1.1\r\n",
        "CONNECT site.test:443 HTTP/1.1\r\n",
        "GET http://site.test/free HTTP/1.1\r\nProxy-Authorization: Basic dG9sbHByb29mOg==\r\n",
        "GET http://site.test/free HTTP/1.1\r\nProxy-Authorization: Basic dG9sbHByb29mOjAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw\r\n",
        "POST http://site.test/free HTTP/1.1\r\n",
    ] {
        let mut connection = TcpStream::connect(proxy).expect("it listens");
        connection.write_all(format!("{head}Host: site.test\r\n\r\n").as_bytes()).expect("it reads");
        let mut answer = String::new();
        let _ = connection.read_to_string(&mut answer);
        assert!(answer.starts_with("HTTP/1.1 407 "), "{head}: {answer}");
    }
    assert!(!site.was_asked("/free"));
    drop(renderer);
    assert!(TcpStream::connect(proxy).is_err(), "it ends with the run");
}
