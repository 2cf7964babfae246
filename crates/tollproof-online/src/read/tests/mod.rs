//! Readers on this machine that do what servers and programs do, and worse.

mod all;
mod choice;
mod local;
#[cfg(unix)]
mod program;
mod server;

use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::client::tests::server::{ServerStep, TestServer};
use crate::settings::{ReaderKind, UserSettings};

const KEY: &str = "moonstone-opal-4711";

const OBJECT: &str = r#"{"answers":{"consent-required":{"answer":"no","quote":"","sure":true}}}"#;

fn prompt() -> ReaderPrompt {
    ReaderPrompt {
        instructions: "Answer each question by itself, from the words alone.".to_owned(),
        material: "Ada's bakery texts order updates to customers \"who ask for them\".".to_owned(),
        schema: json!({ "type": "object", "properties": { "answers": { "type": "object" } } }),
        line: "{\"version\":1,\"id\":\"a\"}".to_owned(),
    }
}

/// Settings in a user's environment, with a key.
fn settings(environment: &[(&str, &str)]) -> Result<ReaderSettings, ReaderError> {
    choose(environment, &ReaderChoice::default())
}

fn choose(environment: &[(&str, &str)], choice: &ReaderChoice) -> Result<ReaderSettings, ReaderError> {
    let variable = |name: &str| {
        let known = [("TOLLPROOF_READER_KEY", KEY)];
        let mut all = environment.iter().chain(&known);
        all.find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned())
    };
    ReaderSettings::find(&UserSettings::default(), &variable, choice)
}

/// A reader that does not wait long.
fn reader(kind: &str, url: &str) -> Reader {
    let mut settings = settings(&[
        ("TOLLPROOF_READER", kind),
        ("TOLLPROOF_READER_URL", url),
        ("TOLLPROOF_READER_MODEL", "tiny"),
    ])
    .expect("nothing is missing");
    (settings.timeout, settings.pause) = (Duration::from_secs(5), Duration::from_millis(2));
    Reader::new(settings).expect("nothing is missing")
}

fn openai(server: &TestServer) -> Reader {
    reader("openai", &format!("{}/v1", server.url))
}

fn ask(reader: &Reader) -> Result<ReaderReply, ReaderError> {
    reader.ask(&prompt(), &|| false)
}

/// The error of a prompt, which shows nothing of the prompt, the answer and the key.
fn error(reader: &Reader) -> ReaderError {
    let error = ask(reader).expect_err("the server gives none");
    for shown in [error.to_string(), format!("{error:?}"), format!("{reader:?}")] {
        for secret in ["moonstone", "opal", "bakery texts", "from the words", "consent-required"] {
            assert!(!shown.contains(secret), "{shown}");
        }
    }
    error
}

fn http(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}

fn answer(content: &str) -> String {
    let body = json!({
        "model": "tiny-2",
        "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 12, "completion_tokens": 5 },
    });
    http(200, "", &body.to_string())
}

fn server(answers: &[String]) -> TestServer {
    TestServer::answering(&answers.iter().map(String::as_str).collect::<Vec<_>>())
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").expect("it has a body");
    serde_json::from_str(body).expect("it is JSON")
}
