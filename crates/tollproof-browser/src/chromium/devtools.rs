//! The DevTools protocol over a pipe: commands, and who gets the answers and events.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use crate::problem::{RenderError, Result};
use serde::Deserialize;
use serde_json::{Value, json};

/// The largest message, in bytes. A page is read in one.
const MAX_MESSAGE: usize = 64 << 20;

/// The browser's time limit to take a command.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// A message of the browser.
#[derive(Debug)]
pub(super) enum BrowserMessage {
    /// The answer to a command; `None` if the browser refused it.
    Answer { id: u64, result: Option<Value> },
    /// Something happened in a session, or in the browser itself.
    Event { session: Option<String>, method: String, params: Value },
    /// The browser has ended.
    Lost,
}

/// A message as it is written.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct RawMessage {
    id: Option<u64>,
    method: String,
    params: Value,
    result: Option<Value>,
    session_id: Option<String>,
}

/// Receivers of messages.
#[derive(Debug, Default)]
struct Routes {
    calls: HashMap<u64, Sender<BrowserMessage>>,
    sessions: HashMap<String, Sender<BrowserMessage>>,
    /// By browser context: who gets new targets in it.
    contexts: HashMap<String, Sender<BrowserMessage>>,
}

/// A connection to a browser. It can be used by several threads.
#[derive(Debug)]
pub(super) struct DevTools {
    to: Mutex<UnixStream>,
    routes: Arc<Mutex<Routes>>,
    next: AtomicU64,
}

impl DevTools {
    /// Reads what the browser says until it ends, on a thread of its own.
    pub(super) fn new(pipe: UnixStream) -> io::Result<Self> {
        let from = pipe.try_clone()?;
        pipe.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let routes = Arc::new(Mutex::new(Routes::default()));
        let all = Arc::clone(&routes);
        thread::Builder::new().name("browser-pipe".to_owned()).spawn(move || {
            read(&from, &all);
            // No command can be sent any more.
            let _ = from.shutdown(Shutdown::Both);
            all.lock().unwrap_or_else(PoisonError::into_inner).end();
        })?;
        Ok(Self { to: Mutex::new(pipe), routes, next: AtomicU64::new(1) })
    }

    /// Sends a command to a session, or to the browser itself. The answer goes to `answer`.
    pub(super) fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: &Value,
        answer: &Sender<BrowserMessage>,
    ) -> Result<u64> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.routes().calls.insert(id, answer.clone());
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        to.write_all(&bytes).map_err(|_| RenderError::Lost)?;
        Ok(id)
    }

    /// Says who gets the targets of a browser context.
    pub(super) fn route(&self, context: &str, to: &Sender<BrowserMessage>) {
        self.routes().contexts.insert(context.to_owned(), to.clone());
    }

    /// Forgets a browser context, and the sessions in it.
    pub(super) fn forget(&self, context: &str, sessions: &[String]) {
        let mut routes = self.routes();
        routes.contexts.remove(context);
        for it in sessions {
            routes.sessions.remove(it);
        }
    }

    fn routes(&self) -> std::sync::MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Routes {
    /// Gives a message to the one who waits for it. Others are dropped.
    fn give(&mut self, message: RawMessage) {
        let RawMessage { id, method, params, result, session_id } = message;
        if let Some(id) = id {
            if let Some(to) = self.calls.remove(&id) {
                // Errors: the page is over.
                let _ = to.send(BrowserMessage::Answer { id, result });
            }
            return;
        }
        let named = |value: &Value| value.as_str().map(str::to_owned);
        let to = match &session_id {
            Some(session) => self.sessions.get(session),
            None => named(&params["targetInfo"]["browserContextId"]).and_then(|it| self.contexts.get(&it)),
        };
        let to = to.cloned();
        match (&*method, named(&params["sessionId"])) {
            ("Target.attachedToTarget", Some(child)) => {
                self.sessions.extend(to.clone().map(|to| (child, to)));
            }
            ("Target.detachedFromTarget", Some(child)) => drop(self.sessions.remove(&child)),
            _ => {}
        }
        if let Some(to) = to {
            let _ = to.send(BrowserMessage::Event { session: session_id, method, params });
        }
    }

    /// Reports to all tabs that the browser has ended.
    fn end(&mut self) {
        let all = std::mem::take(self);
        for to in all.calls.into_values().chain(all.sessions.into_values()).chain(all.contexts.into_values())
        {
            let _ = to.send(BrowserMessage::Lost);
        }
    }
}

/// Reads messages up to the end, or up to one that is not what a browser says.
fn read(mut from: &UnixStream, routes: &Mutex<Routes>) {
    let mut bytes = Vec::new();
    let mut part = vec![0; 64 << 10];
    loop {
        let Ok(count @ 1..) = from.read(&mut part) else { return };
        let mut left = &part[..count];
        while let Some(end) = left.iter().position(|it| *it == 0) {
            bytes.extend_from_slice(&left[..end]);
            left = &left[end + 1..];
            let Ok(message) = serde_json::from_slice(&bytes) else { return };
            bytes.clear();
            routes.lock().unwrap_or_else(PoisonError::into_inner).give(message);
        }
        bytes.extend_from_slice(left);
        if bytes.len() > MAX_MESSAGE {
            return;
        }
    }
}
