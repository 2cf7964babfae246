//! Websites of tests: each path has an answer.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A path's answer.
#[derive(Clone, Debug)]
pub(super) enum SiteAnswer {
    /// These bytes, head and body.
    Bytes(Vec<u8>),
    /// The first part of an answer, and nothing more for a while.
    Stall(Vec<u8>),
    /// These bytes and then the same byte for ever.
    Endless(Vec<u8>),
    /// The answers one after the other; the last one again and again.
    InTurn(Vec<Vec<u8>>),
}

/// A website on the loopback address.
#[derive(Debug)]
pub(super) struct TestSite {
    pub(super) address: SocketAddr,
    seen: Arc<SiteNotes>,
}

#[derive(Debug, Default)]
struct SiteNotes {
    requests: Mutex<Vec<String>>,
    open: AtomicUsize,
    most: AtomicUsize,
}

impl TestSite {
    pub(super) fn start(answers: &[(&str, SiteAnswer)]) -> Self {
        let answers: HashMap<String, SiteAnswer> =
            answers.iter().map(|(path, answer)| ((*path).to_owned(), answer.clone())).collect();
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it is bound");
        let seen = Arc::new(SiteNotes::default());
        let (answers, notes) = (Arc::new(answers), Arc::clone(&seen));
        // The threads end with the test program.
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (answers, notes) = (Arc::clone(&answers), Arc::clone(&notes));
                std::thread::spawn(move || serve(connection, &answers, &notes));
            }
        });
        Self { address, seen }
    }

    /// The requests until now, each with its headers.
    pub(super) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most connections open at once.
    pub(super) fn most_at_once(&self) -> usize {
        self.seen.most.load(Ordering::SeqCst)
    }
}

fn serve(mut connection: TcpStream, answers: &HashMap<String, SiteAnswer>, seen: &SiteNotes) {
    let open = seen.open.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(open, Ordering::SeqCst);
    let request = read(&connection);
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let count = {
        let mut requests = seen.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let count = requests.iter().filter(|request| request.split(' ').nth(1) == Some(&path)).count();
        requests.push(request);
        count
    };
    let missing = SiteAnswer::Bytes(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec());
    // Errors: the other side has gone.
    let _ = match answers.get(&path).unwrap_or(&missing) {
        SiteAnswer::Bytes(bytes) => connection.write_all(bytes),
        SiteAnswer::InTurn(all) => connection.write_all(&all[count.min(all.len() - 1)]),
        SiteAnswer::Stall(bytes) => {
            let written = connection.write_all(bytes);
            std::thread::sleep(Duration::from_secs(10));
            written
        }
        SiteAnswer::Endless(bytes) => endless(&mut connection, bytes),
    };
    seen.open.fetch_sub(1, Ordering::SeqCst);
}

fn endless(connection: &mut impl Write, bytes: &[u8]) -> std::io::Result<()> {
    connection.write_all(bytes)?;
    loop {
        connection.write_all(&[bytes[bytes.len() - 1]; 4096])?;
    }
}

fn read(connection: &TcpStream) -> String {
    let mut request = String::new();
    let mut lines = BufReader::new(connection);
    while !request.ends_with("\r\n\r\n") && lines.read_line(&mut request).is_ok_and(|it| it > 0) {}
    request
}

/// An answer with a type and a body.
pub(super) fn with_type(content_type: &str, body: &[u8]) -> SiteAnswer {
    let head =
        format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n", body.len());
    SiteAnswer::Bytes([head.as_bytes(), body].concat())
}

/// A page.
pub(super) fn html(body: &str) -> SiteAnswer {
    with_type("text/html; charset=utf-8", body.as_bytes())
}

/// An answer with a status, headers and a page.
pub(super) fn status(line: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {line}\r\nContent-Type: text/html\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
        .into_bytes()
}

/// A redirect.
pub(super) fn to(location: &str) -> SiteAnswer {
    SiteAnswer::Bytes(status("302 Found", &format!("Location: {location}\r\n"), ""))
}
