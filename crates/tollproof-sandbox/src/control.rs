//! The sandbox's own interface, below `/_sandbox`: the clock, the ledger, faults and reviews.

use jiff::{SignedDuration, Span, SpanRelativeTo};
use rusqlite::Connection;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::api::{ApiSurface, REVIEW, REVIEW_AFTER, Received, provider_of};
use crate::assumptions::ASSUMPTIONS;
use crate::engine::Engine;
use crate::fault::{self, Fault, WebhookFault};
use crate::ids;
use crate::openapi;
use crate::providers::chosen;
use crate::reply::{ApiReply, Refused, Result};
use crate::review::{self, ReviewMode};
use crate::store::StateTables;

/// An error of this interface.
pub(crate) fn refusal(status: u16, message: &str) -> ApiReply {
    ApiReply::json(status, &json!({ "error": message }))
}

/// Answers a call.
pub(crate) fn answer(engine: &Engine, received: &Received) -> ApiReply {
    let done = engine.transact(|connection| operate(engine, connection, received));
    if received.method != "GET" {
        engine.news.notify_one();
    }
    match done {
        Ok(value) => ApiReply::json(200, &value),
        Err(Refused::Answer(reply)) => *reply,
        Err(Refused::Store(error)) => refusal(500, &error.to_string()),
    }
}

/// The time to set, or how far to move it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ClockMove {
    Set(String),
    Advance(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewReview {
    review: Option<String>,
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewFault {
    fault: String,
    #[serde(default)]
    provider: String,
    #[serde(default)]
    operation: String,
    times: Option<u16>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewNumber {
    provider: String,
    number: String,
    #[serde(default)]
    account: String,
    id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewBalance {
    provider: String,
    cents: u32,
}

/// End of a review now: with an approval if no code is given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewDecision {
    provider: String,
    id: String,
    #[serde(default)]
    reject: Vec<String>,
}

fn operate(engine: &Engine, connection: &Connection, received: &Received) -> Result<Value> {
    let mut tables = StateTables::of(connection)?;
    let name = received.path.rsplit('/').next().unwrap_or_default();
    let query = |name: &str| {
        let mut pairs = form_urlencoded::parse(received.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    };
    match (received.method.as_str(), name) {
        ("GET", "clock") => {}
        ("POST", "clock") => {
            let now = match body(received)? {
                ClockMove::Set(time) => {
                    time.parse().map_err(|_| refusal(400, "use a time such as 2026-11-14T08:00:00Z"))?
                }
                ClockMove::Advance(span) => {
                    tables.now.checked_add(duration(&span)?).map_err(|_| refusal(400, "too far"))?
                }
            };
            tables.set_clock(now)?;
            tables.settle(false)?;
        }
        ("POST", "reset") => {
            engine.reset(connection)?;
            tables = StateTables::of(connection)?;
        }
        ("GET", "ledger") => {
            let calls = tables.arrivals(&query("provider"), &query("operation"))?;
            return Ok(json!({ "calls": calls }));
        }
        ("GET", "openapi") => {
            let host = received.headers.get("host").and_then(|value| value.to_str().ok()).unwrap_or_default();
            let surface = surface(engine, &query("provider"))?;
            if (surface.routes)(&engine.options).iter().any(|it| it.target.is_some()) {
                return Err(refusal(
                    400,
                    "all operations of this API have the same path, so it has no document",
                )
                .into());
            }
            return Ok(openapi::document(surface, &engine.options, &format!("http://{host}")));
        }
        ("GET", "assumptions") => {
            let all = ASSUMPTIONS.iter();
            let all = all.map(|assumption| json!({ "id": assumption.id, "provider": assumption.provider, "text": assumption.text }));
            return Ok(all.collect());
        }
        ("POST", "review") => {
            let new: NewReview = body(received)?;
            if let Some(review) = new.review {
                let read = review.parse::<ReviewMode>();
                read.map_err(|error| refusal(400, &error.to_string()))?;
                tables.set(REVIEW, &review)?;
            }
            if let Some(after) = new.after {
                tables.set(REVIEW_AFTER, &duration(&after)?.as_millis().to_string())?;
            }
        }
        ("POST", "faults") => {
            let new: NewFault = body(received)?;
            if Fault::named(&new.fault).is_none() && WebhookFault::named(&new.fault).is_none() {
                let names = [&fault::NAMES[..], &fault::WEBHOOK_NAMES].concat().join(", ");
                return Err(refusal(400, &format!("unknown fault; use {names}")).into());
            }
            let name = new.fault.trim();
            for _ in 0..new.times.unwrap_or(1) {
                tables.plan_fault(&new.provider, &new.operation, name)?;
            }
        }
        ("POST", "numbers") => {
            let new: NewNumber = body(received)?;
            let id = new.id.unwrap_or_else(|| ids::uuid(&[&new.provider, &new.number]));
            let surface = surface(engine, &new.provider)?;
            if !tables.buy(surface.name, &new.account, &new.number, &id)? {
                return Err(refusal(409, "not a toll-free number in E.164, or somebody owns it").into());
            }
            return Ok(json!({ "id": id, "number": new.number }));
        }
        ("POST", "wallet") => {
            let new: NewBalance = body(received)?;
            tables.set_wallet(surface(engine, &new.provider)?.name, new.cents.into())?;
        }
        ("GET", "submissions") => return submissions(engine, &tables),
        ("POST", "decide") => {
            let new: NewDecision = body(received)?;
            let surface = surface(engine, &new.provider)?;
            let filing = tables.filing(surface.name, &new.id)?;
            let filing = filing.ok_or_else(|| refusal(404, "unknown submission"))?;
            let reasons = new.reject.iter().map(|code| review::of_script(provider_of(surface), code));
            tables.decide_now(&filing, &reasons.collect::<Vec<_>>())?;
        }
        _ => return Err(refusal(404, "unknown; see `tollproof sandbox --help`").into()),
    }
    Ok(json!({ "now": tables.now.to_string() }))
}

/// The submissions of all providers, newest first, without their texts.
fn submissions(engine: &Engine, tables: &StateTables<'_>) -> Result<Value> {
    let mut all = Vec::new();
    for surface in chosen(&engine.options) {
        for it in tables.filings(surface.name, "", MAX_SUBMISSIONS)? {
            let history = tables.changes(&it)?;
            let history =
                history.iter().map(|(state, at)| json!({ "state": state.name(), "at": at.to_string() }));
            all.push(json!({
                "provider": surface.name, "id": it.id, "account": it.account, "numbers": tables.numbers_of(&it)?,
                "state": it.state.name(), "reasons": it.reasons,
                "history": history.collect::<Value>(),
            }));
        }
    }
    Ok(json!({ "submissions": all }))
}

/// The most submissions of a provider in a list.
const MAX_SUBMISSIONS: u32 = 10_000;

fn surface(engine: &Engine, name: &str) -> Result<&'static ApiSurface, ApiReply> {
    chosen(&engine.options).find(|it| it.name == name).ok_or_else(|| refusal(400, "unknown provider"))
}

fn body<T: DeserializeOwned>(received: &Received) -> Result<T, ApiReply> {
    serde_json::from_slice(&received.body).map_err(|error| refusal(400, &error.to_string()))
}

/// A length of time such as `7d` or `2h 30m`; a day has 24 hours.
fn duration(text: &str) -> Result<SignedDuration, ApiReply> {
    let span = text.parse::<Span>().ok();
    let length = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    length.ok_or_else(|| refusal(400, "use a time such as 7d or 2h 30m"))
}
