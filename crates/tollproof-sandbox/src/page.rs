//! The page for people, at `/`: what is in the sandbox, and forms that call its own interface. It has no script.

use askama::Template;
use axum::body::Bytes;
use rusqlite::Connection;
use serde_json::{Map, Value, json};

use crate::api::Received;
use crate::control;
use crate::engine::Engine;
use crate::fault;
use crate::providers::chosen;
use crate::reply::{ApiReply, Result};
use crate::review::ReviewReason;
use crate::store::{Arrival, StateTables};

#[derive(Template)]
#[template(path = "sandbox.html")]
struct SandboxPage {
    now: String,
    /// Reason the action was not done.
    error: Option<String>,
    submissions: Vec<ShownFiling>,
    faults: Vec<&'static str>,
    providers: Vec<&'static str>,
    arrivals: Vec<Arrival>,
}

/// A submission, as a row.
struct ShownFiling {
    provider: &'static str,
    numbers: String,
    id: String,
    state: &'static str,
    reasons: Vec<ReviewReason>,
}

/// The most submissions of a provider, and the most calls, shown.
const MAX_ROWS: u32 = 100;

/// Allowed page content: nothing but its own style.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Answers a request for the page, after what a form of it asks for.
pub(crate) fn answer(engine: &Engine, received: &Received) -> ApiReply {
    let mut error = None;
    if received.method == "POST" {
        let done = control::answer(engine, &as_call(received));
        if done.status == 200 {
            return ApiReply::empty(303).header("location", "/");
        }
        let body: Value = serde_json::from_str(&done.body).unwrap_or_default();
        error = Some(body["error"].as_str().unwrap_or("internal error").to_owned());
    }
    let status = if error.is_some() { 400 } else { 200 };
    let page: Result<SandboxPage> = engine.transact(|connection| shown(engine, connection, error));
    match page.ok().and_then(|page| page.render().ok()) {
        Some(html) => {
            ApiReply::text(status, "text/html; charset=utf-8", html).header("content-security-policy", POLICY)
        }
        None => control::refusal(500, "internal error"),
    }
}

/// A form as a call of the sandbox's own interface: `call` is its name, the other fields are those of its body.
fn as_call(received: &Received) -> Received {
    let mut body = Map::new();
    let mut path = String::new();
    for (name, value) in form_urlencoded::parse(&received.body) {
        match name.as_ref() {
            "call" => path = format!("/_sandbox/{value}"),
            "reject" => {
                let codes: Vec<&str> = value.split_whitespace().collect();
                body.insert("reject".to_owned(), json!(codes));
            }
            _ => {
                body.insert(name.into_owned(), json!(value));
            }
        }
    }
    Received {
        method: "POST".to_owned(),
        path,
        query: String::new(),
        params: Vec::new(),
        headers: received.headers.clone(),
        body: Bytes::from(Value::Object(body).to_string()),
    }
}

fn shown(engine: &Engine, connection: &Connection, error: Option<String>) -> Result<SandboxPage> {
    let tables = StateTables::of(connection)?;
    let mut submissions = Vec::new();
    for surface in chosen(&engine.options) {
        for it in tables.filings(surface.name, "", MAX_ROWS)? {
            let numbers = tables.numbers_of(&it)?.join(", ");
            let (provider, state) = (surface.name, it.state.name());
            submissions.push(ShownFiling { provider, numbers, id: it.id, state, reasons: it.reasons });
        }
    }
    let mut arrivals = tables.arrivals("", "")?;
    arrivals.reverse();
    arrivals.truncate(MAX_ROWS as usize);
    let providers = chosen(&engine.options).map(|it| it.name).collect();
    Ok(SandboxPage {
        now: format!("{:.0}", tables.now),
        error,
        submissions,
        faults: [&fault::NAMES[..], &fault::WEBHOOK_NAMES].concat(),
        providers,
        arrivals,
    })
}
