//! Surge: api.surge.app with JSON and Bearer.

use serde_json::{Map, Value, json};
use tollproof_core::KindRole;

use super::{merge, route, stamp, token};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Refused};
use crate::review::FieldProblem;
use crate::store::{Filing, FilingState, OwnedNumber};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "surge";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search",  "GET",   "/accounts/{account_id}/available_phone_numbers", search),
        route("buy",     "POST",  "/accounts/{account_id}/phone_numbers",           buy),
        route("numbers", "GET",   "/accounts/{account_id}/phone_numbers",           numbers),
        route("submit",  "POST",  "/accounts/{account_id}/toll_free_campaigns",     submit).takes(KindRole::Submit),
        route("list",    "GET",   "/accounts/{account_id}/toll_free_campaigns",     list),
        route("fetch",   "GET",   "/toll_free_campaigns/{campaign_id}",             fetch),
        route("update",  "PATCH", "/toll_free_campaigns/{campaign_id}",             update),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    token(&received.headers, "Bearer").map(str::to_owned)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base} (SURGE_BASE_URL)") },
        AccessRow { label: "key", value: format!("{key} (SURGE_API_KEY)") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let kind = match error {
        ApiError::Credentials => "unauthorized",
        ApiError::UnknownPath => "not_found",
        ApiError::TooMany => "rate_limit_exceeded",
        ApiError::Server => "internal_error",
        ApiError::BadBody(_) | ApiError::TooLarge | ApiError::TooSlow => "bad_request",
    };
    refusal(error.status(), kind, error.message())
}

fn refusal(status: u16, kind: &str, message: &str) -> ApiReply {
    let body = json!({ "error": { "type": kind, "message": message } });
    let reply = ApiReply::json(status, &body);
    if kind == "not_found" { reply } else { reply.assumed(Assumption::SurgeErrors) }
}

fn not_found() -> ApiReply {
    refusal(404, "not_found", "The requested resource could not be found.")
}

fn invalid(problems: &[FieldProblem]) -> ApiReply {
    let mut detail = Map::new();
    for problem in problems {
        let messages = detail.entry(problem.field()).or_insert_with(|| json!([]));
        messages.as_array_mut().expect("it is a list").push(json!(problem.message));
    }
    let error = json!({ "type": "validation_error", "message": "The request is invalid.", "detail": detail });
    ApiReply::json(400, &json!({ "error": error })).assumed(Assumption::SurgeErrors)
}

fn invalid_field(field: &str, message: &str) -> ApiReply {
    invalid(&[FieldProblem { pointer: format!("/{field}"), message: message.to_owned() }])
}

/// How many entries a page has.
const PAGE: usize = 50;

/// A page of a list: what follows the cursor `after`, or precedes the cursor `before`. A cursor is an entry's place.
fn page(call: &ApiCall<'_>, all: &[Value]) -> ApiReply {
    let cursor = |name: &str| call.query(name).and_then(|it| it.parse::<usize>().ok());
    let start = match (cursor("after"), cursor("before")) {
        (Some(after), _) => after.min(all.len()),
        (None, Some(before)) => before.min(all.len()).saturating_sub(PAGE),
        (None, None) => 0,
    };
    let end = start.saturating_add(PAGE).min(all.len());
    let pagination = json!({
        "next_cursor": (end < all.len()).then(|| end.to_string()),
        "previous_cursor": (start > 0).then(|| start.to_string()),
    });
    let body = json!({ "data": &all[start..end], "pagination": pagination });
    ApiReply::json(200, &body).assumed(Assumption::SurgePages)
}

/// An id of the form that Surge has.
fn id(prefix: &str, of: &[&str]) -> String {
    let mut digits = ids::digits(of);
    digits.truncate(26);
    format!("{prefix}_{digits}")
}

fn search(call: &ApiCall<'_>) -> Handled {
    if call.query("type").as_deref() != Some("toll_free") {
        return Err(invalid_field("type", "The sandbox has numbers of the type toll_free only.").into());
    }
    let area = format!("+1{}", call.query("area_code").unwrap_or_default());
    let found = call.tables.available(NAME, 200, |it| it.starts_with(&area))?;
    let offer = |it: &String| json!({ "number": it, "country": "US", "type": "toll_free" });
    Ok(page(call, &found.iter().map(offer).collect::<Vec<_>>()))
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let named = body["phone_number"].as_str().map(str::to_owned);
    let number = match named {
        None if body["type"] == json!("toll_free") => {
            let area = format!("+1{}", body["area_code"].as_str().unwrap_or_default());
            call.tables.available(NAME, 1, |it| it.starts_with(&area))?.pop()
        }
        named => named,
    };
    let refused = || invalid_field("phone_number", "The number is not available.");
    let number = number.ok_or_else(|| refused().assumed(Assumption::SurgePurchases))?;
    if !call.tables.buy(NAME, call.param("account_id"), &number, &id("pn", &[NAME, &number]))? {
        return Err(refused().assumed(Assumption::SurgePurchases).into());
    }
    let owned = call.tables.owned(NAME, &number)?.expect("it was bought just now");
    let mut record = own_number(&owned);
    record["name"] = body["name"].clone();
    Ok(ApiReply::json(201, &record).assumed(Assumption::SurgePurchases))
}

fn own_number(owned: &OwnedNumber) -> Value {
    json!({ "id": owned.id, "number": owned.number, "type": "toll_free", "name": null })
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let owned = call.tables.all_owned(NAME, call.param("account_id"))?;
    Ok(page(call, &owned.iter().map(own_number).collect::<Vec<_>>()))
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let judged = call.judge(KindRole::Submit, &body);
    if !judged.refused.is_empty() {
        return Err(invalid(&judged.refused).into());
    }
    let account = call.param("account_id");
    let Some(owned) = call.owned(account, body["phone_number_id"].as_str().unwrap_or_default())? else {
        let refused = invalid_field("phone_number_id", "The account has no such number.");
        return Err(refused.assumed(Assumption::SurgeDuplicate).into());
    };
    let filings = call.tables.filings_of(NAME, &owned.number)?;
    if !filings.is_empty() {
        let refused = refusal(409, "conflict", "The number has a campaign.");
        return Err(refused.assumed(Assumption::SurgeDuplicate).into());
    }
    let id = id("tfc", &[NAME, &owned.number, &call.tables.next_filing(NAME, &owned.number)?]);
    let filing = call.file(account, &id, &[owned.number], &body, judged)?;
    Ok(answer_with(201, &filing))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing, Refused> {
    let filing = call.tables.filing(NAME, call.param("campaign_id"))?;
    filing.ok_or_else(|| not_found().into())
}

fn answer_with(status: u16, filing: &Filing) -> ApiReply {
    ApiReply::json(status, &record(filing)).assumed(Assumption::SurgeRecords)
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    Ok(answer_with(200, &stored(call)?))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let mut all = call.tables.filings(NAME, call.param("account_id"), (u32::MAX, 0))?;
    all.retain(|it| it.account == call.param("account_id"));
    let all: Vec<Value> = all.iter().map(record).collect();
    Ok(page(call, &all).assumed(Assumption::SurgeRecords))
}

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let changes = Value::Object(call.object()?);
    if filing.state != FilingState::Rejected {
        let refused = refusal(409, "conflict", "The campaign is not in an updatable status.");
        return Err(refused.assumed(Assumption::SurgeUpdates).into());
    }
    let mut body = filing.body.clone();
    merge(&mut body, &changes);
    if body["phone_number_id"] != filing.body["phone_number_id"] {
        let refused = invalid_field("phone_number_id", "The number of a campaign cannot be changed.");
        return Err(refused.assumed(Assumption::SurgeUpdates).into());
    }
    let judged = call.judge(KindRole::Submit, &body);
    if !judged.refused.is_empty() {
        return Err(invalid(&judged.refused).into());
    }
    Ok(answer_with(200, &call.refile(&filing, &body, judged)?).assumed(Assumption::SurgeUpdates))
}

fn status(state: FilingState) -> &'static str {
    match state {
        FilingState::Draft | FilingState::Open => "in_review",
        FilingState::Approved => "active",
        FilingState::Rejected => "rejected",
    }
}

fn record(filing: &Filing) -> Value {
    let mut record = json!({ "id": filing.id });
    for (name, value) in filing.body.as_object().into_iter().flatten() {
        record[name] = value.clone();
    }
    record["status"] = json!(status(filing.state));
    record["rejection_reasons"] = filing.reasons.iter().map(|it| it.title.as_str()).collect();
    record["created_at"] = json!(stamp(filing.created_at, 0));
    record["updated_at"] = json!(stamp(filing.updated_at, 0));
    record
}
