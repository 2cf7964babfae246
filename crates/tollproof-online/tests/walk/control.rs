//! The sandbox's own interface.

use serde_json::Value;
use tollproof_sandbox::Sandbox;

/// Calls it.
pub(crate) fn post(sandbox: &Sandbox, what: &str, body: &Value) {
    ureq::post(format!("{}/_sandbox/{what}", sandbox.url()))
        .send(body.to_string())
        .expect("the sandbox answers");
}

/// The calls that arrived, the oldest first; of one operation if it is not empty.
pub(crate) fn ledger(sandbox: &Sandbox, provider: &str, operation: &str) -> Vec<Value> {
    list(sandbox, &format!("ledger?provider={provider}&operation={operation}"), "calls")
}

/// All submissions, without those that were withdrawn.
pub(crate) fn submissions(sandbox: &Sandbox) -> Vec<Value> {
    list(sandbox, "submissions", "submissions")
}

fn list(sandbox: &Sandbox, what: &str, name: &str) -> Vec<Value> {
    let url = format!("{}/_sandbox/{what}", sandbox.url());
    let mut answer = ureq::get(url).call().expect("the sandbox answers");
    let text = answer.body_mut().with_config().limit(1 << 30).read_to_string().expect("it is text");
    let answer: Value = serde_json::from_str(&text).expect("it is JSON");
    answer[name].as_array().cloned().unwrap_or_default()
}

/// Whether a call had an effect: all but refusals, and errors before it.
pub(crate) fn is_effect(call: &Value) -> bool {
    match call["fault"].as_str() {
        Some("500-before" | "429") => false,
        Some("500-after") => true,
        _ => call["status"].as_u64().is_some_and(|it| it < 300),
    }
}
