//! A plain client: it sends what it is told, and repeats nothing.

use std::time::Duration;

use serde_json::Value;
use tollproof_sandbox::{Sandbox, SandboxOptions};
use ureq::http::{HeaderMap, Request};

/// A sandbox, and what every request to it has.
pub(crate) struct ApiClient {
    pub(crate) sandbox: Sandbox,
    agent: ureq::Agent,
    headers: Vec<(String, String)>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("it is printable"))
    }
}

impl ApiClient {
    pub(crate) fn start(options: SandboxOptions) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_idle_connections(0)
            .timeout_global(Some(Duration::from_secs(30)))
            .build();
        let sandbox = Sandbox::start(options).expect("the sandbox starts");
        Self { sandbox, agent: config.into(), headers: Vec::new() }
    }

    /// Adds a header to all requests.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends a request with more headers; `None` if no answer came back whole.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: &str,
        more: &[(&str, &str)],
    ) -> Option<Answered> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.sandbox.url()));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        for (name, value) in more {
            request = request.header(*name, *value);
        }
        let request = request.body(body.to_owned()).expect("it is valid");
        let mut answer = self.agent.run(request).ok()?;
        let text = answer.body_mut().read_to_string().ok()?;
        Some(Answered { status: answer.status().as_u16(), headers: answer.headers().clone(), text })
    }

    pub(crate) fn get(&self, path: &str) -> Answered {
        self.send("GET", path, "", &[]).expect("it answers")
    }

    pub(crate) fn json(&self, method: &str, path: &str, body: &Value) -> Answered {
        self.send(method, path, &body.to_string(), &[("content-type", "application/json")])
            .expect("it answers")
    }

    /// Calls the sandbox's own interface.
    pub(crate) fn control(&self, what: &str, body: &Value) -> Value {
        let answer = self.json("POST", &format!("/_sandbox/{what}"), body);
        assert_eq!(answer.status, 200, "{what}: {answer:?}");
        answer.json()
    }

    /// The calls in the ledger.
    pub(crate) fn ledger(&self) -> Vec<Value> {
        self.get("/_sandbox/ledger").json()["calls"].as_array().expect("it is a list").clone()
    }
}
