//! A server that does to each connection what a test says, and keeps what it received.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A step for a connection.
#[derive(Clone, Debug)]
pub(crate) enum ServerStep {
    /// Reads the request, writes these bytes and ends the connection.
    Answer(Vec<u8>),
    /// Ends the connection without reading.
    Close,
    /// Reads the request, writes these bytes and resets the connection.
    Reset(Vec<u8>),
    /// Reads the request, writes these bytes and then nothing for a while.
    Stall(Vec<u8>),
    /// Reads the request, writes these bytes, and the last one again and again.
    Endless(Vec<u8>),
}

/// A server with a list of steps, one for each connection; the last one is for all others.
pub(crate) struct TestServer {
    pub(crate) url: String,
    received: Receiver<String>,
}

impl TestServer {
    pub(crate) fn start(steps: Vec<ServerStep>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (sender, received) = channel();
        // The thread ends with the test program.
        std::thread::spawn(move || {
            let mut steps = steps.into_iter().peekable();
            for connection in listener.incoming() {
                let step = steps.next().expect("there is a step");
                if steps.peek().is_none() {
                    steps = vec![step.clone()].into_iter().peekable();
                }
                let sender = sender.clone();
                std::thread::spawn(move || serve(connection.expect("it was accepted"), &step, &sender));
            }
        });
        Self { url, received }
    }

    /// Answers each connection so.
    pub(crate) fn answering(texts: &[&str]) -> Self {
        Self::start(texts.iter().map(|text| ServerStep::Answer(text.as_bytes().to_vec())).collect())
    }

    /// The requests until now, one for each connection; empty if the connection was closed unread.
    pub(crate) fn requests(&self) -> Vec<String> {
        let mut requests = Vec::new();
        while let Ok(request) = self.received.recv_timeout(Duration::from_millis(60)) {
            requests.push(request);
        }
        requests
    }
}

fn serve(mut connection: TcpStream, step: &ServerStep, sender: &Sender<String>) {
    let request = match step {
        ServerStep::Close => String::new(),
        // A connection that is closed with data that was not read is reset.
        ServerStep::Reset(_) => read(&mut connection, 1),
        _ => read(&mut connection, 0),
    };
    // The test may have ended.
    let _ = sender.send(request);
    match step {
        ServerStep::Close => {}
        ServerStep::Answer(bytes) => {
            let _ = connection.write_all(bytes);
            let _ = connection.shutdown(Shutdown::Write);
            let _ = connection.read(&mut [0; 64]);
        }
        ServerStep::Reset(bytes) => {
            let _ = connection.write_all(bytes);
            // The answer arrives before the reset.
            std::thread::sleep(Duration::from_millis(20));
        }
        ServerStep::Stall(bytes) => {
            let _ = connection.write_all(bytes);
            std::thread::sleep(Duration::from_secs(10));
        }
        ServerStep::Endless(bytes) => {
            let more = [*bytes.last().expect("there is one"); 4096];
            let mut written = connection.write_all(bytes);
            while written.is_ok() {
                written = connection.write_all(&more);
            }
        }
    }
}

/// Reads a request with its body, without the last bytes of the body.
fn read(connection: &mut TcpStream, unread: usize) -> String {
    let mut text = String::new();
    let mut byte = [0; 1];
    let length = |text: &str| -> Option<usize> {
        let head = text.split_once("\r\n\r\n")?.0.to_lowercase();
        let body = head.split("content-length: ").nth(1).map_or(0, |rest| {
            rest.lines().next().and_then(|line| line.parse().ok()).expect("it is a length")
        });
        Some(head.len() + 4 + body)
    };
    while length(&text).is_none_or(|it| text.len() + unread < it) {
        match connection.read(&mut byte) {
            Ok(1) => text.push(byte[0].into()),
            _ => break,
        }
    }
    text
}
