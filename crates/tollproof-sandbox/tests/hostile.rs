//! Hostile input: silent and slow connections, bytes of no protocol, bodies without an end.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};

use crate::bird::{buy, draft};
use crate::client::ApiClient;
use crate::core::{VERIFICATIONS, bird};

/// Sends bytes, and returns what comes back until the connection ends.
fn raw(client: &ApiClient, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(client.sandbox.address()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(15))).expect("it can be set");
    // The server may end the connection before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn hostile_requests_end_in_a_refusal() {
    let client = bird();
    let host = client.sandbox.address();
    let head = format!(
        "POST {VERIFICATIONS} HTTP/1.1\r\nhost: {host}\r\nauthorization: AccessKey sandbox-key\r\nconnection: close\r\n"
    );
    let headers = format!("{head}x-long: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(raw(&client, headers.as_bytes()).starts_with("HTTP/1.1 431"), "long headers");
    assert!(
        raw(&client, b"\x16\x03\x01\x00\xff\x00\r\n\r\n").starts_with("HTTP/1.1 400"),
        "bytes of another protocol"
    );
    assert!(raw(&client, b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n").contains(" 403 "), "without a host");
    let broken = format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\n");
    assert!(raw(&client, broken.as_bytes()).starts_with("HTTP/1.1 4"), "a broken body");
    let bad_path =
        format!("GET /bird/workspaces/%ff/numbers HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    assert!(raw(&client, bad_path.as_bytes()).starts_with("HTTP/1.1 4"), "a path that is not UTF-8");
    assert_eq!(client.get("/_sandbox/clock").status, 200, "it still answers");
}

/// Connects, with a limit on how long an answer may take.
fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("it can be set");
    stream.set_write_timeout(Some(Duration::from_secs(30))).expect("it can be set");
    stream
}

/// Counts this process's bytes of memory, with the sandbox in it. Only Linux says that simply.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok()).unwrap_or_default() << 10
}

/// The memory all tests of this process together may add meanwhile.
const MORE_MEMORY: u64 = 128 << 20;

/// A body of 1 GB is refused after the first part of it, whether its length is declared or not.
#[test]
fn a_body_of_a_gigabyte_is_refused_early() {
    const GIGABYTE: usize = 1 << 30;
    let client = bird();
    let before = memory();
    let part = vec![b'x'; 1 << 16];
    for framing in [format!("content-length: {GIGABYTE}"), "transfer-encoding: chunked".to_owned()] {
        let mut stream = connect(client.sandbox.address());
        let host = client.sandbox.address();
        write!(stream, "POST {VERIFICATIONS} HTTP/1.1\r\nhost: {host}\r\n{framing}\r\n\r\n")
            .expect("it is taken");
        let mut reader = stream.try_clone().expect("it can be shared");
        let answer = thread::spawn(move || {
            let mut start = [0; 12];
            reader.read_exact(&mut start).map(|()| start)
        });
        let mut sent = 0;
        while sent < GIGABYTE {
            let written = if framing.starts_with("transfer") {
                write!(stream, "{:x}\r\n", part.len())
                    .and_then(|()| stream.write_all(&part))
                    .and_then(|()| stream.write_all(b"\r\n"))
            } else {
                stream.write_all(&part)
            };
            if written.is_err() {
                break;
            }
            sent += part.len();
        }
        assert!(sent < GIGABYTE / 16, "{framing}: {sent} bytes were taken");
        // The end of the connection may overtake the answer.
        if let Ok(start) = answer.join().expect("it ends") {
            assert_eq!(&start, b"HTTP/1.1 413", "{framing}");
        }
    }
    assert!(memory() < before + MORE_MEMORY, "memory grew from {before} to {}", memory());
    assert_eq!(client.get("/_sandbox/clock").status, 200, "it still answers");
}

/// One byte after the other, in the head or in the body, does not keep a connection.
#[test]
fn slow_senders_are_cut_off() {
    let client = bird();
    let address = client.sandbox.address();
    let head = format!("POST {VERIFICATIONS} HTTP/1.1\r\nhost: {address}\r\n");
    let trickle = |start: String| {
        let mut stream = connect(address);
        stream.write_all(start.as_bytes()).expect("it is taken");
        let began = Instant::now();
        let mut reader = stream.try_clone().expect("it can be shared");
        let answer = thread::spawn(move || {
            let mut answer = String::new();
            let _ = reader.read_to_string(&mut answer);
            (answer, began.elapsed())
        });
        while !answer.is_finished() && began.elapsed() < Duration::from_secs(30) {
            let _ = stream.write_all(b"x");
            thread::sleep(Duration::from_millis(100));
        }
        answer.join().expect("it ends")
    };
    thread::scope(|scope| {
        let in_head = scope.spawn(|| trickle(format!("{head}x-slow: ")));
        let in_body = scope.spawn(|| trickle(format!("{head}content-length: 1000\r\n\r\n")));
        for (what, thread) in [("head", in_head), ("body", in_body)] {
            let (answer, time) = thread.join().expect("it ends");
            assert!(time < Duration::from_secs(25), "{what}: {time:?}");
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{what}: {answer}");
        }
        assert_eq!(client.get("/_sandbox/clock").status, 200, "others are served meanwhile");
    });
}

/// Connections that say nothing keep no other one from being served.
#[cfg(target_os = "linux")]
#[test]
fn a_thousand_silent_connections_are_in_the_way_of_none() {
    let client = bird();
    let limits = std::fs::read_to_string("/proc/self/limits").expect("Linux has it");
    let open_files = limits.lines().find_map(|it| it.strip_prefix("Max open files")).expect("it is there");
    let most = open_files.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(usize::MAX);
    let before = memory();
    // Both ends are files of this process, and its other tests need some too.
    let silent: Vec<TcpStream> =
        (0..(most / 4).min(1_000)).map(|_| connect(client.sandbox.address())).collect();
    let began = Instant::now();
    let number = buy(&client);
    assert_eq!(client.json("POST", VERIFICATIONS, &draft(&number)).status, 201);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(memory() < before + MORE_MEMORY, "memory grew from {before} to {}", memory());
    drop(silent);
}

#[test]
fn random_bytes_end_in_a_refusal() {
    let client = bird();
    let head = format!("POST {VERIFICATIONS} HTTP/1.1\r\nhost: {}\r\n", client.sandbox.address());
    for round in 0..200_u32 {
        let noise: Vec<u8> = (0..=round % 32)
            .flat_map(|at| Sha256::digest([round.to_le_bytes(), at.to_le_bytes()].concat()))
            .collect();
        // Some begin as a request does.
        let bytes = match round % 4 {
            0 => [head.as_bytes(), &noise].concat(),
            1 => [head.as_bytes(), b"content-length: 64\r\n\r\n", &noise].concat(),
            2 => [head.as_bytes(), b"transfer-encoding: chunked\r\n\r\n", &noise].concat(),
            _ => noise,
        };
        let mut stream = connect(client.sandbox.address());
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{round}: {answer}");
    }
    assert_eq!(client.get("/_sandbox/clock").status, 200, "it still answers");
}
