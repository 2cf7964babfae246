//! One connection of the browser to the proxy.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use url::Url;

use super::is_pause;
use super::message::{Aim, answer, read_head, request};
use super::pass::{Allowance, Passes};
use crate::destinations::Destinations;

/// The time a read waits before it checks whether the page is over.
const TICK: Duration = Duration::from_millis(200);

/// The time the browser has for the head of a request, and a server for a connection or to take bytes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The time a server has for the head of an answer.
const ANSWER: Duration = Duration::from_secs(60);

/// The extra bytes counted for each request, so that there is a limit on their number too.
const PER_REQUEST: usize = 200 << 10;

/// The most addresses of a host that are tried.
const MAX_ADDRESSES: usize = 4;

/// Serves a connection to its end.
pub(super) fn serve(
    mut client: TcpStream,
    passes: &Passes,
    destinations: &dyn Destinations,
) -> io::Result<()> {
    set_times(&client)?;
    let Some((head, rest)) = read_head(&mut client, Instant::now() + CONNECT_TIMEOUT) else { return Ok(()) };
    let Some(asked) = request(&head) else { return refuse(&mut client, "400 Bad Request") };
    let Some(allowance) = asked.authorization.and_then(|it| passes.of(&it)) else {
        return refuse(
            &mut client,
            "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"tollproof\"",
        );
    };
    if !allowance.take(PER_REQUEST) {
        return refuse(&mut client, "429 Too Many Requests");
    }
    match asked.aim {
        Aim::Connect(url) => match connect(&url, destinations) {
            Ok(mut server) => {
                client.write_all(b"HTTP/1.1 200 Connected\r\n\r\n")?;
                server.write_all(&rest)?;
                relay(&client, &server, &allowance, true);
                Ok(())
            }
            Err(status) => refuse(&mut client, status),
        },
        Aim::Page { url, head } => match connect(&url, destinations) {
            Ok(server) => page(client, server, &head, &allowance),
            Err(status) => refuse(&mut client, status),
        },
        Aim::Refused => refuse(&mut client, "405 Method Not Allowed"),
    }
}

/// Asks for one page over http.
fn page(mut client: TcpStream, mut server: TcpStream, head: &[u8], allowance: &Allowance) -> io::Result<()> {
    server.write_all(head)?;
    let until = Instant::now() + ANSWER;
    loop {
        let Some((head, rest)) = read_head(&mut Until { server: &server, client: &client, allowance }, until)
        else {
            return refuse(&mut client, "502 Bad Gateway");
        };
        let Some(head) = answer(&head) else { return refuse(&mut client, "502 Bad Gateway") };
        if head.is_empty() {
            // An announcement. What came with it is rare enough to fail.
            if rest.is_empty() {
                continue;
            }
            return refuse(&mut client, "502 Bad Gateway");
        }
        client.write_all(&head)?;
        client.write_all(&rest)?;
        relay(&client, &server, allowance, false);
        return Ok(());
    }
}

/// Reads from a server until the page is over or the browser has gone.
struct Until<'r> {
    server: &'r TcpStream,
    client: &'r TcpStream,
    allowance: &'r Allowance,
}

impl Read for Until<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let has_gone = || {
                self.client.set_nonblocking(true).is_ok_and(|()| matches!(self.client.peek(&mut [0]), Ok(0)))
            };
            if self.allowance.is_over() || has_gone() {
                return Ok(0);
            }
            self.client.set_nonblocking(false)?;
            match (&mut &*self.server).read(to) {
                Err(error) if is_pause(&error) => {}
                Ok(count) if !self.allowance.take(count) => return Ok(0),
                other => return other,
            }
        }
    }
}

/// Connects to what may be connected to, or says why not.
fn connect(url: &Url, destinations: &dyn Destinations) -> Result<TcpStream, &'static str> {
    let places = destinations.of(url).ok_or("403 Forbidden")?;
    let mut connected =
        places.iter().take(MAX_ADDRESSES).map(|it| TcpStream::connect_timeout(it, CONNECT_TIMEOUT));
    let server = connected.find_map(Result::ok).ok_or("502 Bad Gateway")?;
    set_times(&server).map_err(|_| "502 Bad Gateway")?;
    Ok(server)
}

/// Carries bytes both ways; to the server only if `up`. Ends with either side, or with the page.
fn relay(client: &TcpStream, server: &TcpStream, allowance: &Allowance, up: bool) {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            carry(client, up.then_some(server), allowance, &is_done);
            end(client, server);
        });
        carry(server, Some(client), allowance, &is_done);
        end(client, server);
    });
}

fn carry(mut from: &TcpStream, to: Option<&TcpStream>, allowance: &Allowance, is_done: &AtomicBool) {
    let mut part = [0; 16 << 10];
    while !is_done.load(Ordering::Relaxed) && !allowance.is_over() {
        match from.read(&mut part) {
            Ok(0) => break,
            Ok(count) => {
                let Some(mut to) = to else { break };
                if !allowance.take(count) || to.write_all(&part[..count]).is_err() {
                    break;
                }
            }
            Err(error) if is_pause(&error) => {}
            Err(_) => break,
        }
    }
    is_done.store(true, Ordering::Relaxed);
}

/// Ends both connections, so that whoever reads from one wakes.
fn end(client: &TcpStream, server: &TcpStream) {
    // Errors: it has ended already.
    let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
}

fn set_times(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(TICK))?;
    stream.set_write_timeout(Some(CONNECT_TIMEOUT))?;
    stream.set_nodelay(true)
}

fn refuse(client: &mut TcpStream, status: &str) -> io::Result<()> {
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    client.write_all(answer.as_bytes())
}
