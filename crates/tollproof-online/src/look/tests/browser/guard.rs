//! Limits of a browser page's reach, sending and resources.

use std::io::Write as _;
use std::net::{IpAddr, TcpListener, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tollproof_core::seen::{AddressUse, SeenOutcome};

use super::super::server::{SiteAnswer, TestSite};
use super::super::{TestNet, fact, why};
use super::{form, net, opt_in, scripted};

/// Servers on this machine that count who connects, at an IPv4 and an IPv6 address.
struct Secret {
    ports: Vec<u16>,
    connections: Arc<AtomicUsize>,
    udp: UdpSocket,
}

impl Secret {
    fn start() -> Self {
        let connections = Arc::new(AtomicUsize::new(0));
        let mut ports = Vec::new();
        for address in ["127.0.0.1:0", "[::1]:0"] {
            // Some machines have no IPv6.
            let Ok(listener) = TcpListener::bind(address) else { continue };
            ports.push(listener.local_addr().expect("it is bound").port());
            let count = Arc::clone(&connections);
            std::thread::spawn(move || {
                for mut it in listener.incoming().flatten() {
                    count.fetch_add(1, Ordering::SeqCst);
                    let _ = it.write_all(b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 6\r\n\r\nsecret");
                }
            });
        }
        let udp = UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
        udp.set_read_timeout(Some(Duration::from_millis(50))).expect("it is valid");
        Self { ports, connections, udp }
    }

    /// Leads private addresses on port 80 to the first server, so that a hole is seen.
    fn detour(&self, net: &mut TestNet) {
        for inside in ["127.0.0.1", "169.254.169.254", "10.9.8.7", "::1"] {
            let inside: IpAddr = inside.parse().expect("it is an address");
            net.directory_detour((inside, 80).into(), ([127, 0, 0, 1], self.ports[0]).into());
        }
    }

    fn assert_alone(&self) {
        assert_eq!(self.connections.load(Ordering::SeqCst), 0);
        assert!(self.udp.recv(&mut [0; 16]).is_err(), "a datagram came");
    }
}

#[test]
fn no_private_address_is_reached() {
    let Some(mut net) = net() else { return };
    let secret = Secret::start();
    secret.detour(&mut net);
    let udp = secret.udp.local_addr().expect("it is bound").port();
    let mut targets: Vec<String> = [
        "127.0.0.1",
        "169.254.169.254",
        "[::1]",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "localhost",
        "a.localhost",
        "0",
        "[::ffff:127.0.0.1]",
        "inside.test",
        "mixed.test:22",
        "127.0.0.1.nip.test",
    ]
    .map(|it| format!("http://{it}/"))
    .to_vec();
    for port in &secret.ports {
        targets.extend(["127.0.0.1", "[::1]", "localhost"].map(|it| format!("http://{it}:{port}/")));
        targets.push(format!("https://127.0.0.1:{port}/"));
    }
    let targets = serde_json::to_string(&targets).expect("it is JSON");
    let script = format!(
        "const targets = {targets};
        const add = (tag, key, url) => {{ const it = document.createElement(tag); it[key] = url; document.body.append(it) }};
        const quietly = (run) => {{ try {{ run() }} catch {{}} }};
        for (const url of targets) {{
          for (const mode of ['cors', 'no-cors']) fetch(url, {{ mode }}).catch(() => 0);
          fetch(url, {{ method: 'POST', body: 'x', mode: 'no-cors' }}).catch(() => 0);
          navigator.sendBeacon(url, 'x');
          add('img', 'src', url); add('iframe', 'src', url); add('script', 'src', url); add('embed', 'src', url);
          add('object', 'data', url); add('video', 'src', url);
          const style = document.createElement('link'); style.rel = 'stylesheet'; style.href = url; document.head.append(style);
          for (const rel of ['prefetch', 'preconnect', 'dns-prefetch', 'preload', 'modulepreload', 'manifest', 'icon', 'prerender']) {{
            const it = document.createElement('link'); it.rel = rel; it.as = 'image'; it.href = url; document.head.append(it);
          }}
          quietly(() => new WebSocket(url.replace('http', 'ws')));
          quietly(() => new WebTransport(url.replace('http:', 'https:')));
          quietly(() => new EventSource(url));
          quietly(() => new Worker(URL.createObjectURL(new Blob([`fetch('${{url}}'); new WebSocket('${{url}}'.replace('http', 'ws'))`]))));
          quietly(() => new SharedWorker(`data:text/javascript,fetch('${{url}}')`));
          window.open(url);
          const frame = document.createElement('iframe'); frame.name = 'f' + Math.random(); document.body.append(frame);
          quietly(() => new frame.contentWindow.WebSocket(url.replace('http', 'ws')));
          const form = document.createElement('form'); form.method = 'post'; form.action = url; form.target = frame.name;
          document.body.append(form); form.submit();
        }}
        const rules = document.createElement('script'); rules.type = 'speculationrules';
        rules.textContent = JSON.stringify({{ prefetch: [{{ source: 'list', urls: targets }}], prerender: [{{ source: 'list', urls: targets }}] }});
        document.head.append(rules);
        quietly(() => {{
          const call = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{udp}' }}] }});
          call.createDataChannel('x'); call.createOffer().then(it => call.setLocalDescription(it));
        }});
        quietly(() => new WebTransport('https://127.0.0.1:{udp}/'));
        const blank = document.createElement('iframe'); document.body.append(blank);
        document.title = 'has ' + ['WebSocket', 'WebTransport', 'RTCPeerConnection'].filter(it => it in window || it in blank.contentWindow);
        root.innerHTML = '<p>Enough words here for a page that has something to show to all those who read it.</p>';"
    );
    let site = TestSite::start(&[("/", scripted(&script))]);
    net.name("site.test", &site);
    let inside = |it: &str| vec![Ok(vec![it.parse::<IpAddr>().expect("it is an address")])];
    net.answer("inside.test", inside("10.9.8.7"));
    net.answer("127.0.0.1.nip.test", inside("127.0.0.1"));
    net.answer("mixed.test", inside("127.0.0.1"));
    for name in ["localhost", "a.localhost"] {
        net.answer(name, inside("127.0.0.1"));
    }
    net.options.time = Duration::from_secs(8);
    let looker = net.looker();
    let fact = fact(&looker, "http://site.test/", AddressUse::Website);
    assert!(fact.page.as_ref().is_some_and(|page| page.rendered && page.title == "has"), "{fact:?}");
    for path in ["http://127.0.0.1/", "http://[::1]/", "http://2130706433/", "http://169.254.169.254/"] {
        let site = TestSite::start(&[("/", scripted(&format!("location.href = '{path}'")))]);
        let Some(mut net) = super::net() else { return };
        secret.detour(&mut net);
        net.name("site.test", &site);
        net.options.time = Duration::from_secs(5);
        assert_eq!(why(&net.looker(), "http://site.test/"), "not-opened-by-browser", "{path}");
    }
    secret.assert_alone();
    assert!(site.requests().iter().all(|it| it.starts_with("GET ")), "{:?}", site.requests());
}

/// The counted request arrives when it is allowed.
#[test]
fn a_private_address_is_reached_if_the_user_allows_it() {
    let Some(mut net) = net() else { return };
    let secret = Secret::start();
    let script = format!(
        "fetch('http://127.0.0.1:{}/').then(it => it.text()).then(it => root.textContent = it + ' is what a page of \
        this network can read, if whoever looks at it allows that')",
        secret.ports[0]
    );
    let site = TestSite::start(&[("/", scripted(&script))]);
    net.allow_private();
    let looker = net.looker();
    assert_eq!(why(&looker, &format!("http://{}/", site.address)), "Seen");
    assert_eq!(secret.connections.load(Ordering::SeqCst), 1);
}

#[test]
fn a_name_is_looked_up_once() {
    let Some(mut net) = net() else { return };
    let secret = Secret::start();
    secret.detour(&mut net);
    let again = "setInterval(() => fetch('/again?' + Math.random(), { cache: 'no-store' }), 100);
        setTimeout(() => { root.innerHTML = '<p>A page with words enough for all who read it, and one more line of them.' }, 300)";
    let site = TestSite::start(&[("/", scripted(again))]);
    let public = net.public(&site);
    let inside: IpAddr = "127.0.0.1".parse().expect("it is an address");
    net.answer("rebinding.test", vec![Ok(vec![public]), Ok(vec![inside])]);
    net.options.time = Duration::from_secs(2);
    let fact = fact(&net.looker(), "http://rebinding.test/", AddressUse::Website);
    assert_eq!(fact.outcome, SeenOutcome::Seen, "{fact:?}");
    assert!(site.requests().len() > 3);
    secret.assert_alone();
}

#[test]
fn nothing_is_sent() {
    let Some(mut net) = net() else { return };
    let script = format!(
        "root.innerHTML = `{}`;
        for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) fetch('/changed', {{ method, body: 'x', keepalive: method === 'POST' }}).catch(() => 0);
        navigator.sendBeacon('/changed', 'x');
        const sent = new XMLHttpRequest(); sent.open('POST', '/changed'); sent.send('x');
        new Worker(URL.createObjectURL(new Blob([`fetch('http://site.test/changed', {{ method: 'POST', body: 'x', mode: 'no-cors' }})`])));
        const form = document.createElement('form'); form.method = 'post'; form.action = '/changed';
        document.body.append(form); setTimeout(() => form.submit(), 100);",
        form("")
    );
    let site = TestSite::start(&[("/", scripted(&script))]);
    net.name("site.test", &site);
    let looker = net.looker();
    let fact = opt_in(&looker, "http://site.test/");
    assert!(fact.page.is_some_and(|it| it.forms.len() == 1), "the page stays");
    // What a worker would send when its page is closed.
    std::thread::sleep(Duration::from_secs(1));
    drop(looker);
    assert!(
        site.requests().iter().all(|request| request.starts_with("GET ") && !request.contains("/changed")),
        "{:?}",
        site.requests()
    );
}

#[test]
fn what_never_ends_is_bounded() {
    let Some(mut net) = net() else { return };
    let words = "root.textContent = 'Some words for a page that is long enough to be one, and that is all there is.';";
    let scripted = |more: &str| scripted(&format!("{words} {more}"));
    let endless = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nx".to_vec();
    let site = TestSite::start(&[
        ("/script", scripted("setTimeout(() => { for (;;); }, 50)")),
        (
            "/alerts",
            scripted(
                "setInterval(() => { alert(1); confirm(2); prompt(3) }, 1); onbeforeunload = () => 'stay'",
            ),
        ),
        (
            "/windows",
            scripted(
                "setInterval(() => { for (let i = 0; i < 50; i++) window.open('/windows?' + Math.random()) }, 10)",
            ),
        ),
        (
            "/response",
            scripted(
                "new Image().src = '/endless'; document.body.append(Object.assign(new Image(), { src: '/endless' }))",
            ),
        ),
        ("/endless", SiteAnswer::Endless(endless)),
        (
            "/requests",
            scripted(
                "setInterval(() => { for (let i = 0; i < 50; i++) fetch('/n?' + Math.random()).catch(() => 0) }, 10)",
            ),
        ),
        (
            "/frames",
            scripted(
                "if (location.search.length < 400) document.body.append(Object.assign(document.createElement('iframe'), { src: location.href + '?frame' + Math.random() }))",
            ),
        ),
        ("/large", scripted("document.body.append('x'.repeat(30e6))")),
        (
            "/nodes",
            scripted("for (let i = 0; i < 4e5; i++) document.body.append(document.createElement('b'))"),
        ),
        (
            "/deep",
            scripted(
                "let at = document.body; for (let i = 0; i < 1e4; i++) { const it = document.createElement('b'); at.append(it); at = it }",
            ),
        ),
        (
            "/memory",
            scripted(
                "const all = []; setTimeout(() => { for (;;) all.push(new Array(1e6).fill(Math.random())) }, 50)",
            ),
        ),
        (
            "/history",
            scripted("setInterval(() => { for (let i = 0; i < 100; i++) location.hash = Math.random() }, 1)"),
        ),
        ("/print", scripted("setInterval(print, 1)")),
        ("/last", scripted("")),
    ]);
    net.name("site.test", &site);
    // A busy machine may be too slow for some.
    net.options.time = Duration::from_secs(4);
    let looker = net.looker();
    for (path, expected) in [
        ("script", &["time-out"][..]),
        ("alerts", &["Seen", "time-out"]),
        ("windows", &["Seen", "time-out"]),
        ("response", &["Seen", "time-out"]),
        ("requests", &["Seen", "time-out"]),
        ("frames", &["Seen", "time-out"]),
        ("large", &["too-large", "time-out"]),
        ("nodes", &["too-large", "time-out"]),
        ("deep", &["too-large", "not-opened-by-browser"]),
        ("memory", &["browser-ended", "not-opened-by-browser", "time-out"]),
        ("history", &["Seen", "time-out"]),
        ("print", &["Seen", "time-out"]),
        ("last", &["Seen"]),
    ] {
        let since = Instant::now();
        let why = why(&looker, &format!("http://site.test/{path}"));
        println!("{path}: {why} in {:?}", since.elapsed());
        assert!(expected.contains(&why.as_str()), "{path}: {why}");
        assert!(since.elapsed() < Duration::from_secs(15), "{path}: {:?}", since.elapsed());
    }
}

#[test]
fn a_run_that_is_stopped_does_not_wait() {
    let Some(mut net) = net() else { return };
    let site = TestSite::start(&[
        ("/", scripted("new Image().src = '/stall'")),
        ("/stall", SiteAnswer::Stall(Vec::new())),
    ]);
    net.name("site.test", &site);
    let looker = net.looker();
    let since = Instant::now();
    let is_late = || since.elapsed() > Duration::from_secs(2);
    let asked = [super::super::asked("http://site.test/", AddressUse::Website)];
    looker.look(&asked, &|_| {}, &is_late);
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}
