//! Load: 64 clients buy numbers, submit each twice and look at it, in a sandbox with a store, beside a bare route of axum that
//! is served the same way. It fails if a call is answered otherwise than expected, or if a submission is lost or doubled.
//!
//! `TOLLPROOF_BENCH_SECONDS` sets how long each part takes, instead of 60 seconds.

#![allow(clippy::print_stdout, reason = "it reports what it measured")]

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::post;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tollproof_sandbox::{Sandbox, SandboxOptions};

const CLIENTS: usize = 64;

const REQUESTS: &str = "/telnyx/v2/messaging_tollfree/verification/requests";

fn main() {
    let seconds = env::var("TOLLPROOF_BENCH_SECONDS").ok().and_then(|value| value.parse().ok()).unwrap_or(60);
    let time = Duration::from_secs(seconds);
    let bare = run("a bare route", time, bare_route(), bare_client).0;
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("load.sqlite");
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", store.display()));
    }
    // No review ends meanwhile, so each second submission must be refused.
    let review_after = SignedDuration::from_hours(24);
    let options = SandboxOptions { store: Some(store), review_after, ..SandboxOptions::default() };
    let sandbox = Sandbox::start(options.clone()).expect("the sandbox starts");
    let (loaded, submitted) = run("the sandbox", time, sandbox.address(), sandbox_client);
    verify(sandbox.address(), &submitted);
    drop(sandbox);
    let again = Sandbox::start(options).expect("the store can be opened again");
    verify(again.address(), &submitted);
    println!("{} submissions, none lost, none doubled", submitted.len());
    println!("requests a second: 1 to {:.1} of a bare route", bare.rate / loaded.rate);
    println!("99th percentile: {:.1} times that of a bare route", loaded.p99 / bare.p99);
}

/// A part's results.
struct Measured {
    /// Requests a second.
    rate: f64,
    /// The time below which 99 of 100 answers came, in milliseconds.
    p99: f64,
}

/// A number and the id of its submission.
type Submitted = (String, String);

/// A client on one connection, which notes how long each answer takes.
struct LoadClient {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    times: Vec<Duration>,
}

impl LoadClient {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("it accepts");
        stream.set_nodelay(true).expect("it is a socket");
        Self { stream: BufReader::new(stream), address, times: Vec::new() }
    }

    /// Sends a request and returns the status and the body of the answer.
    fn send(&mut self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer sandbox-key\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len(),
        );
        let start = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes()).expect("the server reads");
        let (mut status, mut length, mut line) = (0, 0, String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("the server answers");
            let line = line.trim_end();
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().expect("it is a status");
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().expect("it is a length");
            } else if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("the body is whole");
        self.times.push(start.elapsed());
        (status, serde_json::from_slice(&body).expect("it is JSON"))
    }
}

/// Lets all clients work for a time.
fn run(
    name: &str,
    time: Duration,
    address: SocketAddr,
    work: fn(&mut LoadClient, usize, Instant) -> Vec<Submitted>,
) -> (Measured, Vec<Submitted>) {
    let start = Instant::now();
    let end = start + time;
    let (mut times, mut submitted) = (Vec::new(), Vec::new());
    thread::scope(|scope| {
        let start_client = |at| {
            scope.spawn(move || {
                let mut client = LoadClient::connect(address);
                let submitted = work(&mut client, at, end);
                (client.times, submitted)
            })
        };
        let clients: Vec<_> = (0..CLIENTS).map(start_client).collect();
        for client in clients {
            let (client_times, client_submitted) = client.join().expect("each answer is the expected one");
            times.extend(client_times);
            submitted.extend(client_submitted);
        }
    });
    let rate = times.len() as f64 / start.elapsed().as_secs_f64();
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100].as_secs_f64() * 1_000.0;
    println!("{name}: {} requests, {rate:.0} a second, 99th percentile {p99:.2} ms", times.len());
    (Measured { rate, p99 }, submitted)
}

fn draft(number: &str) -> String {
    let text = include_str!("../../../schemas/telnyx/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["phoneNumbers"] = json!([{ "phoneNumber": number }]);
    draft.to_string()
}

/// The nth number of a client, which no other client has.
fn number(client: usize, nth: usize) -> String {
    let at = nth * CLIENTS + client;
    let area = ["833", "844", "855", "866", "877", "888", "800"][at % 7];
    format!("+1{area}{}", 2_000_000 + at / 7)
}

fn by_number(number: &str) -> String {
    format!("{REQUESTS}?page=1&page_size=5&phone_number=%2B{}", &number[1..])
}

fn sandbox_client(client: &mut LoadClient, at: usize, end: Instant) -> Vec<Submitted> {
    let mut submitted = Vec::new();
    while Instant::now() < end {
        let number = number(at, submitted.len());
        let order = json!({ "phone_numbers": [{ "phone_number": number }] }).to_string();
        let (status, _) = client.send("POST", "/telnyx/v2/number_orders", &order);
        assert_eq!(status, 200, "it is bought");
        let draft = draft(&number);
        let (status, record) = client.send("POST", REQUESTS, &draft);
        assert_eq!(status, 200, "{record}");
        let id = record["id"].as_str().expect("it is a text").to_owned();
        let (status, refusal) = client.send("POST", REQUESTS, &draft);
        assert_eq!(status, 400, "it is a duplicate: {refusal}");
        let (_, found) = client.send("GET", &by_number(&number), "");
        assert_eq!(found["records"][0]["id"], json!(id));
        submitted.push((number, id));
    }
    submitted
}

/// Each submission is there once, and nothing else is.
fn verify(address: SocketAddr, submitted: &[Submitted]) {
    let mut client = LoadClient::connect(address);
    for (number, id) in submitted {
        let (status, found) = client.send("GET", &by_number(number), "");
        assert_eq!((status, &found["total_records"]), (200, &json!(1)), "{number}");
        assert_eq!(found["records"][0]["id"], json!(id), "{number}");
    }
    let (_, all) = client.send("GET", &format!("{REQUESTS}?page=1&page_size=1"), "");
    assert_eq!(all["total_records"], json!(submitted.len()));
}

fn bare_client(client: &mut LoadClient, at: usize, end: Instant) -> Vec<Submitted> {
    let draft = draft(&number(at, 0));
    while Instant::now() < end {
        assert_eq!(client.send("POST", "/", &draft).0, 200);
    }
    Vec::new()
}

/// A route that reads a body and sends it back, served as the sandbox serves its routes.
fn bare_route() -> SocketAddr {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_io().enable_time().build().expect("a runtime starts");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let router = Router::new().route("/", post(|body: Bytes| async { body }));
    let service = TowerToHyperService::new(router);
    thread::spawn(move || {
        runtime.block_on(async {
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                let service =
                    hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
                        hyper::service::Service::call(&service, request.map(Body::new))
                    });
                tokio::spawn(async move {
                    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await
                });
            }
        });
    });
    address
}
