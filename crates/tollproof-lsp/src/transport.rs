//! Messages on a stream: headers and JSON, as the protocol frames them.
//!
//! A library reads messages too, but it ends at the first one that is malformed.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{ErrorCode, Message, RequestId};
use serde::Serialize;
use serde_json::Value;

/// The longest line of a header, in bytes.
const MAX_HEADER: u64 = 8 << 10;

/// The largest message that is read, in bytes. A larger one is skipped.
const MAX_MESSAGE: u64 = 256 << 20;

/// The largest message that is skipped by its length; a larger length is not believed.
const MAX_SKIPPED: u64 = 1 << 33;

/// The input from the client.
pub(crate) enum ClientInput {
    /// A message.
    Message(Box<Message>),
    /// A malformed message, with the answer to it.
    Malformed(MalformedMessage),
}

/// The problem with a message.
#[derive(Clone, Debug)]
pub(crate) struct MalformedMessage {
    /// The id of the request, if it can be read.
    pub(crate) id: Option<RequestId>,
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

/// Reads a message; `None` at the end of the stream.
///
/// # Errors
///
/// A stream that cannot be read.
pub(crate) fn read(stream: &mut impl BufRead) -> io::Result<Option<ClientInput>> {
    let Some(length) = header(stream)? else { return Ok(None) };
    if length > MAX_MESSAGE {
        if length <= MAX_SKIPPED {
            io::copy(&mut stream.take(length), &mut io::sink())?;
        }
        return Ok(Some(malformed(None, ErrorCode::InvalidRequest, "the message is larger than 256 MiB")));
    }
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body)?;
    if (body.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(message(&body)))
}

/// The length of the next message. Lines that are not headers are skipped: a client may have written a wrong length.
fn header(stream: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        stream.take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).to_ascii_lowercase();
        if let Some((_, value)) = line.rsplit_once("content-length:") {
            length = value.trim().parse().ok().or(length);
        } else if line.trim().is_empty()
            && let Some(length) = length
        {
            return Ok(Some(length));
        }
    }
}

fn message(body: &[u8]) -> ClientInput {
    if let Ok(message) = serde_json::from_slice(body) {
        return ClientInput::Message(Box::new(message));
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(value) => {
            let id = serde_json::from_value(value["id"].clone()).ok();
            malformed(id, ErrorCode::InvalidRequest, "this is not a request, a notification or a response")
        }
        Err(error) => malformed(None, ErrorCode::ParseError, &format!("the message is not JSON: {error}")),
    }
}

fn malformed(id: Option<RequestId>, code: ErrorCode, message: &str) -> ClientInput {
    ClientInput::Malformed(MalformedMessage { id, code, message: message.to_owned() })
}

/// Writes a message.
///
/// # Errors
///
/// A stream that cannot be written.
pub(crate) fn write(mut stream: &mut dyn Write, message: &Message) -> io::Result<()> {
    message.write(&mut stream)
}

/// Writes a notification. The parameters may be large: they are written as they are, and not copied into a message first.
///
/// # Errors
///
/// A stream that cannot be written.
pub(crate) fn write_notification(
    stream: &mut dyn Write,
    method: &str,
    params: &impl Serialize,
) -> io::Result<()> {
    let jsonrpc = "2.0";
    write_body(stream, &serde_json::to_vec(&OutgoingNotification { jsonrpc, method, params })?)
}

/// A notification as the protocol writes it.
#[derive(Debug, Serialize)]
struct OutgoingNotification<'m, P> {
    jsonrpc: &'static str,
    method: &'m str,
    params: &'m P,
}

/// Writes the answer to what is not a message.
///
/// # Errors
///
/// A stream that cannot be written.
pub(crate) fn write_malformed(stream: &mut dyn Write, malformed: &MalformedMessage) -> io::Result<()> {
    let error = serde_json::json!({ "code": malformed.code as i32, "message": malformed.message });
    let answer = serde_json::json!({ "jsonrpc": "2.0", "id": malformed.id, "error": error }).to_string();
    write_body(stream, answer.as_bytes())
}

fn write_body(stream: &mut dyn Write, body: &[u8]) -> io::Result<()> {
    write!(stream, "Content-Length: {}\r\n\r\n", body.len())?;
    stream.write_all(body)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<String> {
        let mut stream = bytes;
        let mut found = Vec::new();
        while let Some(input) = read(&mut stream).expect("memory can be read") {
            found.push(match input {
                ClientInput::Message(message) => match *message {
                    Message::Request(it) => it.method,
                    Message::Notification(it) => it.method,
                    Message::Response(it) => it.id.to_string(),
                },
                ClientInput::Malformed(it) => (it.code as i32).to_string(),
            });
        }
        found
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn what_is_malformed_does_not_end_the_stream() {
        let good = framed(r#"{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}"#);
        let bad = [
            framed("{"),
            framed("[]"),
            framed(r#"{"id": 99999999999, "method": "a"}"#),
            framed("\u{0}"),
            "Content-Length: 99999999999999\r\n\r\n".to_owned(),
            "Content-Length: 3\r\n\r\n\u{feff}".to_owned(),
        ];
        for bad in bad {
            let found = all(format!("{bad}{good}").as_bytes());
            assert_eq!(found.len(), 2, "{bad}: {found:?}");
            assert_eq!(found[1], "shutdown", "{bad}");
        }
        let bytes = [b"Content-Length: 2\r\n\r\n\xff\xfe".as_slice(), good.as_bytes()].concat();
        assert_eq!(all(&bytes), ["-32700", "shutdown"]);
        for noise in ["GET / HTTP/1.1\r\n\r\n", "\r\n\r\n", "Content-Length: x\r\n\r\n", &"x".repeat(100_000)]
        {
            assert_eq!(all(format!("{noise}{good}").as_bytes()), ["shutdown"]);
        }
        // Another type, other line breaks, other case.
        let other = format!(
            "content-length:49\nContent-Type: application/vscode-jsonrpc; charset=utf-8\n\n{}",
            &good[22..]
        );
        assert_eq!(all(other.as_bytes()), ["shutdown"]);
        assert_eq!(all(b"Content-Length: 10\r\n\r\n{}"), [""; 0], "cut");
    }
}
