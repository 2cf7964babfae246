//! `tollproof read`: readers that are servers and programs on this machine, good ones and others.

mod asking;
mod choosing;
mod drafts;
mod faults;
mod judging;
mod local;
mod pages;
mod stores;
mod transfer;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::support::{Folder, Ran};

const DRAFT: &str = include_str!("../../schemas/bird/samples/submit-request.json");
const STORE: &str = ".tollproof/readings.ndjson";
const KEY: &str = "moonstone-opal-4711";

/// Variables of the machine that choose a reader.
const VARIABLES: [&str; 7] = [
    "TOLLPROOF_READER",
    "TOLLPROOF_READER_URL",
    "TOLLPROOF_READER_MODEL",
    "TOLLPROOF_READER_COMMAND",
    "TOLLPROOF_READER_KEY",
    "TOLLPROOF_SETTINGS",
    "XDG_CONFIG_HOME",
];

/// Received request.
#[derive(Clone, Debug)]
struct Asked {
    head: String,
    body: String,
}

impl Asked {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The reader's task, apart from the draft, and the texts of the draft.
    fn parts(&self) -> (String, String) {
        let body = self.json();
        let text = |value: &Value| value.as_str().expect("it is text").to_owned();
        if body["system"].is_string() {
            (text(&body["system"]), text(&body["messages"][0]["content"]))
        } else {
            (text(&body["messages"][0]["content"]), text(&body["messages"][1]["content"]))
        }
    }

    fn questions(&self) -> Vec<Value> {
        let told = self.parts().0;
        let (_, questions) = told.split_once("The questions:\n").expect("they are in what it is told");
        let mut all = serde_json::Deserializer::from_str(questions).into_iter::<Vec<Value>>();
        all.next()
            .expect("they are there")
            .expect("they are JSON")
            .iter()
            .flat_map(questions_of)
            .cloned()
            .collect()
    }

    /// Harmless answers to all its questions.
    fn harmless(&self) -> Map<String, Value> {
        harmless(&self.questions())
    }
}

/// The questions of a request.
fn requested(request: &Value) -> Vec<Value> {
    let groups = request["questions"].as_array().expect("a list");
    groups.iter().flat_map(questions_of).cloned().collect()
}

/// The questions about the same fields.
fn questions_of(group: &Value) -> &[Value] {
    group["ask"].as_array().expect("a list")
}

/// Harmless answers to questions, with no quotes.
fn harmless(questions: &[Value]) -> Map<String, Value> {
    let answer = |question: &Value| {
        let id = question["id"].as_str().expect("it has one").to_owned();
        let answer = match id.as_str() {
            "consent-required" | "consent-topic" | "consent-names-texts" | "opt-in-concrete" => "yes",
            "summary-concrete" | "sender-is-business" | "code-other-way" => "yes",
            it if it.contains("fit") => "yes",
            "personal-use" | "person-to-person" | "first-text-consent" => "no",
            it if it.starts_with("consent-") => "no",
            "age-gate" => "not needed",
            "business-allowed" => "none",
            "disclosure" | "page-disclosure" => "all told",
            "policy-sharing" => "not shared",
            "page-way-to-agree" => "yes",
            other => panic!("{other} has no harmless answer here"),
        };
        (id, json!({ "answer": answer, "quote": "", "sure": true }))
    };
    questions.iter().map(answer).collect()
}

/// A server's reaction to a request.
enum Play {
    /// Sends bytes and closes.
    Bytes(Vec<u8>),
    /// Sends bytes, waits for some seconds, and closes.
    Stall(Vec<u8>, u64),
    /// Sends bytes, then spaces until the other side has enough.
    Endless(Vec<u8>),
}

type Part = dyn Fn(usize, &Asked) -> Play + Send + Sync;

/// A server on this machine.
#[derive(Clone)]
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// A server that does what a function says of its requests, which are numbered from 0.
    fn start(part: impl Fn(usize, &Asked) -> Play + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let server = Self { url, asked: Arc::default() };
        let (asked, part): (_, Arc<Part>) = (Arc::clone(&server.asked), Arc::new(part));
        // The threads end with the test program.
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (asked, part) = (Arc::clone(&asked), Arc::clone(&part));
                std::thread::spawn(move || serve(connection, &asked, &*part));
            }
        });
        server
    }

    /// A server that is compatible with OpenAI and gives harmless answers.
    fn good() -> Self {
        Self::start(|_, asked| Play::Bytes(openai(&json!({ "answers": asked.harmless() }).to_string())))
    }

    /// The requests since the last call.
    fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut *self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The options that name it as a server that is compatible with OpenAI.
    fn options(&self) -> [String; 3] {
        ["--reader=openai".to_owned(), format!("--url={}/v1", self.url), "--model=tiny".to_owned()]
    }
}

fn serve(mut connection: TcpStream, asked: &Mutex<Vec<Asked>>, part: &Part) {
    let (mut head, mut lines) = (String::new(), BufReader::new(&connection));
    while !head.ends_with("\r\n\r\n") && lines.read_line(&mut head).is_ok_and(|it| it > 0) {}
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    if lines.read_exact(&mut body).is_err() {
        return;
    }
    let request = Asked { head, body: String::from_utf8(body).expect("what is sent is UTF-8") };
    let at = {
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.push(request.clone());
        asked.len() - 1
    };
    // Writing fails where the other side has gone.
    match part(at, &request) {
        Play::Bytes(bytes) => {
            let _ = connection.write_all(&bytes);
        }
        Play::Stall(bytes, seconds) => {
            let _ = connection.write_all(&bytes);
            std::thread::sleep(Duration::from_secs(seconds));
        }
        Play::Endless(bytes) => {
            let _ = connection.write_all(&bytes);
            while connection.write_all(&[b' '; 4096]).is_ok() {}
        }
    }
}

fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .into_bytes()
}

/// An answer as servers give it that are compatible with OpenAI.
fn openai(content: &str) -> Vec<u8> {
    let body = json!({
        "model": "tiny-2",
        "choices": [{ "message": { "role": "assistant", "content": content }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 2000, "completion_tokens": 500 },
    });
    http("200 OK", "", &body.to_string())
}

/// An answer as Anthropic gives it.
fn anthropic(input: &Value) -> Vec<u8> {
    let body = json!({
        "model": "claude-tiny",
        "content": [{ "type": "tool_use", "name": "answer", "input": input }],
        "stop_reason": "tool_use",
        "usage": { "input_tokens": 2000, "output_tokens": 500 },
    });
    http("200 OK", "", &body.to_string())
}

/// The clean draft with other values.
fn draft(values: &Value) -> String {
    let mut draft: Value = serde_json::from_str(DRAFT).expect("it is JSON");
    for (key, value) in values.as_object().expect("an object") {
        draft[key] = value.clone();
    }
    draft.to_string()
}

/// A folder with some clean drafts that differ in two texts.
fn drafts(name: &str, count: usize) -> Folder {
    (0..count).fold(Folder::new(name), |folder, at| {
        let summary =
            format!("Quillback Kayak Tours texts guests of tour {at} about the trip that they booked.");
        let more = format!("EIN 01-4472910. Tour {at} needs no app.");
        let values = json!({ "useCaseSummary": summary, "additionalInformation": more });
        folder.file(&format!("drafts/{at}.json"), draft(&values))
    })
}

/// A command without the reader of the machine.
fn command(folder: &Folder, args: &[&str]) -> Command {
    let mut command = folder.command(args);
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.env("HOME", &folder.0).env("TOLLPROOF_READER_PORTS", "");
    command
}

fn run(folder: &Folder, args: &[&str]) -> Ran {
    Ran::new(command(folder, args).output().expect("tollproof starts"))
}

/// Asks a server about the drafts of a folder, one at a time.
fn ask(folder: &Folder, server: &Server, more: &[&str]) -> Ran {
    let options = server.options();
    let options = options.iter().map(String::as_str);
    let jobs = if more.iter().any(|it| it.starts_with("--jobs")) { None } else { Some("--jobs=1") };
    let args: Vec<&str> =
        ["read"].into_iter().chain(jobs).chain(options).chain(more.iter().copied()).collect();
    run(folder, &args)
}

/// The lines of the store.
fn stored(folder: &Folder) -> Vec<Value> {
    let text = fs::read_to_string(folder.0.join(STORE)).unwrap_or_default();
    text.lines().map(|entry| serde_json::from_str(entry).expect("each line is JSON")).collect()
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}
