//! A client for tests: it uses the protocol on two pipes, as an editor does, and keeps the documents that it opened.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client with its open documents.
pub(crate) struct TestClient {
    input: Option<Box<dyn Write + Send>>,
    output: Receiver<Value>,
    next_id: i64,
    /// Text and version, by URI.
    pub(crate) documents: HashMap<String, (String, i64)>,
    /// The last diagnostics, with their version, by URI.
    published: HashMap<String, (Option<i64>, Value)>,
    /// Those of them that are hints, by URI; the others are without these.
    pub(crate) hints: HashMap<String, Vec<Value>>,
    /// All other notifications and requests of the server.
    pub(crate) others: Vec<Value>,
}

impl TestClient {
    /// A client that writes to one end and reads from the other.
    pub(crate) fn new(input: impl Write + Send + 'static, output: impl Read + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            input: Some(Box::new(input)),
            output: receiver,
            next_id: 0,
            documents: HashMap::new(),
            published: HashMap::new(),
            hints: HashMap::new(),
            others: Vec::new(),
        }
    }

    /// Starts the conversation; `folder` is the open folder.
    pub(crate) fn initialize(&mut self, folder: Option<&str>, capabilities: Value) -> Value {
        let folders = folder.map(|uri| json!([{ "uri": uri, "name": "test" }]));
        let params = json!({
            "processId": null, "rootUri": folder, "workspaceFolders": folders, "capabilities": capabilities,
        });
        let result = self.request("initialize", params);
        self.notify("initialized", json!({}));
        result["result"].clone()
    }

    /// Writes bytes as they are. It does not fail if the server has closed the pipe.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> bool {
        let Some(input) = &mut self.input else { return false };
        input.write_all(bytes).and_then(|()| input.flush()).is_ok()
    }

    pub(crate) fn send(&mut self, message: &Value) -> bool {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting for its answer.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params }));
        self.next_id
    }

    /// Sends a request and waits for its answer: the whole message.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(&json!(id))
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        self.wait(|message| {
            (message["id"] == *id && message.get("method").is_none()).then(|| message.clone())
        })
        .unwrap_or_else(|| panic!("the server does not answer {id}"))
    }

    /// Reads messages until one is what is waited for; `None` if the server went away.
    fn wait<T>(&mut self, mut is_it: impl FnMut(&Value) -> Option<T>) -> Option<T> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let mut message = match self.output.recv_timeout(left) {
                Ok(message) => message,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("the server does not answer"),
                Err(mpsc::RecvTimeoutError::Disconnected) => return None,
            };
            if message["method"] == "textDocument/publishDiagnostics" {
                let params = &mut message["params"];
                let uri = params["uri"].as_str().expect("diagnostics are of a document").to_owned();
                let all = params["diagnostics"].as_array().cloned().unwrap_or_default();
                let (hints, others) = all.into_iter().partition(|diagnostic| diagnostic["severity"] == 4);
                self.hints.insert(uri.clone(), hints);
                params["diagnostics"] = Value::Array(others);
                self.published.insert(uri, (params["version"].as_i64(), params["diagnostics"].clone()));
            } else if message.get("method").is_some() {
                self.others.push(message.clone());
            }
            if let Some(found) = is_it(&message) {
                return Some(found);
            }
        }
    }

    /// Opens a document.
    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        self.documents.insert(uri.to_owned(), (text.to_owned(), 1));
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces bytes of a document, as an editor does when a key is pressed.
    pub(crate) fn edit(&mut self, uri: &str, start: usize, end: usize, new: &str) {
        let (text, version) = self.documents.get_mut(uri).expect("the document is open");
        let range = json!({ "start": position(text, start), "end": position(text, end) });
        text.replace_range(start..end, new);
        *version += 1;
        let params = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "range": range, "text": new }],
        });
        self.notify("textDocument/didChange", params);
    }

    /// The text of a document.
    pub(crate) fn text(&self, uri: &str) -> &str {
        &self.documents[uri].0
    }

    /// Waits for the diagnostics of the present text.
    pub(crate) fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let version = self.documents[uri].1;
        let is_current = |it: &(Option<i64>, Value)| it.0 == Some(version);
        if !self.published.get(uri).is_some_and(is_current) {
            let is_it = |message: &Value| {
                let params = &message["params"];
                (message["method"] == "textDocument/publishDiagnostics"
                    && params["uri"] == uri
                    && params["version"] == version)
                    .then_some(())
            };
            self.wait(is_it).expect("the server runs");
        }
        self.published[uri].1.as_array().expect("a list").clone()
    }

    /// Waits until the diagnostics of a document are as wanted.
    pub(crate) fn diagnostics_until(
        &mut self,
        uri: &str,
        is_wanted: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        if let Some((_, Value::Array(last))) = self.published.get(uri)
            && is_wanted(last)
        {
            return last.clone();
        }
        let is_it = |message: &Value| {
            let params = &message["params"];
            let diagnostics = params["diagnostics"].as_array()?;
            (params["uri"] == uri && is_wanted(diagnostics)).then(|| diagnostics.clone())
        };
        self.wait(is_it).expect("the server runs")
    }

    /// Waits for a notification or request of the server.
    #[allow(dead_code, reason = "the tests of the program include this file and do not need it")]
    pub(crate) fn other(&mut self, method: &str) -> Value {
        if let Some(at) = self.others.iter().position(|it| it["method"] == method) {
            return self.others.remove(at);
        }
        let found = self
            .wait(|message| (message["method"] == method).then(|| message.clone()))
            .expect("the server runs");
        self.others.pop();
        found
    }

    /// The completions at a byte offset.
    pub(crate) fn completions(&mut self, uri: &str, at: usize) -> Vec<Value> {
        let params = json!({ "textDocument": { "uri": uri }, "position": position(self.text(uri), at) });
        let answer = self.request("textDocument/completion", params);
        answer["result"]["items"].as_array().cloned().unwrap_or_else(|| panic!("{answer}"))
    }

    /// The hover at a byte offset, as Markdown.
    pub(crate) fn hover(&mut self, uri: &str, at: usize) -> Option<String> {
        let params = json!({ "textDocument": { "uri": uri }, "position": position(self.text(uri), at) });
        let answer = self.request("textDocument/hover", params);
        answer["result"]["contents"]["value"].as_str().map(str::to_owned)
    }

    /// The code actions for a range of the protocol.
    pub(crate) fn actions(&mut self, uri: &str, range: &Value, only: Option<&str>) -> Vec<Value> {
        let context = match only {
            Some(kind) => json!({ "diagnostics": [], "only": [kind] }),
            None => json!({ "diagnostics": [] }),
        };
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        let answer = self.request("textDocument/codeAction", params);
        answer["result"].as_array().cloned().unwrap_or_else(|| panic!("{answer}"))
    }

    /// Applies the edits of one document, given in any order.
    pub(crate) fn apply(&mut self, uri: &str, edits: &[Value]) {
        let mut spans: Vec<(usize, usize, String)> = edits
            .iter()
            .map(|edit| {
                let at = |end: &str| offset(self.text(uri), &edit["range"][end]);
                (at("start"), at("end"), edit["newText"].as_str().expect("a text").to_owned())
            })
            .collect();
        spans.sort();
        for (start, end, new) in spans.into_iter().rev() {
            self.edit(uri, start, end, &new);
        }
    }

    /// Chooses an action: asks for its edit if it has none, and applies it to the open documents.
    pub(crate) fn choose(&mut self, action: &Value) {
        let resolved = match action.get("edit") {
            Some(_) => action.clone(),
            None => self.request("codeAction/resolve", action.clone())["result"].clone(),
        };
        let edit = &resolved["edit"];
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            self.apply(uri, edits.as_array().expect("a list"));
        }
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            let uri = change["textDocument"]["uri"].as_str().expect("an edit of a document");
            assert_eq!(change["textDocument"]["version"], self.documents[uri].1, "the version is current");
            self.apply(uri, change["edits"].as_array().expect("a list"));
        }
    }

    /// Chooses a completion. Without snippets, its text is inserted as it is.
    pub(crate) fn complete(&mut self, uri: &str, item: &Value) {
        let mut edits = vec![item["textEdit"].clone()];
        edits.extend(item["additionalTextEdits"].as_array().cloned().unwrap_or_default());
        self.apply(uri, &edits);
    }

    /// Ends the conversation as the protocol asks.
    pub(crate) fn end(&mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.close();
    }

    /// Waits until the server went away, with the pipe to it still open.
    #[allow(dead_code, reason = "the tests of the program include this file and do not need it")]
    pub(crate) fn wait_for_end(&mut self) {
        assert_eq!(self.wait(|_| None::<()>), None);
    }

    /// Closes the pipe to the server.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|&it| it > 0)?;
        if let Some(value) = line.trim().strip_prefix("Content-Length: ") {
            length = value.parse().expect("a length");
        } else if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}

/// The position of a byte offset, in UTF-16 code units.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// The byte offset of a position in UTF-16 code units.
pub(crate) fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| usize::try_from(position[key].as_u64().expect("a number")).expect("small");
    let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    let mut units = 0;
    for (at, letter) in text[start..].char_indices() {
        if units >= number("character") {
            return start + at;
        }
        units += letter.len_utf16();
    }
    text.len()
}
