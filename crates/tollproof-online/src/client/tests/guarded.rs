//! Servers for keys.

use super::super::{ClientError, is_loopback};
use super::server::{ServerStep, TestServer};
use super::*;

fn refused(url: &str, authentication: &Authentication) -> ClientError {
    client().send(&get(url), authentication).expect_err(url)
}

#[test]
fn only_https_and_this_machine_are_asked() {
    for url in [
        "http://api.bird.com/",
        "http://localhost.evil.example/",
        "http://127.0.0.1.nip.io/",
        "http://localhost./",
        "http://a.localhost/",
        "http://10.0.0.1/",
        "http://0.0.0.0/",
        "http://[::]/",
        "http://[::ffff:8.8.8.8]/",
        "http://169.254.169.254/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "data:,x",
    ] {
        assert!(matches!(refused(url, &Authentication::None), ClientError::NotHttps(_)), "{url}");
        assert!(matches!(refused(url, &key()), ClientError::NotHttps(_)), "{url}");
    }
    for url in ["https://user@api.bird.com/", "https://:p@api.bird.com/", "http://127.0.0.1@evil.example/"] {
        assert!(matches!(refused(url, &Authentication::None), ClientError::UserInfo(_)), "{url}");
    }
}

#[test]
fn this_machine_has_a_few_spellings() {
    let loopback = |url: &str| is_loopback(&url.parse().expect(url));
    for url in [
        "http://127.0.0.1",
        "http://127.8.9.1:80",
        "http://[::1]:1",
        "http://localhost",
        "http://LOCALHOST:8",
        "http://0177.1",
        "http://2130706433",
        "http://0x7f.1",
    ] {
        assert!(loopback(url), "{url}");
    }
    for url in [
        "http://128.0.0.1",
        "http://localhost.evil.example",
        "http://127.0.0.1.nip.io",
        "http://localhost@evil.example",
        "http://evil.example/localhost",
        "http://evil.example#localhost",
        "http://[::2]",
        "mailto:localhost",
    ] {
        assert!(!loopback(url), "{url}");
    }
}

#[test]
fn a_real_key_is_not_for_the_sandbox_nor_the_reverse() {
    let server = TestServer::start(vec![ServerStep::Answer(Vec::new())]);
    let real = [
        bearer("live_abc"),
        bearer("my-sandbox-key"),
        Authentication::Basic { user: "sandbox-user".to_owned(), secret: "token".into() },
        Authentication::SigV4 {
            access_key: "sandbox-id".to_owned(),
            secret: "token".into(),
            session_token: None,
            region: "us-east-1".to_owned(),
            service: "sms-voice".to_owned(),
        },
    ];
    for key in real {
        assert_eq!(refused(&server.url, &key), ClientError::RealKey);
        assert_eq!(refused("https://localhost/", &key), ClientError::RealKey);
    }
    for url in ["https://api.bird.com/", "https://localhost.evil.example/", "https://192.168.0.1/"] {
        assert!(matches!(refused(url, &key()), ClientError::SandboxKey(_)), "{url}");
    }
    assert_eq!(server.requests(), Vec::<String>::new());
}

#[test]
fn keys_and_headers_cannot_add_headers() {
    let server = TestServer::start(vec![ServerStep::Answer(Vec::new())]);
    for key in [
        "sandbox-a\r\nX: y",
        "sandbox-a\nb",
        "sandbox-\0",
        "sandbox-é",
        "sandbox-a\t",
        "sandbox-a ",
        " sandbox-a",
    ] {
        let error = refused(&server.url, &bearer(key));
        assert!(matches!(error, ClientError::InvalidKey(_)), "{key:?}: {error}");
    }
    assert!(matches!(refused(&server.url, &bearer("")), ClientError::EmptyKey(_)));
    let basic = |user: &str| Authentication::Basic { user: user.to_owned(), secret: "sandbox-key".into() };
    assert!(matches!(refused(&server.url, &basic("a:b")), ClientError::InvalidKey(_)));
    assert!(matches!(refused(&server.url, &basic("a\nb")), ClientError::InvalidKey(_)));
    let with = |name: &str, value: &str| {
        let headers = vec![(name.to_owned(), value.to_owned())];
        client().send(&HttpRequest { headers, ..get(&server.url) }, &key()).expect_err(name)
    };
    for (name, value) in
        [("X-A", "a\r\nb"), ("X-A", "\u{7f}"), ("X A", "a"), ("", "a"), ("X\r\n", "a"), ("X:", "a")]
    {
        assert!(matches!(with(name, value), ClientError::InvalidHeader(_)), "{name:?} {value:?}");
    }
    for name in ["Host", "authorization", "CONTENT-LENGTH", "Transfer-Encoding", "Expect", "Connection"] {
        assert!(matches!(with(name, "1"), ClientError::ReservedHeader(_)), "{name}");
    }
    assert_eq!(server.requests(), Vec::<String>::new());
}

#[test]
fn a_redirect_is_an_answer_and_takes_no_key_along() {
    let other = TestServer::answering(&["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]);
    for status in [301, 302, 303, 307, 308] {
        let text =
            format!("HTTP/1.1 {status} Moved\r\nLocation: {}/\r\nContent-Length: 0\r\n\r\n", other.url);
        let server = TestServer::answering(&[&text]);
        for request in [get(&server.url), post(&server.url, Repeat::Once), post(&server.url, Repeat::Keyed)] {
            let answer = answer(send(&client(), &request));
            assert_eq!(
                (answer.status, answer.header("Location")),
                (status, Some(&*format!("{}/", other.url)))
            );
        }
        assert_eq!(server.requests().len(), 3);
    }
    assert_eq!(other.requests(), Vec::<String>::new());
}

#[test]
fn a_request_arrives_as_it_was_given() {
    let server = TestServer::answering(&["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"]);
    let address = server.url.replace("127.0.0.1", "localhost");
    let headers = vec![("X-Request".to_owned(), "a b".to_owned())];
    let request = HttpRequest {
        headers,
        ..post(&format!("{address}/a/b%20c?filter[type]=toll_free&x=1#part"), Repeat::Once)
    };
    answer(send(&client(), &request));
    let empty = HttpRequest { body: None, ..post(&server.url, Repeat::Once) };
    answer(send(&client(), &empty));
    let received = server.requests();
    let host = address.trim_start_matches("http://");
    for line in [
        "POST /a/b%20c?filter[type]=toll_free&x=1 HTTP/1.1\r\n",
        &format!("host: {host}\r\n"),
        "authorization: Bearer sandbox-key\r\n",
        "x-request: a b\r\n",
        "content-type: application/json\r\n",
        "content-length: 7\r\n",
        "accept-encoding: identity\r\n",
        concat!("user-agent: tollproof/", env!("CARGO_PKG_VERSION"), "\r\n"),
        "\r\n\r\n{\"a\":1}",
    ] {
        assert!(received[0].contains(line), "{line} in {}", received[0]);
    }
    assert!(received[1].contains("content-length: 0\r\n"), "{}", received[1]);
}
