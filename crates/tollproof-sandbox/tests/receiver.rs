//! A receiver of webhooks on this machine, which keeps what it gets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// A request that arrived.
#[derive(Debug)]
pub(crate) struct Hook {
    pub(crate) method: String,
    pub(crate) target: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Hook {
    pub(crate) fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }
}

/// The receiver. Its thread ends with the tests.
pub(crate) struct HookReceiver {
    pub(crate) url: String,
    hooks: Receiver<Hook>,
}

impl HookReceiver {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let url = format!("http://{}/hook", listener.local_addr().expect("it is bound"));
        let (sender, hooks) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if keep(stream, &sender).is_none() {
                    break;
                }
            }
        });
        Self { url, hooks }
    }

    /// The next request.
    pub(crate) fn next(&self) -> Hook {
        self.hooks.recv_timeout(Duration::from_secs(20)).expect("a webhook arrives")
    }

    /// Whether nothing arrives within a time.
    pub(crate) fn is_quiet(&self, time: Duration) -> bool {
        self.hooks.recv_timeout(time).is_err()
    }
}

fn keep(stream: TcpStream, sender: &Sender<Hook>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("it sends a head");
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_owned());
    }
    let mut first = lines[0].split(' ').map(str::to_owned);
    let (method, target) = (first.next().expect("a method"), first.next().expect("a target"));
    let headers: Vec<(String, String)> = lines[1..]
        .iter()
        .filter_map(|it| it.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length").map(|(_, value)| value.parse());
    let mut body = vec![0; length.map_or(0, |it| it.expect("it is a number"))];
    reader.read_exact(&mut body).expect("it sends its body");
    let body = String::from_utf8(body).expect("it is UTF-8");
    let sent = sender.send(Hook { method, target, headers, body }).ok();
    let _ = reader.get_mut().write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
    sent
}
