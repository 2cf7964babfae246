//! Messages on standard input and output: one JSON-RPC message a line, of a limited size.

use std::future::{Future, ready};
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::thread;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The longest message, in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// The most messages that wait for an answer. A client that sends more waits itself.
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
                let message = line.map_or_else(|TooLong(id)| Some(Err(too_long(id))), |line| message(&line));
                let Some(message) = message else { continue };
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

/// A line that is longer than allowed, with the id of its request.
struct TooLong(Value);

/// The next line, which may end with the input; `None` at the end. A line that is too long is read, and not kept.
fn next_line(input: &mut impl BufRead, max: usize) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut line = Vec::new();
    input.by_ref().take(max as u64 + 1).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() <= max || line.ends_with(b"\n") {
        return Ok(Some(Ok(line)));
    }
    let mut rest = RestOfLine { input, is_over: false };
    let id = id_in(line.as_slice().chain(&mut rest));
    io::copy(&mut rest, &mut io::sink())?;
    Ok(Some(Err(TooLong(id))))
}

/// The rest of a line, without its end.
struct RestOfLine<'i, I> {
    input: &'i mut I,
    is_over: bool,
}

impl<I: BufRead> Read for RestOfLine<'_, I> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.is_over || into.is_empty() {
            return Ok(0);
        }
        let buffer = self.input.fill_buf()?;
        let most = &buffer[..buffer.len().min(into.len())];
        let line = most.split(|byte| *byte == b'\n').next().unwrap_or_default();
        into[..line.len()].copy_from_slice(line);
        let (read, is_end) = (line.len(), line.len() < most.len());
        self.is_over = is_end || most.is_empty();
        self.input.consume(read + usize::from(is_end));
        Ok(read)
    }
}

/// The id of a request, wherever it is in it and whatever else it has; null if it has none that can be answered.
fn id_in(message: impl Read) -> Value {
    #[derive(Deserialize)]
    struct WithId {
        id: Value,
    }
    let mut message = serde_json::Deserializer::from_reader(BufReader::new(message));
    let id = WithId::deserialize(&mut message).map(|with| with.id).unwrap_or_default();
    if id.is_string() || id.is_i64() { id } else { Value::Null }
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
        return Some(Err(refusal(ErrorCode::PARSE_ERROR, "the message is not JSON in UTF-8", id_in(line))));
    };
    // A notification is never answered.
    if value.get("id").is_none() && value.get("method").is_some_and(Value::is_string) {
        return None;
    }
    let what = "the message is not a request of JSON-RPC 2.0";
    Some(Err(refusal(ErrorCode::INVALID_REQUEST, what, id_in(line))))
}

fn too_long(id: Value) -> Value {
    let limit = MAX_MESSAGE >> 20;
    let what =
        format!("the message is longer than {limit} MiB; put the draft into a file and name its `path`");
    refusal(ErrorCode::INVALID_REQUEST, &what, id)
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
        let mut input =
            &b"one\nmuch too long\n\n{\"params\": {\"id\": 1, \"text\": \"\xff\"}, \"id\": 7}\ntwo\r\n\
            {\"id\": \"a\", \"params\": [1, 2]}\n12345678\nlast"[..];
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, 8).expect("it can be read") {
            let text = |line: Vec<u8>| String::from_utf8_lossy(&line).into_owned();
            lines.push(line.map_or_else(|TooLong(id)| format!("- {id}"), text));
        }
        let expected = ["one\n", "- null", "\n", "- 7", "two\r\n", "- \"a\"", "12345678\n", "last"];
        assert_eq!(lines, expected);
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
            ("{\"id\": 5, \"text\": \"\u{1}\"}", "-32700 null"),
            ("{\"jsonrpc\": \"1.0\", \"id\": \"a\", \"method\": \"ping\"}", "-32600 \"a\""),
            ("{\"jsonrpc\": \"2.0\", \"method\": 5}", "-32600 null"),
        ] {
            assert_eq!(code(line), expected, "{line}");
        }
        assert_eq!(code(&"[".repeat(100_000)), "-32700 null");
        assert!(matches!(message(&[0xff, 0xfe]), Some(Err(_))));
    }
}
