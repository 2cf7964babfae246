//! A server between the client and the sandbox that cuts the connection of a write after so many bytes.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A connection's cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After so many bytes of the request reached the sandbox.
    Request(usize),
    /// After so many bytes of the answer reached the client.
    Answer(usize),
}

/// A server that cuts the first write that it sees, and forwards everything else.
pub(crate) struct Cutter {
    pub(crate) address: SocketAddr,
    /// The total bytes of the cut part, once it was seen whole.
    pub(crate) seen: Arc<AtomicUsize>,
}

impl Cutter {
    pub(crate) fn start(sandbox: SocketAddr, cut: Cut) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let seen = Arc::new(AtomicUsize::new(0));
        let whole = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut is_done = false;
            for client in listener.incoming().map_while(Result::ok) {
                let _ = forward(client, sandbox, cut, &mut is_done, &whole);
            }
        });
        Self { address, seen }
    }
}

fn forward(
    mut client: TcpStream,
    sandbox: SocketAddr,
    cut: Cut,
    is_done: &mut bool,
    whole: &AtomicUsize,
) -> std::io::Result<()> {
    let request = for_host(read_request(&mut client)?, sandbox);
    let is_cut = !*is_done && !request.starts_with(b"GET");
    *is_done |= is_cut;
    let mut server = TcpStream::connect(sandbox)?;
    if let (true, Cut::Request(after)) = (is_cut, cut) {
        whole.store(request.len(), Ordering::Relaxed);
        server.write_all(&request[..after.min(request.len())])?;
        if after < request.len() {
            let _ = server.shutdown(Shutdown::Both);
            return client.shutdown(Shutdown::Both);
        }
    } else {
        server.write_all(&request)?;
    }
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    if let (true, Cut::Answer(after)) = (is_cut, cut) {
        whole.store(answer.len(), Ordering::Relaxed);
        answer.truncate(after);
    }
    client.write_all(&answer)?;
    client.shutdown(Shutdown::Both)
}

/// A request with its body. The sandbox is asked to close the connection after its answer.
fn read_request(client: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut request = Vec::new();
    let mut part = [0; 8192];
    loop {
        let read = client.read(&mut part)?;
        request.extend_from_slice(&part[..read]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if read == 0 {
                return Ok(request);
            }
            continue;
        };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
        if read == 0 || body.len() >= length.unwrap_or(0usize) {
            break;
        }
    }
    Ok(close_after(request))
}

/// The request with the host of the sandbox, which answers no other.
fn for_host(request: Vec<u8>, sandbox: SocketAddr) -> Vec<u8> {
    let text = String::from_utf8_lossy(&request);
    let Some((before, rest)) = text.split_once("ost: ") else { return request };
    let Some((_, after)) = rest.split_once("\r\n") else { return request };
    format!("{before}ost: {sandbox}\r\n{after}").into_bytes()
}

/// The request with `Connection: close`, so that the end of the answer is the end of the connection.
fn close_after(request: Vec<u8>) -> Vec<u8> {
    let end = request.windows(2).position(|it| it == b"\r\n").map_or(request.len(), |at| at + 2);
    let mut closing = request[..end].to_vec();
    closing.extend_from_slice(b"connection: close\r\n");
    closing.extend_from_slice(&request[end..]);
    closing
}
