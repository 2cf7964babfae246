//! The loop of the server: messages of the client and results of its threads, one after the other.

mod handlers;
mod requests;

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use gen_lsp_types::Uri;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde_json::Value;
use tollproof_project::SessionOptions;

use crate::checker::{CheckedDocument, DocumentChecker};
use crate::client::EditorClient;
#[cfg(unix)]
use crate::client_process;
use crate::documents::OpenDocuments;
use crate::project::{EditorProject, Result};
use crate::transport::{self, ClientInput};

/// The options of a server.
pub struct ServerOptions {
    /// Makes the options of a session, with the current time. Called again when settings change.
    pub session: Box<dyn Fn() -> SessionOptions + Send + Sync>,
    /// The page about a rule, if there is one.
    pub rule_url: fn(&str) -> Option<String>,
    /// The version of the program.
    pub version: &'static str,
}

/// Cause of the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerEnd {
    /// The client asked for it, in the order of the protocol.
    Shutdown,
    /// The client went away, or did not announce the end.
    Disconnected,
}

/// Serves one client until it goes away.
///
/// # Errors
///
/// An output that cannot be written. One that the client has closed is the end, and not an error.
pub fn serve(
    options: ServerOptions,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<ServerEnd> {
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    let read = move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(input)) = transport::read(&mut input) {
            if reader.send(Event::Input(input)).is_err() {
                return;
            }
        }
        // `send` fails if the server has ended already.
        reader.send(Event::InputEnd).unwrap_or_default();
    };
    thread::Builder::new().name("read".to_owned()).spawn(read)?;
    let mut server = LanguageServer::new(options, sender, output);
    loop {
        let Ok(first) = events.recv() else { return Ok(ServerEnd::Disconnected) };
        server.events.push_back(first);
        server.events.extend(events.try_iter());
        match server.handle_all() {
            Ok(None) => {}
            Ok(Some(end)) => return Ok(end),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ServerEnd::Disconnected),
            Err(error) => return Err(error),
        }
    }
}

/// An event.
pub(crate) enum Event {
    Input(ClientInput),
    InputEnd,
    Checked(Box<CheckedDocument>),
    /// The folders were read; these numbers changed.
    Scanned(Result<BTreeSet<String>>),
}

/// The stage of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Starting,
    Running,
    ShutDown,
}

/// The state of the server.
pub(crate) struct LanguageServer<'o> {
    pub(crate) options: ProgramInfo,
    pub(crate) project: Arc<EditorProject>,
    pub(crate) checker: DocumentChecker,
    pub(crate) client: EditorClient,
    pub(crate) documents: OpenDocuments,
    /// Requests that wait until their document is checked.
    pub(crate) parked: Vec<(Uri, Request)>,
    /// The settings and rules for which the client shows problems.
    pub(crate) problem_files: HashSet<Uri>,
    /// Failures that the client has shown.
    pub(crate) shown: HashSet<String>,
    events: VecDeque<Event>,
    cancelled: HashSet<RequestId>,
    sender: Sender<Event>,
    /// Ends the search for numbers that runs.
    scan: Arc<AtomicBool>,
    output: &'o mut dyn Write,
    phase: Phase,
    next_id: i32,
}

/// The program's details, given to the server.
pub(crate) struct ProgramInfo {
    pub(crate) rule_url: fn(&str) -> Option<String>,
    pub(crate) version: &'static str,
}

impl<'o> LanguageServer<'o> {
    fn new(options: ServerOptions, sender: Sender<Event>, output: &'o mut dyn Write) -> Self {
        let ServerOptions { session, rule_url, version } = options;
        let project = Arc::new(EditorProject::new(session));
        let results = sender.clone();
        // The receiver is gone only if the server has ended.
        let send = move |checked| results.send(Event::Checked(Box::new(checked))).unwrap_or_default();
        Self {
            options: ProgramInfo { rule_url, version },
            checker: DocumentChecker::start(Arc::clone(&project), rule_url, send),
            project,
            client: EditorClient::of(&Value::Null),
            documents: OpenDocuments::default(),
            parked: Vec::new(),
            problem_files: HashSet::new(),
            shown: HashSet::new(),
            events: VecDeque::new(),
            cancelled: HashSet::new(),
            sender,
            scan: Arc::default(),
            output,
            phase: Phase::Starting,
            next_id: 0,
        }
    }

    /// Handles what has arrived so far. A request that was cancelled in the meantime is not answered with a result.
    fn handle_all(&mut self) -> io::Result<Option<ServerEnd>> {
        for event in &self.events {
            if let Event::Input(ClientInput::Message(message)) = event
                && let Message::Notification(it) = &**message
                && it.method == "$/cancelRequest"
            {
                self.cancelled.extend(serde_json::from_value(it.params["id"].clone()).ok());
            }
        }
        while let Some(event) = self.events.pop_front() {
            if let Some(end) = self.handle(event)? {
                return Ok(Some(end));
            }
        }
        self.cancelled.clear();
        Ok(None)
    }

    fn handle(&mut self, event: Event) -> io::Result<Option<ServerEnd>> {
        match event {
            Event::InputEnd => return Ok(Some(ServerEnd::Disconnected)),
            Event::Input(ClientInput::Malformed(it)) => transport::write_malformed(self.output, &it)?,
            Event::Input(ClientInput::Message(message)) => match *message {
                Message::Request(request) => self.request(request)?,
                Message::Notification(it) if it.method == "exit" => {
                    let is_clean = self.phase == Phase::ShutDown;
                    return Ok(Some(if is_clean { ServerEnd::Shutdown } else { ServerEnd::Disconnected }));
                }
                Message::Notification(notification) => self.notification(notification)?,
                Message::Response(_) => {}
            },
            Event::Checked(checked) => handlers::checked(self, *checked)?,
            Event::Scanned(changed) => handlers::scanned(self, changed)?,
        }
        Ok(None)
    }

    fn request(&mut self, request: Request) -> io::Result<()> {
        if self.cancelled.remove(&request.id) {
            return self.fail(request.id, ErrorCode::RequestCanceled, "cancelled by the client");
        }
        match (self.phase, request.method.as_str()) {
            (Phase::Starting, "initialize") => {
                self.client = EditorClient::of(&request.params);
                self.phase = Phase::Running;
                #[cfg(unix)]
                self.watch_client(&request.params["processId"]);
                let result = handlers::capabilities(self);
                self.answer(request.id, result)
            }
            (Phase::Starting, _) => {
                self.fail(request.id, ErrorCode::ServerNotInitialized, "`initialize` comes first")
            }
            (Phase::Running, "initialize") => {
                self.fail(request.id, ErrorCode::InvalidRequest, "the server is initialized already")
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.scan.store(true, Ordering::Relaxed);
                self.answer(request.id, Value::Null)
            }
            (Phase::ShutDown, _) => self.fail(
                request.id,
                ErrorCode::InvalidRequest,
                "the server is shut down; only `exit` may follow",
            ),
            (Phase::Running, _) => requests::request(self, request),
        }
    }

    /// Ends the server when the process of the client is gone, as the protocol asks.
    #[cfg(unix)]
    fn watch_client(&self, process: &Value) {
        let Some(process) = process.as_i64().and_then(|id| i32::try_from(id).ok()).filter(|id| *id > 0)
        else {
            return;
        };
        let sender = self.sender.clone();
        let watch = move || {
            client_process::wait_for_end(process);
            // `send` fails if the server has ended already.
            sender.send(Event::InputEnd).unwrap_or_default();
        };
        // Without the thread, the server ends with its input.
        let _ = thread::Builder::new().name("client".to_owned()).spawn(watch);
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        if self.phase != Phase::Running {
            return Ok(());
        }
        if notification.method != "$/cancelRequest" {
            return handlers::notification(self, notification);
        }
        let Ok(id) = serde_json::from_value::<RequestId>(notification.params["id"].clone()) else {
            return Ok(());
        };
        let Some(at) = self.parked.iter().position(|(_, request)| request.id == id) else { return Ok(()) };
        self.parked.remove(at);
        self.fail(id, ErrorCode::RequestCanceled, "cancelled by the client")
    }

    /// Whether a change of a document has arrived already, so that an answer about the present text would be stale.
    pub(crate) fn is_stale(&self, uri: &Uri) -> bool {
        self.events.iter().any(|event| match event {
            Event::Input(ClientInput::Message(message)) => match &**message {
                Message::Notification(it) => {
                    it.method == "textDocument/didChange" && it.params["textDocument"]["uri"] == uri.0
                }
                _ => false,
            },
            _ => false,
        })
    }

    /// Answers a request.
    pub(crate) fn answer(&mut self, id: RequestId, result: impl Serialize) -> io::Result<()> {
        self.send(&Message::Response(Response::new_ok(id, result)))
    }

    /// Answers a request with an error.
    pub(crate) fn fail(&mut self, id: RequestId, code: ErrorCode, why: &str) -> io::Result<()> {
        self.send(&Message::Response(Response::new_err(id, code as i32, why.to_owned())))
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: impl Serialize) -> io::Result<()> {
        transport::write_notification(self.output, method, &params)
    }

    /// Sends a request; its answer is not waited for.
    pub(crate) fn ask(&mut self, method: &str, params: impl Serialize) -> io::Result<()> {
        self.next_id = self.next_id.wrapping_add(1);
        let id = RequestId::from(format!("tollproof-{}", self.next_id));
        self.send(&Message::Request(Request::new(id, method.to_owned(), params)))
    }

    fn send(&mut self, message: &Message) -> io::Result<()> {
        transport::write(self.output, message)
    }

    /// Reads the numbers of all drafts of the open folders, and ends an earlier search.
    pub(crate) fn start_scan(&mut self) {
        self.scan.store(true, Ordering::Relaxed);
        self.scan = Arc::default();
        // The root of a file system is not the folder of a project.
        let is_project = |folder: &&PathBuf| folder.parent().is_some();
        let folders: Vec<PathBuf> = self.client.folders.iter().filter(is_project).cloned().collect();
        if folders.is_empty() {
            return;
        }
        let (project, stop, sender) =
            (Arc::clone(&self.project), Arc::clone(&self.scan), self.sender.clone());
        let scan = move || {
            let changed = project.scan(&folders, &stop);
            if !stop.load(Ordering::Relaxed) {
                sender.send(Event::Scanned(changed)).unwrap_or_default();
            }
        };
        // Without the thread, only open documents are compared.
        let _ = thread::Builder::new().name("scan".to_owned()).spawn(scan);
    }
}
