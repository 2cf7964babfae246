//! Addresses that must not be reached, whatever a draft, a page or a name server says.

use std::net::IpAddr;

use tollproof_core::seen::{AddressUse, SeenOutcome};

use super::super::names::NameError;
use super::server::{SiteAnswer, TestSite, html, to};
use super::{TestNet, fact, why};

const SECRET: &str = "<html><title>Secret</title><body>what no draft may see</body></html>";

/// A server on this machine that must not be asked.
fn secret() -> TestSite {
    TestSite::start(&[("/", html(SECRET)), ("/latest/meta-data/", html(SECRET))])
}

#[test]
fn no_private_address_is_asked() {
    let secret = secret();
    let port = secret.address.port();
    let mut net = TestNet::new();
    let private: [IpAddr; 7] = [
        "127.0.0.1",
        "10.0.0.5",
        "169.254.169.254",
        "100.64.1.1",
        "::1",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
    ]
    .map(|address| address.parse().expect(address));
    for (at, address) in private.into_iter().enumerate() {
        net.answer(&format!("p{at}.test"), vec![Ok(vec![address])]);
    }
    for name in ["localhost", "127.0.0.1.nip.test", "7f000001.nip.test"] {
        net.answer(name, vec![Ok(vec![private[0]])]);
    }
    // Whatever is dialed on port 80 is the secret server, so that a hole is seen.
    for address in private {
        net.detours.insert((address, 80).into(), secret.address);
    }
    let looker = net.looker();
    for host in [
        "127.0.0.1",
        "127.1",
        "127.0.0.2",
        "0x7f000001",
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "169.254.169.254",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "127.0.0.1.nip.test",
        "7f000001.nip.test",
        "\u{2488}2\u{2488}3",
        "p0.test",
        "p1.test",
        "p2.test",
        "p3.test",
        "p4.test",
        "p5.test",
        "p6.test",
        "user:password@127.0.0.1",
        "public.test@127.0.0.1",
    ] {
        let why = why(&looker, &format!("http://{host}/"));
        assert!(
            ["private-address", "not-a-web-address", "NoSuchName"].contains(&why.as_str()),
            "{host}: {why}"
        );
    }
    // The real port of the server, and ports that no website has.
    for address in [
        format!("http://127.0.0.1:{port}/"),
        "http://p0.test:25/".to_owned(),
        "http://p0.test:6379/".to_owned(),
    ] {
        assert_eq!(why(&looker, &address), "other-port");
    }
    assert_eq!(secret.requests(), Vec::<String>::new());
}

#[test]
fn no_redirect_leads_to_a_private_address() {
    let secret = secret();
    let port = secret.address.port();
    let targets: Vec<String> = [
        "http://127.0.0.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://localhost./",
        "//localhost/",
        "http://inside.test/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fd00:ec2::254]/",
        "http://user@127.0.0.1/",
        "https://127.0.0.1/",
        "\\\\127.0.0.1\\",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "gopher://127.0.0.1:6379/_FLUSHALL",
        "data:text/html,hello",
        "javascript:alert(1)",
        "http://127.0.0.1:PORT/",
        "http://public.test:6379/",
        "http:///",
        "http://[broken/",
    ]
    .map(|target| target.replace("PORT", &port.to_string()))
    .to_vec();
    let paths: Vec<String> = (0..targets.len()).map(|it| format!("/{it}")).collect();
    let mut answers: Vec<(&str, SiteAnswer)> =
        paths.iter().zip(&targets).map(|(path, target)| (path.as_str(), to(target))).collect();
    let refresh = html("<meta http-equiv=refresh content='0;url=http://127.0.0.1/'><p>Moved");
    let frame = html("<p>Agree below</p><iframe src='http://127.0.0.1/'></iframe>");
    answers.extend([("/refresh", refresh), ("/frame", frame)]);
    let site = TestSite::start(&answers);
    let mut net = TestNet::new();
    net.name("public.test", &site);
    net.answer("inside.test", vec![Ok(vec!["10.9.8.7".parse().expect("it is an address")])]);
    for inside in ["127.0.0.1", "10.9.8.7", "169.254.169.254"] {
        net.detours.insert(format!("{inside}:80").parse().expect("it is an address"), secret.address);
    }
    net.answer("localhost", vec![Ok(vec!["127.0.0.1".parse().expect("it is an address")])]);
    let looker = net.looker();
    for (path, target) in paths.iter().zip(&targets) {
        let why = why(&looker, &format!("http://public.test{path}"));
        let known = [
            "private-address",
            "other-port",
            "not-a-web-address",
            "invalid-redirect",
            "NotFound",
            "NoSuchName",
        ];
        assert!(known.contains(&why.as_str()), "{target}: {why}");
    }
    assert_eq!(why(&looker, "http://public.test/refresh"), "private-address");
    assert_eq!(
        fact(&looker, "http://public.test/frame", AddressUse::OptIn).why.as_deref(),
        Some("needs-browser")
    );
    assert_eq!(secret.requests(), Vec::<String>::new());
}

#[test]
fn a_name_is_looked_up_once_and_its_first_address_is_connected_to() {
    let (site, secret) = (TestSite::start(&[("/", to("/next")), ("/next", html("<p>Hello"))]), secret());
    let mut net = TestNet::new();
    let public = net.public(&site);
    let inside: IpAddr = "127.0.0.1".parse().expect("it is an address");
    net.answer("rebinding.test", vec![Ok(vec![public]), Ok(vec![inside])]);
    net.detours.insert((inside, 80).into(), secret.address);
    let looker = net.looker();
    let seen = fact(&looker, "http://rebinding.test/", AddressUse::Website);
    assert_eq!((seen.outcome, seen.redirects), (SeenOutcome::Seen, 1));
    assert_eq!(site.requests().len(), 2);
    assert_eq!(secret.requests(), Vec::<String>::new());
}

#[test]
fn a_private_address_beside_a_public_one_is_left_out() {
    let (site, secret) = (TestSite::start(&[("/", html("<p>Hello"))]), secret());
    let mut net = TestNet::new();
    let public = net.public(&site);
    let inside: IpAddr = "127.0.0.1".parse().expect("it is an address");
    net.answer("mixed.test", vec![Ok(vec![inside, public])]);
    net.detours.insert((inside, 80).into(), secret.address);
    assert_eq!(fact(&net.looker(), "http://mixed.test/", AddressUse::Website).outcome, SeenOutcome::Seen);
    assert_eq!(secret.requests(), Vec::<String>::new());
}

#[test]
fn only_the_user_allows_private_addresses() {
    let site = TestSite::start(&[("/", html("<p>Hello"))]);
    let mut net = TestNet::new();
    net.allow_private();
    let address = format!("http://{}/", site.address);
    assert_eq!(fact(&net.looker(), &address, AddressUse::Website).outcome, SeenOutcome::Seen);
}

#[test]
fn a_request_tells_nothing_of_its_user() {
    let cookies = "Location: http://other.test/?a=b\r\nSet-Cookie: id=1; Domain=test\r\n";
    let redirect = SiteAnswer::Bytes(super::server::status("301 Moved", cookies, ""));
    let site = TestSite::start(&[("/", redirect), ("/?a=b", html("<p>Hello"))]);
    let mut net = TestNet::new();
    net.name("first.test", &site);
    net.name("other.test", &site);
    let seen = fact(&net.looker(), "http://first.test/#part", AddressUse::Website);
    assert_eq!(seen.final_address.as_deref(), Some("http://other.test/"));
    let version = env!("CARGO_PKG_VERSION");
    for request in site.requests() {
        let mut lines = request.lines().filter(|it| !it.is_empty());
        assert!(
            lines.next().is_some_and(|line| line == "GET / HTTP/1.1" || line == "GET /?a=b HTTP/1.1"),
            "{request}"
        );
        let mut headers: Vec<&str> = lines.collect();
        headers.sort_unstable();
        assert_eq!(headers.len(), 5, "{request}");
        assert!(headers[0].starts_with("accept-encoding: identity") && headers[1] == "accept: */*");
        assert_eq!(headers[2], "connection: close");
        assert!(headers[3].starts_with("host: "));
        assert_eq!(headers[4], format!("user-agent: tollproof/{version} (+look)"));
    }
}

#[test]
fn names_without_an_answer_are_never_findings() {
    let mut net = TestNet::new();
    net.answer("broken.test", vec![Err(NameError::NoAnswer)]);
    net.answer("example.com", vec![Ok(vec!["93.184.216.34".parse().expect("it is an address")])]);
    net.answer("mail-only.test", vec![Err(NameError::NoAddress)]);
    let looker = net.looker();
    assert_eq!(why(&looker, "http://broken.test/"), "no-name-server");
    assert_eq!(why(&looker, "http://mail-only.test/"), "no-address");
    assert_eq!(why(&looker, "http://missing.test/"), "NoSuchName");
}
