//! The commands that call a provider, against a sandbox.

mod assistants;
mod drafts;
mod faults;
mod keys;
#[cfg(unix)]
mod page;
mod resolved;
mod road;
#[cfg(unix)]
mod terminal;
mod waiting;

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;

use jiff::SignedDuration;
use serde_json::{Value, json};
use tollproof_sandbox::{Sandbox, SandboxOptions};

use crate::support::{Folder, Ran};

/// The providers that the stories are about.
const PROVIDERS: [&str; 6] = ["bird", "twilio", "telnyx", "bandwidth", "infobip", "plivo"];

/// Variables that decide where requests go or with which key, beside those that begin with the name of a provider.
const VARIABLES: [&str; 4] =
    ["TOLLPROOF_SANDBOX", "TOLLPROOF_SANDBOX_KEY", "TOLLPROOF_SETTINGS", "XDG_CONFIG_HOME"];

/// A folder of a user, and a sandbox.
struct Desk {
    folder: Folder,
    sandbox: Sandbox,
}

impl Desk {
    fn new(name: &str, review: &str) -> Self {
        Self::reviewing_after(name, review, 0)
    }

    /// A sandbox whose reviews take some days.
    fn reviewing_after(name: &str, review: &str, days: i64) -> Self {
        let options = SandboxOptions {
            review: review.parse().expect("it is a script"),
            review_after: SignedDuration::from_hours(24 * days),
            ..SandboxOptions::default()
        };
        let sandbox = Sandbox::start(options).expect("it starts");
        Self { folder: Folder::new(&format!("online-{name}")), sandbox }
    }

    /// A command in the folder, without keys or settings of the machine.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.folder.command(args);
        for (name, _) in std::env::vars_os() {
            let is_key = name.to_str().is_some_and(|name| {
                let of_provider = |provider: &&str| name.starts_with(&provider.to_uppercase());
                PROVIDERS.iter().any(of_provider) || VARIABLES.contains(&name)
            });
            if is_key {
                command.env_remove(name);
            }
        }
        command.env("HOME", &self.folder.0);
        command
    }

    /// Runs a command against the sandbox.
    fn run(&self, args: &[&str]) -> Ran {
        let sandbox = format!("--sandbox={}", self.sandbox.url());
        Ran::new(self.command(&[args, &[&sandbox]].concat()).output().expect("tollproof starts"))
    }

    /// Runs a command with a history.
    fn with_history(&self, args: &[&str]) -> Ran {
        self.run(&[args, &["--history", "sqlite:past.db"]].concat())
    }

    /// Runs a command whose output is JSON.
    fn json(&self, args: &[&str]) -> (Value, Ran) {
        let ran = self.with_history(&[args, &["--output-format", "json"]].concat());
        let value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        (value, ran)
    }

    /// Buys a number.
    fn buy(&self, provider: &str) -> String {
        let (bought, ran) = self.json(&["number", "buy", "--provider", provider, "--again", "--yes"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        bought["calls"][0]["number"].as_str().unwrap_or_else(|| panic!("{ran:?}")).to_owned()
    }

    /// Writes a clean draft for a number into a file.
    fn draft(&self, provider: &str, number: &str, file: &str) {
        self.write(file, &clean(provider, number));
    }

    fn write(&self, file: &str, draft: &Value) {
        let path = self.folder.0.join(file);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("writable");
        fs::write(path, serde_json::to_string_pretty(draft).expect("it is JSON")).expect("writable");
    }

    /// Plans a fault for the next call of an operation.
    fn fault(&self, provider: &str, fault: &str, operation: &str) {
        let plan = json!({ "fault": fault, "provider": provider, "operation": operation });
        self.control("POST", "/_sandbox/faults", &plan.to_string());
    }

    /// Counts calls of an operation that arrived with an effect.
    fn effects(&self, operation: &str) -> usize {
        let ledger = self.control("GET", &format!("/_sandbox/ledger?operation={operation}"), "");
        let is_effect = |call: &&Value| match call["fault"].as_str() {
            Some("500-before" | "429") => false,
            Some(fault) if !fault.is_empty() => true,
            _ => call["status"].as_u64().is_some_and(|status| status < 300),
        };
        ledger["calls"].as_array().expect("it is a list").iter().filter(is_effect).count()
    }

    /// Counts an operation's arrived calls.
    fn calls(&self, operation: &str) -> usize {
        let ledger = self.control("GET", &format!("/_sandbox/ledger?operation={operation}"), "");
        ledger["calls"].as_array().expect("it is a list").len()
    }

    /// Counts all requests that arrived.
    fn requests(&self) -> usize {
        let ledger = self.control("GET", "/_sandbox/ledger", "");
        ledger["calls"].as_array().expect("it is a list").len()
    }

    fn control(&self, method: &str, path: &str, body: &str) -> Value {
        let url = self.sandbox.url();
        let address = url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("the sandbox listens");
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}");
        write!(stream, "{head}\r\nconnection: close\r\n\r\n{body}").expect("it takes requests");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        let (_, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
        serde_json::from_str(body).unwrap_or(Value::Null)
    }
}

/// A clean draft for a number in E.164, as a user has it who knows no identifiers.
pub(crate) fn clean(provider: &str, number: &str) -> Value {
    let path = format!("{}/schemas/{provider}/samples/submit-request.json", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).expect("each provider has a sample");
    let mut draft: Value = serde_json::from_str(&text).expect("it is JSON");
    match provider {
        "bird" | "bandwidth" => draft["phoneNumbers"] = json!([number]),
        "twilio" => draft["TollfreePhoneNumberSid"] = json!(number),
        "telnyx" => draft["phoneNumbers"] = json!([{ "phoneNumber": number }]),
        "infobip" => {
            let fields = draft.as_object_mut().expect("it is an object");
            fields.remove("numberKeys");
            // A reference must be unique.
            fields.remove("referenceId");
            fields.insert("numbers".to_owned(), json!([number.trim_start_matches('+')]));
        }
        "plivo" => draft["number"] = json!(number),
        other => panic!("the drafts of {other} have no number"),
    }
    draft
}
