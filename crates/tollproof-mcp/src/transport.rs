//! Messages on standard input and output: one JSON-RPC message a line, of a limited size.

use std::future::{Future, ready};
use std::io::{self, BufRead, Read as _, Write as _};
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The longest message, in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// How many messages wait until they are answered. A client that sends more waits itself.
const WAITING: usize = 8;

/// A message, or the answer to a line that is none.
type ReadMessage = Result<ClientJsonRpcMessage, Value>;

/// The messages of the client, which a thread reads.
pub(crate) struct StdioTransport {
    messages: mpsc::Receiver<ReadMessage>,
}

impl StdioTransport {
    /// Starts to read standard input.
    pub(crate) fn open() -> Self {
        let (sender, messages) = mpsc::channel(WAITING);
        // It ends with the process: a read from standard input cannot be interrupted.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            while let Ok(Some(line)) = next_line(&mut input, MAX_MESSAGE) {
                let Some(message) = line.map_or_else(|_| Some(Err(too_long())), |line| message(&line)) else {
                    continue;
                };
                if sender.blocking_send(message).is_err() {
                    break;
                }
            }
        });
        Self { messages }
    }
}

impl Transport<RoleServer> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        ready(write(&message))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.messages.recv().await? {
                Ok(message) => return Some(message),
                Err(answer) => write(&answer).ok()?,
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

fn write(message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

/// A line that is longer than allowed.
struct TooLong;

/// The next line, which may end with the input; `None` at the end. The rest of a line that is too long is skipped.
fn next_line(input: &mut impl BufRead, max: usize) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut line = Vec::new();
    input.by_ref().take(max as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() <= max || line.ends_with(b"\n") {
        return Ok(Some(Ok(line)));
    }
    input.skip_until(b'\n')?;
    Ok(Some(Err(TooLong)))
}

/// The message of a line, or the error to answer; `None` if the line needs no answer.
fn message(line: &[u8]) -> Option<ReadMessage> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return None;
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Some(Ok(message));
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Some(Err(refusal(ErrorCode::PARSE_ERROR, "the message is not JSON", Value::Null)));
    };
    let id = value.get("id").cloned();
    // A notification is never answered.
    if id.is_none() && value.get("method").is_some_and(Value::is_string) {
        return None;
    }
    let id = id.filter(|it| it.is_string() || it.is_i64()).unwrap_or_default();
    Some(Err(refusal(ErrorCode::INVALID_REQUEST, "the message is not a request of JSON-RPC 2.0", id)))
}

fn too_long() -> Value {
    let what = format!("the message is longer than {} MiB", MAX_MESSAGE >> 20);
    refusal(ErrorCode::INVALID_REQUEST, &what, Value::Null)
}

/// The answer to a line that is not a message. The SDK leaves out an `id` that is not known, where JSON-RPC wants null.
fn refusal(code: ErrorCode, message: &str, id: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.0, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_to_a_limit() {
        let mut input = &b"one\nmuch too long\n\ntwo\r\n12345678\nlast"[..];
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, 8).expect("it can be read") {
            lines.push(line.map_or("-".to_owned(), |it| String::from_utf8_lossy(&it).into_owned()));
        }
        assert_eq!(lines, ["one\n", "-", "\n", "two\r\n", "12345678\n", "last"]);
    }

    #[test]
    fn what_is_no_request_is_answered_with_an_error() {
        let code = |line: &str| match message(line.as_bytes()) {
            None => "nothing".to_owned(),
            Some(Ok(_)) => "message".to_owned(),
            Some(Err(error)) => format!("{} {}", error["error"]["code"], error["id"]),
        };
        for (line, expected) in [
            ("", "nothing"),
            (" \r\n", "nothing"),
            ("\u{feff}{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}", "message"),
            ("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"unknown\", \"params\": {}}", "message"),
            ("{", "-32700 null"),
            ("hello", "-32700 null"),
            ("[]", "-32600 null"),
            ("7", "-32600 null"),
            ("{\"id\": 5}", "-32600 5"),
            ("{\"jsonrpc\": \"1.0\", \"id\": \"a\", \"method\": \"ping\"}", "-32600 \"a\""),
            ("{\"jsonrpc\": \"2.0\", \"method\": 5}", "-32600 null"),
        ] {
            assert_eq!(code(line), expected, "{line}");
        }
        assert_eq!(code(&"[".repeat(100_000)), "-32700 null");
        assert!(matches!(message(&[0xff, 0xfe]), Some(Err(_))));
    }
}
