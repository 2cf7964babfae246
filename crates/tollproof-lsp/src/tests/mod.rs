//! The server as a client sees it, on pipes in memory.

mod client;
mod editing;
mod properties;

use std::io::pipe;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::{Value, json};
use tollproof_project::SessionOptions;

use self::client::TestClient;
use crate::server::{ServerOptions, serve};
use crate::uri::uri_of;

/// The options of all sessions: the same time in every run.
fn session_options() -> SessionOptions {
    SessionOptions { now: "2026-11-21T08:00:00Z".parse().ok(), ..SessionOptions::default() }
}

/// A client of a server in this process.
fn connected() -> TestClient {
    let (to_server, from_client) = (pipe(), pipe());
    let (server_input, client_output) = to_server.expect("there are pipes");
    let (client_input, mut server_output) = from_client.expect("there are pipes");
    thread::spawn(move || {
        let rule_url = |rule: &str| Some(format!("https://example.org/{rule}"));
        let options = ServerOptions { session: Box::new(session_options), rule_url, version: "0" };
        serve(options, server_input, &mut server_output)
    });
    TestClient::new(client_output, client_input)
}

/// A client that has a folder open.
fn started(folder: &TestFolder, capabilities: Value) -> TestClient {
    let mut client = connected();
    client.initialize(Some(&folder.uri("")), capabilities);
    client
}

/// A folder for one test.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tollproof-lsp-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join(".git")).expect("there is a folder for temporary files");
        Self(path.canonicalize().expect("it was just created"))
    }

    fn file(self, name: &str, text: &str) -> Self {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("it is below")).expect("it can be written");
        std::fs::write(path, text).expect("it can be written");
        self
    }

    fn uri(&self, name: &str) -> String {
        uri_of(&if name.is_empty() { self.0.clone() } else { self.0.join(name) }).0
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The drafts of the repository: their names and texts.
fn sample_drafts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/drafts")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the repository has drafts") {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).expect("drafts are text")));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20);
    found
}

/// The message of a very capable client.
fn abilities() -> Value {
    json!({
        "workspace": {
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
            "didChangeWatchedFiles": { "dynamicRegistration": true },
        },
        "textDocument": { "codeAction": { "resolveSupport": { "properties": ["edit"] } } },
    })
}

/// The language of a file, as editors name it.
fn language(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, it)| it) {
        Some("json") => "json",
        Some("yaml" | "yml") => "yaml",
        Some("csv") => "csv",
        Some("ndjson") => "jsonl",
        _ => "plaintext",
    }
}

fn rules(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().filter_map(|it| it["code"].as_str()).collect()
}
