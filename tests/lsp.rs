//! `tollproof lsp` as an editor starts it: a draft made clean by completions and actions, and clients that misbehave.

#[path = "../crates/tollproof-lsp/src/tests/client.rs"]
mod client;

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::client::TestClient;
use crate::support::Folder;

/// A running server with its client.
fn start(folder: &Folder, args: &[&str]) -> (Child, TestClient) {
    let args: Vec<&str> = ["lsp"].iter().chain(args).copied().collect();
    let mut command = folder.command(&args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("tollproof starts");
    let pipes = (child.stdin.take().expect("it was piped"), child.stdout.take().expect("it was piped"));
    (child, TestClient::new(pipes.0, pipes.1))
}

/// Waits for the end of the server: its exit status, and what it wrote to standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let begin = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it can be killed");
            panic!("the server does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it has ended");
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn uri(folder: &Folder, name: &str) -> String {
    format!("file://{}", folder.0.join(name).to_string_lossy().replace('\\', "/"))
}

fn messages(diagnostics: &[Value]) -> Vec<String> {
    diagnostics.iter().map(|it| format!("{}: {}", it["code"], it["message"])).collect()
}

/// The samples are clean; this takes away what completions and fixes give back.
fn spoilt_draft() -> Value {
    let mut draft =
        tollproof_core::clean_document(tollproof_core::Kind::of(tollproof_core::KindRole::Submit));
    let fields = draft.as_object_mut().expect("it is an object");
    let city = fields.remove("businessCity").expect("it is there");
    fields.insert("town".to_owned(), city);
    fields.remove("messageVolume");
    fields.insert("useCase".to_owned(), json!("appointment reminder texts"));
    fields.insert("businessCountry".to_owned(), json!("United States"));
    draft
}

#[test]
fn a_bad_draft_becomes_clean_by_completions_and_actions_alone() {
    let folder = Folder::new("lsp-clean");
    let draft = spoilt_draft();
    for (name, text, language) in [
        ("draft.json", serde_json::to_string_pretty(&draft).expect("it is JSON") + "\n", "json"),
        ("draft.yaml", serde_yaml::to_string(&draft).expect("it is YAML"), "yaml"),
    ] {
        let (child, mut client) = start(&folder, &[]);
        client.initialize(Some(&uri(&folder, "")), json!({}));
        let uri = uri(&folder, name);
        client.open(&uri, language, &text);
        assert!(client.diagnostics(&uri).iter().any(|it| it["severity"] == 1));
        // Fixes first, as long as there are some.
        for _ in 0..20 {
            let found = client.diagnostics(&uri);
            let mut fix = None;
            for it in &found {
                let actions = client.actions(&uri, &it["range"], Some("quickfix"));
                let is_fix = |action: &&Value| {
                    let title = action["title"].as_str().expect("it has one");
                    !title.starts_with("Ignore") && !title.starts_with("Apply")
                };
                fix = actions.iter().find(is_fix).cloned();
                if fix.is_some() {
                    break;
                }
            }
            let Some(fix) = fix else { break };
            client.choose(&fix);
        }
        // The use case by what it means: the value that completion puts first.
        let text = client.text(&uri).to_owned();
        let value = text.find("useCase").expect("it is there") + "useCase".len();
        let value =
            value + text[value..].find("app").or(text[value..].find("App")).expect("it has a value") + 11;
        let mut items = client.completions(&uri, value);
        items.sort_by_key(|item| item["sortText"].as_str().map(str::to_owned));
        assert_eq!(items[0]["label"], "Appointments");
        client.complete(&uri, &items[0]);
        // Fields that are missing, each with a value of its list, or nothing that can be written for the user.
        let text = client.text(&uri).to_owned();
        let at =
            text.find("productionMessageContent").expect("it is there") - usize::from(language == "json");
        let line = text[..at].rfind('\n').expect("it is not the first");
        client.edit(&uri, line, line, "\n");
        let at = line + 1;
        let items = client.completions(&uri, at);
        let field =
            items.iter().find(|it| it["label"] == "messageVolume").unwrap_or_else(|| panic!("{items:?}"));
        client.complete(&uri, field);
        let text = client.text(&uri).to_owned();
        let after = text.find("messageVolume").expect("it was written") + "messageVolume".len();
        let at = if language == "json" { after + 4 } else { after + 2 };
        let items = client.completions(&uri, at);
        let item =
            items.iter().find(|it| it["label"] == "10,000").unwrap_or_else(|| panic!("{text}\n{items:?}"));
        client.complete(&uri, item);
        let found = client.diagnostics(&uri);
        let left: Vec<&Value> =
            found.iter().filter(|diagnostic| diagnostic["severity"].as_u64() < Some(3)).collect();
        assert!(left.is_empty(), "{:?}\n{}", messages(&found), client.text(&uri));
        // The command line agrees.
        let ran = folder
            .pipe(&["check", "-", "--stdin-filename", name, "--output-format", "concise"], client.text(&uri));
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        client.end();
        assert_eq!(end(child), (Some(0), String::new()));
    }
}

#[test]
fn the_diagnostics_are_the_findings_of_check() {
    let folder = Folder::new("lsp-check");
    let text = serde_yaml::to_string(&spoilt_draft()).expect("it is YAML") + "trace: é\n";
    let (child, mut client) = start(&folder, &["--now", "2026-11-21T08:00:00Z"]);
    client.initialize(None, json!({}));
    let uri = uri(&folder, "draft.yaml");
    client.open(&uri, "yaml", "");
    client.edit(&uri, 0, 0, &text);
    let shown: Vec<String> = client
        .diagnostics(&uri)
        .iter()
        .map(|it| format!("{} {} {}", it["code"], it["severity"], it["range"]["start"]["line"]))
        .collect();
    let options = ["--now", "2026-11-21T08:00:00Z", "--min-severity", "info", "--output-format", "json"];
    let ran = folder.pipe(&[&["check", "-", "--stdin-filename", "draft.yaml"], &options[..]].concat(), &text);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let severity = |name: &Value| {
        1 + ["error", "warning", "info"].iter().position(|it| name == it).expect("one of three")
    };
    let mut wanted: Vec<String> = report["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| {
            let line = finding["span"]["line"].as_u64().expect("a line") - 1;
            format!("{} {} {line}", finding["rule"], severity(&finding["severity"]))
        })
        .collect();
    assert!(wanted.len() > 2, "{wanted:?}");
    // The fields that one object lacks are one diagnostic.
    wanted.dedup();
    assert_eq!(shown, wanted);
    client.end();
    assert_eq!(end(child).0, Some(0));
}

#[test]
fn notes_and_programs_have_the_findings_of_their_folder() {
    let notes = include_str!("cases/forms.in/notes.md");
    let program =
        include_str!("cases/forms.in/verify.ts").replace("'https://ferncafe.com'", "'ferncafe.com'");
    let folder = Folder::new("lsp-forms").file("notes.md", notes).file("verify.ts", &program);
    let (child, mut client) = start(&folder, &[]);
    client.initialize(Some(&uri(&folder, "")), json!({}));
    let rules = |diagnostics: Vec<Value>| -> Vec<String> {
        let found = diagnostics.iter().filter(|diagnostic| diagnostic["severity"].as_u64() < Some(3));
        found.map(|found| format!("{} {}", found["range"]["start"]["line"], found["code"])).collect()
    };
    for (name, language, text) in [("notes.md", "markdown", notes), ("verify.ts", "typescript", &program)] {
        let uri = uri(&folder, name);
        client.open(&uri, language, text);
        let ran = folder.run(&["check", ".", "--output-format", "jsonl"]);
        let findings = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let own = findings.filter(|finding| finding["file"] == name && finding["severity"] != "info");
        let line = |finding: &Value| finding["span"]["line"].as_u64().expect("a line") - 1;
        let wanted: Vec<String> =
            own.map(|finding| format!("{} {}", line(&finding), finding["rule"])).collect();
        assert!(!wanted.is_empty(), "{name}: {}", ran.out);
        assert_eq!(rules(client.diagnostics(&uri)), wanted, "{name}");
    }
    // What `--fix` would do is a quick fix.
    let program_uri = uri(&folder, "verify.ts");
    let found = client.diagnostics(&program_uri);
    let action = found
        .iter()
        .flat_map(|diagnostic| client.actions(&program_uri, &diagnostic["range"], Some("quickfix")))
        .find(|action| action["title"].as_str().is_some_and(|title| title.starts_with("Replace")))
        .expect("there is a fix");
    client.choose(&action);
    folder.run(&["check", "--fix", "verify.ts"]);
    assert_eq!(
        client.text(&program_uri),
        std::fs::read_to_string(folder.0.join("verify.ts")).expect("UTF-8")
    );
    // A draft that is being written counts once it is sure, and one that goes has no findings.
    let uri = uri(&folder, "README.md");
    client.open(&uri, "markdown", "# Fern Cafe\n\n**Website:** https://ferncafe.com\n");
    assert_eq!(client.diagnostics(&uri), Vec::<Value>::new());
    let end_of = |client: &TestClient| client.text(&uri).len();
    let at = end_of(&client);
    client.edit(&uri, at, at, notes);
    assert!(!rules(client.diagnostics(&uri)).is_empty());
    let at = end_of(&client);
    client.edit(&uri, 0, at, "");
    assert_eq!(client.diagnostics(&uri), Vec::<Value>::new());
    // Settings can turn them off.
    let settings = format!("file://{}", folder.0.join("tollproof.yaml").to_string_lossy());
    client.open(&settings, "yaml", "forms: []\n");
    client.diagnostics_until(&program_uri, <[Value]>::is_empty);
    client.end();
    assert_eq!(end(child).0, Some(0));
}

/// Messages that a client may send at the wrong time, or at any time.
fn nonsense() -> Vec<Value> {
    let document = json!({ "uri": "file:///nowhere.json", "version": 7 });
    let change = |range: Value, text: &str| {
        let changes = json!([{ "range": range, "text": text }]);
        json!({ "method": "textDocument/didChange", "params": { "textDocument": document, "contentChanges": changes } })
    };
    let place = |line: i64, character: i64| json!({ "line": line, "character": character });
    vec![
        json!({ "method": "textDocument/didClose", "params": { "textDocument": document } }),
        change(json!({ "start": place(5, 5), "end": place(1, 1) }), "x"),
        change(json!({ "start": place(-1, 0), "end": place(0, 0) }), "x"),
        change(json!(null), "x"),
        json!({ "method": "textDocument/didOpen", "params": {} }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": { "uri": 1 } } }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": { "uri": "", "languageId": "", "version": 0, "text": "{" } } }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": { "uri": "file:///", "languageId": "json", "version": 0, "text": "{" } } }),
        json!({ "method": "workspace/didChangeWatchedFiles", "params": { "changes": [{ "uri": "x:y", "type": 9 }] } }),
        json!({ "method": "workspace/didChangeWorkspaceFolders", "params": { "event": 3 } }),
        json!({ "method": "no/such" }),
        json!({ "id": "a", "method": "no/such" }),
        json!({ "id": "b", "method": "textDocument/hover" }),
        json!({ "id": "c", "method": "textDocument/hover", "params": { "textDocument": document, "position": place(-1, -1) } }),
        json!({ "id": "d", "method": "textDocument/completion", "params": { "textDocument": document, "position": place(9, 9) } }),
        json!({ "id": "e", "method": "textDocument/codeAction", "params": { "textDocument": document } }),
        json!({ "id": "f", "method": "codeAction/resolve", "params": { "title": "x", "data": { "uri": "y", "version": 1, "safe": true } } }),
        json!({ "id": "g", "method": "workspace/executeCommand", "params": { "command": "rm" } }),
        json!({ "id": "h", "result": 1 }),
        json!({ "id": null, "method": "x" }),
        json!([1, 2]),
        json!("x"),
    ]
}

#[test]
fn a_client_that_misbehaves_neither_kills_nor_hangs_the_server() {
    let folder = Folder::new("lsp-nonsense");
    let (child, mut client) = start(&folder, &[]);
    // Before the start.
    nonsense().iter().for_each(|message| assert!(client.send(message)));
    assert_eq!(client.answer(&json!("b"))["error"]["code"], -32002);
    assert_eq!(client.request("shutdown", json!(null))["error"]["code"], -32002);
    let result =
        client.initialize(Some("file:///nowhere/at/all"), json!({ "general": 1, "textDocument": [] }));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    // Bytes that are not messages.
    for bytes in [
        b"Content-Length: 3\r\n\r\n{{{".as_slice(),
        b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
        b"Content-Length: -4\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n\r\n\r\n",
    ] {
        assert!(client.raw(bytes));
    }
    nonsense().iter().for_each(|message| assert!(client.send(message)));
    assert_eq!(client.answer(&json!("g"))["error"]["code"], -32602);
    assert_eq!(client.request("initialize", json!({}))["error"]["code"], -32600);
    // Wrong ranges of a document that is open.
    let uri = uri(&folder, "a.json");
    client.open(&uri, "json", "{\"businessName\": \"é😀\"}\n");
    for (line, character, end_line) in
        [(0, 18, 0), (0, 4_000_000_000_u32, 4_000_000_000_u32), (7, 7, 0), (0, 19, 0)]
    {
        let range = json!({ "start": { "line": line, "character": character }, "end": { "line": end_line, "character": 1 } });
        let params = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "range": range, "text": "😀" }] });
        client.notify("textDocument/didChange", params);
        let params =
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
        assert!(client.request("textDocument/hover", params).get("error").is_none());
    }
    // It still works.
    client.open(&uri, "json", "{\"businessName\": \"x\", \"useCase\": \"y\"}");
    client.diagnostics_until(&uri, |diagnostics| {
        diagnostics.iter().any(|finding| finding["code"] == "use-case/unknown-use-case")
    });
    // After the end, only `exit` counts.
    client.request("shutdown", json!(null));
    assert_eq!(client.request("textDocument/hover", json!({}))["error"]["code"], -32600);
    client.notify("exit", json!(null));
    assert_eq!(end(child), (Some(0), String::new()));
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let folder = Folder::new("lsp-gone");
    // Without a word, in a message, without `shutdown`, or while the server writes.
    for bytes in ["", "Content-Length: 100\r\n\r\n{", "Content-Length: 5"] {
        let (child, mut client) = start(&folder, &[]);
        client.raw(bytes.as_bytes());
        client.close();
        assert_eq!(end(child), (Some(1), String::new()), "{bytes}");
    }
    let (child, mut client) = start(&folder, &[]);
    client.initialize(None, json!({}));
    client.notify("exit", json!(null));
    assert_eq!(end(child), (Some(1), String::new()));
    let (mut child, mut stdin) = {
        let mut command = folder.command(&["lsp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tollproof starts");
        let stdin = child.stdin.take().expect("it was piped");
        (child, stdin)
    };
    drop(child.stdout.take());
    let message = r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}"#;
    // The client does not read the answers. The pipe to the server stays open, or is closed by the server.
    for _ in 0..10 {
        let _ = write!(stdin, "Content-Length: {}\r\n\r\n{message}", message.len());
    }
    assert_eq!(end(child), (Some(1), String::new()));
    drop(stdin);
}

#[test]
fn a_huge_document_does_not_stop_the_server() {
    let folder = Folder::new("lsp-huge");
    let (child, mut client) = start(&folder, &[]);
    client.initialize(None, json!({}));
    let (huge, deep, small) =
        (uri(&folder, "huge.json"), uri(&folder, "deep.json"), uri(&folder, "small.json"));
    client.open(&huge, "json", &format!("{{\"businessName\": \"{}\"}}", "x".repeat(20 << 20)));
    client.open(&deep, "json", &"[".repeat(1 << 20));
    client.open(&small, "json", "{\"businessName\": \"x\", \"useCase\": \"y\"}");
    assert_eq!(client.hover(&huge, 5), None);
    client.completions(&deep, 1 << 19);
    assert!(!client.diagnostics(&small).is_empty());
    assert!(client.diagnostics(&huge).is_empty(), "it is not checked while it is typed");
    client.end();
    assert_eq!(end(child), (Some(0), String::new()));
}

#[test]
fn options_that_cannot_be_used_are_an_error_at_the_start() {
    let ran = Folder::new("lsp-options").run(&["lsp", "--config", "nowhere.yaml"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    assert!(ran.err.contains("nowhere.yaml"), "{}", ran.err);
}
