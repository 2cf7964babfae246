//! A client of the Model Context Protocol that writes its messages by hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::Folder;

/// A running server with its client.
pub(crate) struct McpClient {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    requests: u64,
}

impl McpClient {
    pub(crate) fn start(folder: &Folder, args: &[&str]) -> Self {
        Self::spawn(folder.command(&[&["mcp"], args].concat()))
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("tollproof starts");
        let stdin = child.stdin.take().expect("it was piped");
        let stdout = BufReader::new(child.stdout.take().expect("it was piped"));
        Self { child, stdin, stdout, requests: 0 }
    }

    /// Begins the session, and returns what the server says about itself.
    pub(crate) fn initialize(&mut self) -> Value {
        let client = json!({ "name": "a test", "version": "1" });
        let answer = self.request(
            "initialize",
            &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
        );
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].clone()
    }

    pub(crate) fn stdin(&mut self) -> &mut ChildStdin {
        &mut self.stdin
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the server reads");
    }

    pub(crate) fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server answers in UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// The answer to a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// A tool's result, which is the same as text.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{answer}");
        let text = result["content"][0]["text"].as_str().expect("it has text");
        assert_eq!(serde_json::from_str::<Value>(text).expect("it is JSON"), result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// The error of a tool.
    pub(crate) fn refusal(&mut self, tool: &str, arguments: &Value) -> String {
        let answer = self.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        answer["result"]["content"][0]["text"].as_str().expect("it has text").to_owned()
    }

    /// Closes the input, and waits for a clean end. Returns what was not read yet.
    pub(crate) fn end(mut self) -> String {
        drop(self.stdin);
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("it is UTF-8");
        let output = self.child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
        rest
    }
}
