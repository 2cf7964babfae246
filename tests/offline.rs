//! Commands that need no provider open no socket, as strace sees it, and work without a network.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::Folder;

/// A draft, and what comes back for it.
const DRAFT: &str = include_str!("../schemas/bird/samples/submit-request.json");
const ANSWER: &str =
    r#"{"code": "InvalidRequest", "message": "invalid", "details": {"useCase": ["unknown"]}}"#;

/// Facts seen of the draft's website.
const FACTS: &str = r#"{"address":"https://www.quillbackkayak.com/","at":"2026-11-20T08:00:00Z","version":1,"outcome":"seen","page":{"title":"Quillback Kayak Tours"}}"#;

/// Calls of an assistant.
const MCP: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":{"path":"draft.json"}}}"#,
    "\n"
);

/// The commands that must not go online, and what they read from standard input.
const COMMANDS: [(&[&str], &str); 13] = [
    (&["check", "draft.json"], ""),
    (&["check", "draft.json", "--history", "sqlite:past.db"], ""),
    (&["gate", "draft.json", "--history", "sqlite:past.db"], ""),
    (&["convert", "draft.json", "--to", "twilio"], ""),
    (&["explain", "draft.json", "answer.json"], ""),
    (&["history", "list", "--history", "sqlite:past.db"], ""),
    (&["preview", "draft.json"], ""),
    (&["page", "--output", "page.html"], ""),
    (&["new", "--output", "new.yaml"], ""),
    (&["rule"], ""),
    (&["doctor"], ""),
    (
        &["lsp"],
        "Content-Length: 58\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}",
    ),
    (&["mcp"], MCP),
];

fn folder(name: &str) -> Folder {
    Folder::new(name)
        .file("draft.json", DRAFT)
        .file("answer.json", ANSWER)
        .file(".tollproof/facts.ndjson", FACTS)
}

/// Runs commands below another program, and returns what each printed.
fn below(folder: &Folder, outer: &[&str]) -> Vec<Vec<u8>> {
    let run = |(args, input): &(&[&str], &str)| {
        let words = [outer, &[env!("CARGO_BIN_EXE_tollproof")], args].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(&folder.0).env("NO_COLOR", "1");
        // A proxy would be asked for anything that goes online.
        command.env("HTTPS_PROXY", "http://127.0.0.1:9").env("ALL_PROXY", "http://127.0.0.1:9");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", words[0]));
        let mut stdin = child.stdin.take().expect("it was piped");
        let _ = std::io::Write::write_all(&mut stdin, input.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("it ends").stdout
    };
    COMMANDS.iter().map(run).collect()
}

#[test]
fn what_needs_no_provider_opens_no_socket() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
    if !has_strace && std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none() {
        // .ci/run installs it, and asks for it.
        return;
    }
    let folder = folder("offline-strace");
    let outer = ["strace", "-f", "-qq", "-A", "-e", "trace=socket,connect", "-o", "trace.txt"];
    let printed = below(&folder, &outer);
    assert!(printed.iter().any(|it| !it.is_empty()), "nothing ran");
    let trace = fs::read_to_string(folder.0.join("trace.txt")).expect("strace wrote it");
    let online: Vec<&str> = trace.lines().filter(|it| it.contains("AF_INET")).collect();
    assert_eq!(online, [""; 0]);
    // The trace sees what goes online.
    let args = ["number", "find", "--sandbox", "--provider", "plivo"];
    let words = [&outer[1..], &[env!("CARGO_BIN_EXE_tollproof")], &args].concat();
    let seen = Command::new(outer[0]).args(words).current_dir(&folder.0).output();
    assert!(
        seen.is_ok_and(|output| output.status.code() == Some(5)),
        "a sandbox that is not there is not reached"
    );
    let trace = fs::read_to_string(folder.0.join("trace.txt")).expect("strace wrote it");
    assert!(trace.contains("AF_INET"), "{trace}");
}

#[test]
fn a_reader_is_looked_for_on_this_machine_alone() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
    if !has_strace && std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none() {
        return;
    }
    let folder = folder("offline-reader");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=connect", "-o", "trace.txt", env!("CARGO_BIN_EXE_tollproof")]);
    command.args(["read", "draft.json"]).current_dir(&folder.0).stdin(Stdio::null());
    command.env("HOME", &folder.0).env("XDG_CONFIG_HOME", &folder.0).env("TOLLPROOF_READER_PORTS", "1,2");
    assert_eq!(command.output().ok().and_then(|output| output.status.code()), Some(2));
    let trace = fs::read_to_string(folder.0.join("trace.txt")).expect("strace wrote it");
    let online: Vec<&str> = trace.lines().filter(|line| line.contains("AF_INET")).collect();
    assert_eq!(online.len(), 2, "{trace}");
    assert!(online.iter().all(|line| line.contains("inet_addr(\"127.0.0.1\")")), "{online:?}");
}

/// A value for each key that settings know, and what could be asked of a network for it.
const SETTINGS: &str = r#"
vendor: Acme
include: ['*.json']
exclude: [other]
provider: bird
columns: { Firm: businessName }
kinds: { 'draft.json': submit-request }
rules: { business/no-legal-form: warning }
rule-dirs: ['https://rules.example/rules']
schemas: [{ files: '*.json', schema: schema.json }]
history: ['postgres://ana@127.0.0.1:1/past']
records: { '*.json': 5e1fd3b0-9c1b-4f5a-8c0f-2f9d7b3a6c11 }
facts: facts.ndjson
readings: readings.ndjson
facts-max-age: 3
fail-on: never
require-readings: true
ignore: [{ rule: content/template-slot, reason: known }]
locked-rules: [contact]
forms: ['*.md']
baseline: known.json
"#;

#[test]
fn no_setting_of_a_project_opens_a_socket() {
    let has_strace = Command::new("strace").arg("-V").output().is_ok_and(|output| output.status.success());
    if !has_strace && std::env::var_os("TOLLPROOF_ALL_TOOLS").is_none() {
        return;
    }
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../schemas/config.schema.json")).expect("a schema is JSON");
    let keys = schema["properties"].as_object().expect("settings have keys").keys();
    let lines: Vec<&str> = SETTINGS.trim().lines().collect();
    let line_of = |key: &String| lines.iter().find(|line| line.starts_with(&format!("{key}:")));
    let each: Vec<String> = keys
        .map(|key| line_of(key).unwrap_or_else(|| panic!("add a value for `{key}`")).to_string())
        .collect();
    let all = lines.join("\n");
    let schema = r#"{"$ref": "https://schemas.example/a.json"}"#;
    for settings in
        each.iter().map(String::as_str).chain([all.as_str(), r#"{"history": ["postgres://localhost/x"]}"#])
    {
        let folder = folder("offline-settings").file("tollproof.yaml", settings).file("schema.json", schema);
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-e", "trace=socket,connect", "-o", "trace.txt"]);
        command.args([env!("CARGO_BIN_EXE_tollproof"), "check", "draft.json"]).current_dir(&folder.0);
        let status = command.env("TOLLPROOF_SETTINGS", "").output().expect("it starts").status;
        assert!(status.code().is_some(), "{settings}: it ends by itself");
        let trace = fs::read_to_string(folder.0.join("trace.txt")).expect("strace wrote it");
        assert_eq!(trace, "", "{settings}");
    }
}

#[test]
fn what_needs_no_provider_works_without_a_network() {
    let outer = ["unshare", "--map-root-user", "--net"];
    let works = Command::new(outer[0]).args([outer[1], outer[2], "true"]).status();
    if !works.is_ok_and(|it| it.success()) {
        // Some containers do not allow it; the sockets are counted above in any case.
        return;
    }
    let (without, with) = (folder("offline-without"), folder("offline-with"));
    assert_eq!(below(&without, &outer), below(&with, &["env"]));
}
