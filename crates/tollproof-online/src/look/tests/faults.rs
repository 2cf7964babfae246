//! Servers that break, stall, never end, or do not want programs.

use std::io::Write as _;
use std::net::{IpAddr, TcpListener};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tollproof_core::seen::{AddressUse, PageSign, SeenOutcome};

use super::super::names::NameError;
use super::server::{SiteAnswer, TestSite, html, status, to};
use super::{TestNet, asked, fact, look, why};

fn bytes(text: &str) -> SiteAnswer {
    SiteAnswer::Bytes(text.as_bytes().to_vec())
}

#[test]
fn only_certain_answers_are_certain() {
    let site = TestSite::start(&[
        ("/404", SiteAnswer::Bytes(status("404 Not Found", "", "<p>Nothing here"))),
        ("/410", SiteAnswer::Bytes(status("410 Gone", "", ""))),
        ("/500", SiteAnswer::Bytes(status("500 Error", "", ""))),
        ("/403", SiteAnswer::Bytes(status("403 Forbidden", "", "<h1>Forbidden</h1>"))),
        ("/503", SiteAnswer::Bytes(status("503 Busy", "", "<h1>Busy</h1>"))),
        ("/challenge", SiteAnswer::Bytes(status("403 Forbidden", "cf-mitigated: challenge\r\n", ""))),
        ("/wall", SiteAnswer::Bytes(status("503 Busy", "", "<title>Just a moment...</title>"))),
        (
            "/captcha",
            SiteAnswer::Bytes(status(
                "403 No",
                "",
                "<script src=https://ct.captcha-delivery.com/c.js></script>",
            )),
        ),
        ("/999", SiteAnswer::Bytes(status("999 Request denied", "", ""))),
        ("/401", SiteAnswer::Bytes(status("401 Unauthorized", "WWW-Authenticate: Basic\r\n", ""))),
        ("/304", SiteAnswer::Bytes(status("304 Not Modified", "", ""))),
        ("/300", SiteAnswer::Bytes(status("302 Found", "", "no location"))),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let looker = net.looker();
    for (path, expected) in [
        ("404", "NotFound"),
        ("410", "Gone"),
        ("500", "ServerError"),
        ("403", "refused"),
        ("401", "refused"),
        ("503", "refused"),
        ("304", "OtherStatus"),
        ("300", "OtherStatus"),
        ("challenge", "bot-wall"),
        ("wall", "bot-wall"),
        ("captcha", "bot-wall"),
        ("999", "refused"),
    ] {
        assert_eq!(why(&looker, &format!("http://site.test/{path}")), expected, "{path}");
    }
    let fact = fact(&looker, "http://site.test/404", AddressUse::OptIn);
    assert_eq!((fact.status, fact.content_type.as_deref(), fact.bytes), (Some(404), Some("text/html"), 15));
}

#[test]
fn a_redirect_may_have_letters_as_they_are() {
    let site = TestSite::start(&[
        ("/", to("/rendez-vous-à-la-clinique")),
        ("/rendez-vous-%C3%A0-la-clinique", html("<p>Ici")),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let seen = fact(&net.looker(), "http://site.test/", AddressUse::Website);
    assert_eq!(seen.final_address.as_deref(), Some("http://site.test/rendez-vous-%C3%A0-la-clinique"));
    assert_eq!(seen.outcome, SeenOutcome::Seen);
}

#[test]
fn redirects_are_followed_up_to_a_bound() {
    let paths: Vec<String> = (0..12).map(|it| format!("/{it}")).collect();
    let mut answers: Vec<(&str, SiteAnswer)> = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        answers.push((path, if at == 0 { html("<p>Here") } else { to(&paths[at - 1]) }));
    }
    answers.extend([
        ("/loop", to("/loop")),
        ("/again", html("<meta http-equiv=refresh content='0;url=/again2'>x")),
        ("/again2", html("<meta http-equiv=refresh content='0;url=/again'>x")),
    ]);
    let site = TestSite::start(&answers);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let looker = net.looker();
    let seen = fact(&looker, "http://site.test/10", AddressUse::Website);
    assert_eq!((seen.outcome, seen.redirects), (SeenOutcome::Seen, 10));
    assert_eq!(seen.final_address.as_deref(), Some("http://site.test/0"));
    assert_eq!(why(&looker, "http://site.test/11"), "too-many-redirects");
    assert_eq!(why(&looker, "http://site.test/loop"), "too-many-redirects");
    let before = site.requests().len();
    assert_eq!(fact(&looker, "http://site.test/again", AddressUse::Website).outcome, SeenOutcome::Seen);
    assert!(site.requests().len() - before < 6, "a page cannot lead on for ever");
}

#[test]
fn slow_and_endless_servers_end() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let many = format!("HTTP/1.1 200 OK\r\n{}", "X-Filler: 0123456789\r\n".repeat(10_000));
    let site = TestSite::start(&[
        ("/slow", SiteAnswer::Stall(Vec::new())),
        ("/slow-body", SiteAnswer::Stall(format!("{head}Content-Length: 100\r\n\r\n<p>").into_bytes())),
        ("/endless", SiteAnswer::Endless(format!("{head}\r\n<").into_bytes())),
        ("/endless-head", SiteAnswer::Endless(b"HTTP/1.1 200 OK\r\nX: ".to_vec())),
        ("/many-headers", bytes(&many)),
        ("/announced", bytes(&format!("{head}Content-Length: 9000000000\r\n\r\n<p>"))),
        ("/cut", bytes(&format!("{head}Content-Length: 100\r\n\r\n<p>Half"))),
        ("/cut-chunk", bytes(&format!("{head}Transfer-Encoding: chunked\r\n\r\n40\r\n<p>Half"))),
        ("/nonsense", bytes("hello\r\n\r\n")),
        ("/nothing", bytes("")),
    ]);
    let mut net = TestNet::new();
    net.options.time = Duration::from_millis(700);
    net.name("site.test", &site);
    let looker = net.looker();
    let since = Instant::now();
    for (path, expected) in [
        ("slow", "time-out"),
        ("slow-body", "time-out"),
        ("endless", "too-large"),
        ("endless-head", "not-http"),
        ("many-headers", "not-http"),
        ("announced", "too-large"),
        ("cut", "cut"),
        ("cut-chunk", "cut"),
        ("nonsense", "not-http"),
        ("nothing", "cut"),
    ] {
        assert_eq!(why(&looker, &format!("http://site.test/{path}")), expected, "{path}");
    }
    assert!(since.elapsed() < Duration::from_secs(8), "{:?}", since.elapsed());
    assert_eq!(fact(&looker, "http://site.test/announced", AddressUse::Picture).bytes, 9_000_000_000);
}

#[test]
fn what_is_not_there_is_unreachable() {
    let port = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        listener.local_addr().expect("it is bound").port()
    };
    let mut net = TestNet::new();
    net.allow_private();
    assert_eq!(why(&net.looker(), &format!("http://127.0.0.1:{port}/")), "Unreachable");
}

#[test]
fn compressed_pages_are_not_unpacked() {
    // A server that compresses although the request forbids it: the bytes are not text, and nothing grows.
    let zeros = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
    let packed =
        [&b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"[..], &zeros]
            .concat();
    let site = TestSite::start(&[("/", SiteAnswer::Bytes(packed))]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    assert_eq!(why(&net.looker(), "http://site.test/"), "compressed");
}

#[test]
fn a_server_that_asks_for_a_pause_is_asked_once_more() {
    let busy = |after: &str| status("429 Too Many Requests", &format!("Retry-After: {after}\r\n"), "");
    let page = status("200 OK", "", "<p>Hello");
    let site = TestSite::start(&[
        ("/soon", SiteAnswer::InTurn(vec![busy("1"), page.clone()])),
        ("/later", SiteAnswer::InTurn(vec![busy("6"), page.clone()])),
        ("/always", SiteAnswer::InTurn(vec![busy("0")])),
        ("/down", SiteAnswer::InTurn(vec![status("503 Down", "Retry-After: 0\r\n", "")])),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let looker = net.looker();
    let since = Instant::now();
    assert_eq!(why(&looker, "http://site.test/soon"), "Seen");
    assert!(since.elapsed() >= Duration::from_secs(1));
    assert_eq!(why(&looker, "http://site.test/always"), "rate-limited");
    assert_eq!(why(&looker, "http://site.test/down"), "refused");
    // An address has five seconds here.
    let since = Instant::now();
    assert_eq!(why(&looker, "http://site.test/later"), "rate-limited");
    assert!(since.elapsed() < Duration::from_secs(1));
    assert_eq!(site.requests().len(), 2 + 1 + 2 + 2);
}

#[test]
fn a_host_gets_two_requests_at_once() {
    let slow: Vec<String> = (0..8).map(|it| format!("/{it}")).collect();
    let answers: Vec<(&str, SiteAnswer)> =
        slow.iter().map(|path| (path.as_str(), to("http://www.site.test/page"))).collect();
    let (site, other) = (TestSite::start(&answers), TestSite::start(&[("/page", html("<p>Hello"))]));
    let mut net = TestNet::new();
    net.name("site.test", &site);
    net.name("www.site.test", &other);
    let all: Vec<_> =
        slow.iter().map(|path| asked(&format!("http://site.test{path}"), AddressUse::Link)).collect();
    let looked = look(&net.looker(), &all);
    assert_eq!((looked.facts.len(), looked.left), (8, 0));
    assert!(looked.facts.iter().all(|it| it.outcome == SeenOutcome::Seen), "{looked:?}");
    assert!(site.most_at_once() <= 2 && other.most_at_once() <= 2);
}

#[test]
fn a_look_that_is_stopped_keeps_what_is_done() {
    let paths: Vec<String> = (0..50).map(|it| format!("/{it}")).collect();
    let answers: Vec<(&str, SiteAnswer)> =
        paths.iter().map(|path| (path.as_str(), html("<p>Hello"))).collect();
    let site = TestSite::start(&answers);
    let mut net = TestNet::new();
    net.options.jobs = 2;
    net.name("site.test", &site);
    let looker = net.looker();
    let all: Vec<_> =
        paths.iter().map(|path| asked(&format!("http://site.test{path}"), AddressUse::Link)).collect();
    let count = AtomicUsize::new(0);
    let looked = looker.look(
        &all,
        &|_| {
            count.fetch_add(1, Ordering::SeqCst);
        },
        &|| count.load(Ordering::SeqCst) >= 5,
    );
    assert!((5..10).contains(&looked.facts.len()), "{}", looked.facts.len());
    assert_eq!(looked.left, 50 - looked.facts.len());
    assert!(looked.facts.is_sorted_by_key(|it| it.address.clone()));
}

#[test]
fn a_look_that_is_stopped_waits_for_no_server() {
    let site = TestSite::start(&[
        ("/silent", SiteAnswer::Stall(Vec::new())),
        ("/slow", SiteAnswer::Stall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>".to_vec())),
    ]);
    let mut net = TestNet::new();
    net.name("site.test", &site);
    let looker = net.looker();
    let all = ["silent", "slow"].map(|path| asked(&format!("http://site.test/{path}"), AddressUse::Website));
    let since = Instant::now();
    let looked = looker.look(&all, &|_| (), &|| since.elapsed() > Duration::from_millis(500));
    assert!(since.elapsed() < Duration::from_millis(1_500), "{:?}", since.elapsed());
    assert_eq!((looked.facts.len(), looked.left), (0, 2));
}

#[test]
fn without_a_network_nothing_is_known() {
    let mut net = TestNet::new();
    // A resolver that denies every name.
    net.names.mail.insert("acme.test".to_owned(), Err(NameError::NoAnswer));
    let looker = net.looker();
    let all = [
        asked("http://acme.test/", AddressUse::Website),
        asked("acme.test", AddressUse::Mail),
        asked("https://other.test/", AddressUse::OptIn),
    ];
    let looked = look(&looker, &all);
    assert_eq!((looked.facts.len(), looked.is_offline), (0, true));
    // With one name that always exists, they do not exist.
    let mut net = TestNet::new();
    net.answer("example.com", vec![Ok(vec![IpAddr::from([93, 184, 216, 200])])]);
    let looked = look(&net.looker(), &all);
    assert_eq!((looked.facts.len(), looked.is_offline), (3, false));
    assert!(looked.facts.iter().all(|it| it.outcome == SeenOutcome::NoSuchName));
}

#[test]
fn mail_domains_have_servers_or_not() {
    let mut net = TestNet::new();
    let address = IpAddr::from([93, 184, 216, 7]);
    for (name, mail, host) in [
        ("both.test", Ok(true), Ok(vec![address])),
        ("mail.test", Ok(true), Err(NameError::NoAddress)),
        ("web.test", Ok(false), Ok(vec![address])),
        ("none.test", Ok(false), Err(NameError::NoAddress)),
        ("down.test", Err(NameError::NoAnswer), Ok(vec![address])),
    ] {
        net.names.mail.insert(name.to_owned(), mail);
        net.answer(name, vec![host]);
    }
    let looker = net.looker();
    let seen = |name: &str| fact(&looker, name, AddressUse::Mail);
    let records = |name: &str| seen(name).domain.map(|it| (it.mx, it.a));
    assert_eq!(records("both.test"), Some((true, true)));
    assert_eq!(records("mail.test"), Some((true, false)));
    assert_eq!(records("web.test"), Some((false, true)));
    assert_eq!(records("none.test"), Some((false, false)));
    assert_eq!(seen("down.test").why.as_deref(), Some("no-name-server"));
    assert_eq!(seen("missing.test").outcome, SeenOutcome::NoSuchName);
}

#[test]
fn hosts_of_log_ins_and_parking_are_known() {
    let site = TestSite::start(&[("/", html("<p>Sign in with your e-mail address to continue"))]);
    let mut net = TestNet::new();
    net.name("accounts.google.com", &site);
    net.name("www.hugedomains.com", &site);
    let looker = net.looker();
    let signs = |address: &str| fact(&looker, address, AddressUse::Website).page.map(|it| it.signs);
    assert_eq!(signs("http://accounts.google.com/"), Some(vec![PageSign::LogIn]));
    assert_eq!(signs("http://www.hugedomains.com/"), Some(vec![PageSign::Parked]));
}

#[test]
fn a_socket_that_trickles_ends_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    let open = Mutex::new(Vec::new());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let copy = connection.try_clone().expect("it can");
            open.lock().expect("no thread failed").push(copy);
            std::thread::spawn(move || {
                while connection.write_all(b"H").is_ok() {
                    std::thread::sleep(Duration::from_millis(50));
                }
            });
        }
    });
    let mut net = TestNet::new();
    net.allow_private();
    net.options.time = Duration::from_millis(600);
    let looker = net.looker();
    for scheme in ["http", "https"] {
        let since = Instant::now();
        let why = why(&looker, &format!("{scheme}://{address}/"));
        assert!(since.elapsed() < Duration::from_secs(4), "{scheme}: {:?}", since.elapsed());
        assert!(["time-out", "not-http", "no-tls"].contains(&why.as_str()), "{scheme}: {why}");
    }
}
