//! Plivo: api.plivo.com/v1 with JSON and Basic.

use jiff::SignedDuration;
use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::events::{EventBody, WebhookReceiver};
use super::{basic, e164, merge, route, stamp};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::store::{EndedReview, Filing, FilingState, OwnedNumber, StateTables};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "plivo";

/// An id of the form that the SDKs require.
const ACCOUNT: &str = "MASANDBOX00000000000";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search",  "GET",    "/v1/Account/{auth_id}/PhoneNumber/",                 search),
        route("buy",     "POST",   "/v1/Account/{auth_id}/PhoneNumber/{number}/",        buy),
        route("numbers", "GET",    "/v1/Account/{auth_id}/Number/",                      numbers),
        route("number",  "GET",    "/v1/Account/{auth_id}/Number/{number}/",             own_number),
        route("submit",  "POST",   "/v1/Account/{auth_id}/TollfreeVerification/",        submit).takes(KindRole::Submit),
        route("fetch",   "GET",    "/v1/Account/{auth_id}/TollfreeVerification/{uuid}/", fetch),
        route("list",    "GET",    "/v1/Account/{auth_id}/TollfreeVerification/",        list),
        route("update",  "POST",   "/v1/Account/{auth_id}/TollfreeVerification/{uuid}/", update).takes(KindRole::Update),
        route("delete",  "DELETE", "/v1/Account/{auth_id}/TollfreeVerification/{uuid}/", delete),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    basic(&received.headers).map(|(_, token)| token)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base}/v1 instead of https://api.plivo.com/v1") },
        AccessRow { label: "account", value: format!("auth id {ACCOUNT}, auth token {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    refusal(error.status(), error.message())
}

fn refusal(status: u16, text: &str) -> ApiReply {
    ApiReply::json(status, &json!({ "api_id": api_id(), "error": text })).assumed(Assumption::PlivoErrors)
}

/// The id that every answer has.
fn api_id() -> String {
    ids::uuid(&[NAME, "api"])
}

/// A list in pages, with the paths of those before and after.
fn page(call: &ApiCall<'_>, all: &[Value]) -> (Vec<Value>, Value) {
    let limit = call.query_number("limit", 20, 20).max(1);
    let offset = call.query_number("offset", 0, u32::MAX);
    let objects: Vec<Value> = all.iter().skip(offset as usize).take(limit as usize).cloned().collect();
    let mut filters = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(call.received.query.as_bytes()) {
        if name != "limit" && name != "offset" {
            filters.append_pair(&name, &value);
        }
    }
    let (path, filters) = (call.received.path.trim_start_matches("/plivo"), filters.finish());
    let and = if filters.is_empty() { "" } else { "&" };
    let at = |offset: u32| format!("{path}?{filters}{and}limit={limit}&offset={offset}");
    let has_next = all.len() > (offset as usize).saturating_add(limit as usize);
    let meta = json!({
        "limit": limit, "offset": offset, "next": has_next.then(|| at(offset + limit)),
        "previous": (offset > 0).then(|| at(offset.saturating_sub(limit))),
    });
    (objects, meta)
}

/// A page of numbers.
fn page_of_numbers(call: &ApiCall<'_>, all: &[Value]) -> ApiReply {
    let (objects, mut meta) = page(call, all);
    meta["total_count"] = json!(all.len());
    let body = json!({ "api_id": api_id(), "meta": meta, "objects": objects });
    ApiReply::json(200, &body).assumed(Assumption::PlivoNumbers)
}

fn search(call: &ApiCall<'_>) -> Handled {
    let pattern = format!("+1{}", call.query("pattern").unwrap_or_default());
    let found = call.tables.available(NAME, 100, |it| it.starts_with(&pattern))?;
    let all: Vec<Value> = found.iter().map(|it| offer(it)).collect();
    Ok(page_of_numbers(call, &all))
}

fn offer(number: &str) -> Value {
    json!({
        "number": &number[1..], "type": "tollfree", "country": "UNITED STATES", "sms_enabled": true,
        "monthly_rental_rate": "1.00000", "setup_rate": "0.00000",
    })
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let number = e164(call.param("number"));
    if !call.tables.buy(NAME, call.param("auth_id"), &number, &number)? {
        return refusal(400, "The number is not available.").refused(Assumption::PlivoNumbers);
    }
    let numbers = json!([{ "number": &number[1..], "status": "Success" }]);
    let body = json!({ "api_id": api_id(), "message": "created", "numbers": numbers, "status": "fulfilled" });
    Ok(ApiReply::json(201, &body).assumed(Assumption::PlivoErrors))
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let start = e164(&call.query("number_startswith").unwrap_or_default());
    let owned = call.tables.all_owned(NAME, call.param("auth_id"))?;
    let owned = owned.iter().filter(|owned| owned.number[1..].starts_with(start.trim_start_matches('+')));
    let all: Vec<Value> = owned.map(|it: &OwnedNumber| offer(&it.number)).collect();
    Ok(page_of_numbers(call, &all))
}

fn own_number(call: &ApiCall<'_>) -> Handled {
    let owned = call.owned(call.param("auth_id"), &e164(call.param("number")))?;
    let owned = owned.ok_or_else(|| refusal(404, "not found"))?;
    let mut body = offer(&owned.number);
    body["api_id"] = json!(api_id());
    Ok(ApiReply::json(200, &body).assumed(Assumption::PlivoNumbers))
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let mut body = Value::Object(call.object()?);
    if let Some(number) = body["number"].as_str().map(e164) {
        body["number"] = json!(number);
    }
    let judged = call.judged(KindRole::Submit, &body, |problems| refusal(400, &problems[0].message))?;
    let account = call.param("auth_id");
    let Some(owned) = call.owned(account, body["number"].as_str().unwrap_or_default())? else {
        return refusal(400, "The account has no such number.").refused(Assumption::PlivoDuplicate);
    };
    if !call.tables.filings_of(NAME, &owned.number)?.is_empty() {
        return refusal(409, "The number has a verification already.").refused(Assumption::PlivoDuplicate);
    }
    let uuid = ids::uuid(&[NAME, &owned.number, &call.tables.next_filing(NAME, &owned.number)?]);
    let message = done(&owned.number, "submitted");
    call.file(account, &uuid, &[owned.number], &body, judged)?;
    let body = json!({ "api_id": api_id(), "message": message, "uuid": uuid });
    Ok(ApiReply::json(202, &body).assumed(Assumption::PlivoErrors).assumed(Assumption::PlivoProfiles))
}

/// Plivo's text for a call that it took, in its own spelling.
fn done(number: &str, what: &str) -> String {
    format!("Tollfree verification request for {} {what} succesfully", number.trim_start_matches('+'))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = call.tables.filing(NAME, call.param("uuid"))?;
    let filing = filing.filter(|it| it.account == call.param("auth_id"));
    filing.ok_or_else(|| refusal(404, "not found").into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    let mut body = record(call, &stored(call)?);
    body["api_id"] = json!(api_id());
    Ok(ApiReply::json(200, &body).assumed(Assumption::PlivoReview))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let mut all = match call.query("number") {
        Some(number) => call.tables.filings_of(NAME, &e164(&number))?,
        None => call.tables.filings(NAME, call.param("auth_id"), u32::MAX)?,
    };
    all.retain(|it| it.account == call.param("auth_id"));
    if let Some(wanted) = call.query("status") {
        all.retain(|it| status(call, it) == wanted);
    }
    for name in ["profile_uuid", "usecase"] {
        if let Some(wanted) = call.query(name) {
            all.retain(|it| it.body[name] == json!(wanted));
        }
    }
    let mut all: Vec<Value> = all.iter().map(|it| record(call, it)).collect();
    for (name, is_wanted) in [
        ("created__gt", (|it, at| it > at) as fn(&str, &str) -> bool),
        ("created__gte", |it, at| it >= at),
        ("created__lt", |it, at| it < at),
        ("created__lte", |it, at| it <= at),
    ] {
        if let Some(at) = call.query(name).map(|it| it.replace(' ', "T")) {
            all.retain(|record| record["created"].as_str().is_some_and(|time| is_wanted(time, &at)));
        }
    }
    let (objects, mut meta) = page(call, &all);
    meta["count"] = json!(objects.len());
    let body = json!({ "api_id": api_id(), "meta": meta, "objects": objects });
    Ok(ApiReply::json(200, &body).assumed(Assumption::PlivoReview))
}

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let changes = call.object()?;
    if !["SUBMITTED", "UPDATE_REQUIRED"].contains(&status(call, &filing)) {
        return refusal(409, "The verification cannot be updated in this status.").refuse();
    }
    if changes.contains_key("number") {
        return refusal(400, "number cannot be updated").refuse();
    }
    let mut body = filing.body.clone();
    changes.into_iter().for_each(|(name, value)| body[name] = value);
    let judged = call.judged(KindRole::Submit, &body, |problems| refusal(400, &problems[0].message))?;
    call.refile(&filing, &body, judged)?;
    let message = done(body["number"].as_str().unwrap_or_default(), "updated");
    let body = json!({ "api_id": api_id(), "message": message });
    Ok(ApiReply::json(202, &body).assumed(Assumption::PlivoErrors))
}

fn delete(call: &ApiCall<'_>) -> Handled {
    call.tables.delete(&stored(call)?)?;
    Ok(ApiReply::empty(204))
}

/// The time to make an update that is required.
const DEADLINE: SignedDuration = SignedDuration::from_hours(6 * 24);

fn status(call: &ApiCall<'_>, filing: &Filing) -> &'static str {
    match filing.state {
        FilingState::Draft | FilingState::Open => "SUBMITTED",
        FilingState::Approved => "APPROVED",
        FilingState::Rejected if call.is_rejected_since(filing, DEADLINE) => "REJECTED",
        FilingState::Rejected => "UPDATE_REQUIRED",
    }
}

fn record(call: &ApiCall<'_>, filing: &Filing) -> Value {
    let mut record = json!({
        "additional_information": "", "callback_method": "POST", "callback_url": "", "extra_data": "",
        "uuid": filing.id, "status": status(call, filing),
        "error_message": filing.reasons.first().map(|it| it.title.as_str()).unwrap_or_default(),
        "created": stamp(filing.created_at, 6), "last_modified": stamp(filing.updated_at, 6),
    });
    merge(&mut record, &filing.body);
    record["number"] = json!(record["number"].as_str().unwrap_or_default().trim_start_matches('+'));
    record
}

pub(super) fn receivers(_: &StateTables<'_>, review: &EndedReview) -> rusqlite::Result<Vec<WebhookReceiver>> {
    let given = |name: &str| review.filing.body[name].as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    let method = given("callback_method").filter(|it| it == "GET");
    let receiver =
        given("callback_url").map(|url| WebhookReceiver { url, method, ..WebhookReceiver::default() });
    Ok(receiver.into_iter().collect())
}

pub(super) fn event(review: &EndedReview, numbers: &[String]) -> EventBody {
    let filing = &review.filing;
    let status = if filing.state == FilingState::Rejected { "UPDATE_REQUIRED" } else { "APPROVED" };
    let number = numbers.first().map(|it| it.trim_start_matches('+')).unwrap_or_default();
    let error = filing.reasons.first().map(|it| it.title.as_str()).unwrap_or_default();
    EventBody::Form(vec![
        ("uuid", filing.id.clone()),
        ("number", number.to_owned()),
        ("status", status.to_owned()),
        ("error_message", error.to_owned()),
    ])
}
