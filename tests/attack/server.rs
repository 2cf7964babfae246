//! A provider on a socket, which takes everything, and has a fault for one request.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use url::{Url, form_urlencoded};

use super::faults::{Fault, TIMEOUT, send};
use super::provider::{Op, Shape};
use super::world::{Call, World};

/// A running provider.
pub(super) struct Server {
    pub(super) shape: &'static Shape,
    pub(super) url: String,
    shared: Arc<Shared>,
}

struct Shared {
    side: Mutex<Side>,
    /// The number of requests that came where no key should go.
    stolen: AtomicUsize,
    is_over: AtomicBool,
    thief: String,
    url: String,
}

/// The provider's state.
struct Side {
    world: World,
    /// The request that has a fault, by its label.
    fault: Option<(String, Fault)>,
    /// The number of worlds before: what is late belongs to its own.
    age: usize,
}

impl Server {
    pub(super) fn start(shape: &'static Shape, world: World) -> Self {
        let listen = || TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let (listener, thief) = (listen(), listen());
        let url = |listener: &TcpListener| format!("http://{}", listener.local_addr().expect("it listens"));
        let side = Side { world, fault: None, age: 0 };
        let shared = Arc::new(Shared {
            side: Mutex::new(side),
            stolen: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            thief: url(&thief),
            url: url(&listener),
        });
        let steals = Arc::clone(&shared);
        accept(thief, &shared, move |_| {
            steals.stolen.fetch_add(1, Ordering::Relaxed);
        });
        let serves = Arc::clone(&shared);
        accept(listener, &shared, move |stream| serve(shape, &serves, stream));
        Self { shape, url: shared.url.clone(), shared }
    }

    /// Puts another world in place, and plans a fault for one of its requests.
    pub(super) fn restore(&self, world: World, fault: Option<(String, Fault)>) {
        let mut side = self.side();
        (side.world, side.fault) = (world, fault);
        side.age += 1;
        self.shared.stolen.store(0, Ordering::Relaxed);
    }

    pub(super) fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        act(&mut self.side().world)
    }

    pub(super) fn stolen(&self) -> usize {
        self.shared.stolen.load(Ordering::Relaxed)
    }

    /// Whether the planned fault has happened.
    pub(super) fn is_used(&self) -> bool {
        self.side().fault.is_none()
    }

    fn side(&self) -> MutexGuard<'_, Side> {
        self.shared.side.lock().expect("no request panics")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        for url in [&self.shared.url, &self.shared.thief] {
            let _ = TcpStream::connect(url.trim_start_matches("http://"));
        }
    }
}

fn accept(listener: TcpListener, shared: &Arc<Shared>, act: impl Fn(TcpStream) + Clone + Send + 'static) {
    let shared = Arc::clone(shared);
    spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            if shared.is_over.load(Ordering::Relaxed) {
                return;
            }
            let act = act.clone();
            spawn(move || act(stream));
        }
    });
}

fn serve(shape: &'static Shape, shared: &Shared, mut stream: TcpStream) {
    let Some((request, length)) = peek(&stream) else { return };
    let Some(call) = read(shape, &shared.url, &request) else {
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        panic!("{} has no such call: {}", shape.name, request.lines().next().unwrap_or_default());
    };
    let lock = || shared.side.lock().expect("no request panics");
    let (fault, age, reply, world) = {
        let mut side = lock();
        side.world.asked.push(call.label.clone());
        let fault = side.take_fault(&call.label);
        let has_effect = fault.is_none_or(Fault::has_effect);
        let reply = if has_effect { side.world.answer(shape, &call) } else { (0, Value::Null) };
        (fault, side.age, reply, side.world.clone())
    };
    // A connection that is closed before everything is read is reset.
    if !fault.is_some_and(Fault::is_reset) {
        let _ = stream.read_exact(&mut vec![0; length]);
    }
    if fault == Some(Fault::Late) {
        sleep(TIMEOUT.mul_f64(1.8));
        let mut side = lock();
        if side.age == age {
            side.world.answer(shape, &call);
        }
    }
    send(&mut stream, shape, &world, fault, &reply, &shared.thief);
}

impl Side {
    fn take_fault(&mut self, label: &str) -> Option<Fault> {
        self.fault.take_if(|(wanted, _)| wanted == label).map(|(_, fault)| fault)
    }
}

/// A whole request, which stays to be read, and its length.
fn peek(stream: &TcpStream) -> Option<(String, usize)> {
    let end = Instant::now() + Duration::from_secs(20);
    stream.set_read_timeout(Some(Duration::from_secs(20))).ok()?;
    let mut bytes = vec![0; 1 << 17];
    while Instant::now() < end {
        let count = stream.peek(&mut bytes).ok().filter(|count| *count > 0)?;
        let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok();
            if body.len() >= head.lines().find_map(length).unwrap_or(0) {
                return Some((text, count));
            }
        }
        sleep(Duration::from_millis(1));
    }
    None
}

/// A request as a call of the provider.
fn read(shape: &'static Shape, base: &str, request: &str) -> Option<Call> {
    let (head, text) = request.split_once("\r\n\r\n")?;
    let mut words = head.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let url = Url::parse(base).ok()?.join(target).ok()?;
    let header = |name: &str| {
        let found = head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")));
        found.and_then(|line| line.split_once(':')).map_or("", |line| line.1.trim())
    };
    let query: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let body = match header("content-type") {
        "application/x-www-form-urlencoded" => form(text),
        kind if kind.contains("json") => serde_json::from_str(text).ok()?,
        _ => json!(text),
    };
    let called = header("x-amz-target").rsplit('.').next().unwrap_or_default();
    let path = if shape.name == "aws" { called } else { url.path() };
    let (op, named) = shape.routes.iter().find_map(|(wants, pattern, op)| {
        let captured = if *wants == method { captures(pattern, path)? } else { return None };
        Some((*op, captured.into_iter().rfind(|part| part != shape.account).unwrap_or_default()))
    })?;
    let by = match op {
        Op::List
            if query
                .iter()
                .any(|(name, _)| ["ExternalReferenceId", "referenceId"].contains(&name.as_str())) =>
        {
            " by token"
        }
        Op::List if query.iter().any(|(name, _)| name.to_ascii_lowercase().contains("number")) => {
            " by number"
        }
        _ => "",
    };
    let label = if shape.name == "aws" { called.to_owned() } else { format!("{op:?}{by}") };
    let url = format!("{base}{}", url.path());
    Some(Call { op, label, named, query: query.into_iter().collect(), body, url })
}

/// The parts of a path that are not fixed.
fn captures(pattern: &str, path: &str) -> Option<Vec<String>> {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    let fits = pattern.len() == path.len() && pattern.iter().zip(&path).all(|(a, b)| *a == "{}" || a == b);
    let plain = |part: &str| part.replace("%2B", "+").replace("%2b", "+");
    fits.then(|| {
        pattern.iter().zip(path).filter(|(wanted, _)| **wanted == "{}").map(|(_, part)| plain(part)).collect()
    })
}

/// A form; a name that is repeated is a list.
fn form(text: &str) -> Value {
    let mut fields = Map::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()).into_owned() {
        match fields.get_mut(&name) {
            Some(Value::Array(items)) => items.push(value.into()),
            Some(first) => *first = json!([first.take(), value]),
            None => {
                fields.insert(name, value.into());
            }
        }
    }
    fields.into()
}
