//! Pinnacle: api.pinnacle.sh with JSON and a key in a header of its own.

use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::{e164, merge, route, stamp};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Refused};
use crate::review::FieldProblem;
use crate::store::{Filing, FilingState};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::KeyIn(HEADER), error, access };

const NAME: &str = "pinnacle";

const HEADER: &str = "PINNACLE-API-KEY";

/// A key has one account.
const ACCOUNT: &str = "";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search",   "POST", "/phone-numbers/search",                   search),
        route("buy",      "POST", "/phone-numbers/buy",                      buy),
        route("attach",   "POST", "/phone-numbers/attach-campaign",          attach),
        route("create",   "POST", "/campaigns/toll-free",                    upsert).takes(KindRole::Submit),
        route("validate", "POST", "/campaigns/toll-free/validate",           validate),
        route("submit",   "POST", "/campaigns/toll-free/submit/{campaignId}", submit),
        route("list",     "POST", "/campaigns/toll-free/list",               list),
        route("content",  "GET",  "/campaigns/toll-free/{campaignId}",       content),
        route("fetch",    "GET",  "/status/toll-free-campaign/{campaignId}", fetch),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    received.headers.get(HEADER).and_then(|it| it.to_str().ok()).map(str::to_owned)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base} instead of https://api.pinnacle.sh") },
        AccessRow { label: "header", value: format!("{HEADER}: {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    refusal(error.status(), error.message())
}

fn refusal(status: u16, text: &str) -> ApiReply {
    ApiReply::json(status, &json!({ "error": text })).assumed(Assumption::PinnacleErrors)
}

fn invalid(problems: &[FieldProblem]) -> ApiReply {
    let issues = problems.iter().map(|it| {
        let path: Vec<&str> = it.pointer.split('/').skip(1).collect();
        json!({ "path": path, "message": it.message })
    });
    let body = json!({ "error": "The request is invalid.", "issues": issues.collect::<Vec<_>>() });
    ApiReply::json(400, &body).assumed(Assumption::PinnacleErrors)
}

fn search(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let types = body["type"].as_array().into_iter().flatten();
    if !types.into_iter().any(|it| *it == json!("TOLL_FREE")) {
        let problem = FieldProblem {
            pointer: "/type".to_owned(),
            message: "The sandbox has TOLL_FREE only.".to_owned(),
        };
        return Err(invalid(&[problem]).into());
    }
    let wanted = &body["number"];
    let start = wanted["startsWith"].as_str().unwrap_or_default().trim_start_matches('+');
    let part = wanted["contains"].as_str().unwrap_or_default();
    let is_wanted = |number: &str| {
        let digits = number.trim_start_matches("+1");
        (digits.starts_with(start) || number[1..].starts_with(start)) && number.contains(part)
    };
    let limit = body["options"]["limit"].as_u64().unwrap_or(10).min(100);
    let found = call.tables.available(NAME, u32::try_from(limit).unwrap_or(100), is_wanted)?;
    let offer = |number: &String| {
        json!({
            "number": number, "type": "TOLL_FREE", "features": ["SMS", "MMS", "VOICE"],
            "cost": { "monthly": 2, "upfront": 2, "currency": "USD" },
            "region": { "country": "US" },
        })
    };
    let found: Vec<Value> = found.iter().map(offer).collect();
    Ok(ApiReply::json(200, &json!(found)).assumed(Assumption::PinnacleNumbers))
}

/// What a number costs, in cents.
const PRICE: i64 = 200;

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let numbers: Vec<String> = strings(&body["numbers"]).map(|it| e164(&it)).collect();
    if numbers.is_empty() {
        return Err(refusal(400, "numbers must name at least one number").into());
    }
    let mut bought = Vec::new();
    for number in numbers {
        let left = call.tables.wallet(NAME)? - PRICE;
        if left < 0 {
            return Err(refusal(402, "The credits do not suffice.").into());
        }
        if !call.tables.buy(NAME, ACCOUNT, &number, &number)? {
            let refused = refusal(404, "The number is not available.");
            return Err(refused.assumed(Assumption::PinnacleNumbers).into());
        }
        call.tables.set_wallet(NAME, left)?;
        bought.push(json!({ "number": number, "capabilities": { "sms": true, "mms": true, "voice": true } }));
    }
    Ok(ApiReply::json(200, &json!(bought)).assumed(Assumption::PinnacleNumbers))
}

fn strings(list: &Value) -> impl Iterator<Item = String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

/// The setting that has the campaign of a number.
fn campaign_of(number: &str) -> String {
    format!("pinnacle-campaign-of:{number}")
}

fn attach(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let filing = named(call, &body["campaignId"])?;
    if filing.state != FilingState::Approved {
        return Err(refusal(400, "Numbers can be attached to VERIFIED campaigns only.").into());
    }
    let campaign = json!({ "id": filing.id, "name": filing.body["name"], "type": "TOLL_FREE" });
    let (mut attached, mut failed) = (Vec::new(), Vec::new());
    for number in strings(&body["phones"]).map(|it| e164(&it)) {
        if call.owned(ACCOUNT, &number)?.is_some() {
            call.tables.set(&campaign_of(&number), &filing.id)?;
            attached.push(json!({ "phoneNumber": number, "campaign": campaign }));
        } else {
            failed.push(json!({ "number": number, "error": "The account has no such number." }));
        }
    }
    let body = json!({ "phoneNumbers": attached, "failed": failed });
    Ok(ApiReply::json(200, &body).assumed(Assumption::PinnacleAttachments))
}

/// The campaign of an id.
fn named(call: &ApiCall<'_>, id: &Value) -> Result<Filing, Refused> {
    let filing = call.tables.filing(NAME, id.as_str().unwrap_or_default())?;
    filing.ok_or_else(|| refusal(404, "The campaign does not exist.").into())
}

fn stored(call: &ApiCall<'_>) -> Result<Filing, Refused> {
    named(call, &json!(call.param("campaignId")))
}

/// Refuses a campaign that is in review or verified.
fn editable(filing: Filing) -> Result<Filing, Refused> {
    match filing.state {
        FilingState::Draft | FilingState::Rejected => Ok(filing),
        FilingState::Open | FilingState::Approved => {
            let refused = refusal(400, "The status of the campaign does not allow this.");
            Err(refused.assumed(Assumption::PinnacleUpdates).into())
        }
    }
}

fn upsert(call: &ApiCall<'_>) -> Handled {
    let mut body = Value::Object(call.object()?);
    let id = body.as_object_mut().and_then(|it| it.remove("campaignId"));
    let filing = match id {
        None => {
            let id = format!("tf_{}", call.tables.next_filing(NAME, "campaign")?);
            call.draft(&id, &[], &body)?
        }
        Some(id) => {
            let filing = editable(named(call, &id)?)?;
            let mut changed = filing.body.clone();
            merge(&mut changed, &body);
            call.tables.amend(&filing, &changed)?;
            named(call, &id)?
        }
    };
    Ok(answer_with(&filing).assumed(Assumption::PinnacleUpdates))
}

fn validate(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let filing = named(call, &body["campaignId"])?;
    let problems = call.judge(KindRole::Submit, &filing.body).refused;
    let errors = problems.iter().map(|it| {
        let field = it.pointer.trim_start_matches('/').replace('/', ".");
        json!({ "field": field, "description": it.message })
    });
    let body = json!({ "is_valid": problems.is_empty(), "errors": errors.collect::<Vec<_>>() });
    Ok(ApiReply::json(200, &body).assumed(Assumption::PinnacleValidation))
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let filing = editable(stored(call)?)?;
    let judged = call.judge(KindRole::Submit, &filing.body);
    if !judged.refused.is_empty() {
        return Err(invalid(&judged.refused).into());
    }
    call.refile(&filing, &filing.body, judged)?;
    Ok(ApiReply::json(200, &json!({ "success": true })))
}

fn content(call: &ApiCall<'_>) -> Handled {
    Ok(answer_with(&stored(call)?))
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let mut number = None;
    for owned in call.tables.all_owned(NAME, ACCOUNT)? {
        if call.tables.setting(&campaign_of(&owned.number))?.as_ref() == Some(&filing.id) {
            number = Some(owned.number);
        }
    }
    let titles: Vec<&str> = filing.reasons.iter().map(|it| it.title.as_str()).collect();
    let status = match filing.state {
        FilingState::Draft => "WAITING_FOR_CUSTOMER",
        FilingState::Open => "IN_PROGRESS",
        FilingState::Approved => "VERIFIED",
        FilingState::Rejected => "REJECTED",
    };
    let mut body = json!({
        "id": filing.id,
        "updates": { "number": number.unwrap_or_default(), "status": status, "errors": titles },
    });
    if !titles.is_empty() {
        body["error"] = json!(titles.join("; "));
    }
    Ok(ApiReply::json(200, &body).assumed(Assumption::PinnacleReview))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let mut all = call.tables.filings(NAME, ACCOUNT, (u32::MAX, 0))?;
    if let Some(wanted) = body["status"].as_str() {
        all.retain(|it| status(it.state) == wanted);
    }
    if let Some(wanted) = body["brandId"].as_str() {
        all.retain(|it| it.body["brand"] == json!(wanted));
    }
    if let Some(wanted) = body["name"].as_str().map(str::to_lowercase) {
        all.retain(|it| it.body["name"].as_str().is_some_and(|name| name.to_lowercase().contains(&wanted)));
    }
    let number = |name: &str, default: u64| body[name].as_u64().unwrap_or(default);
    let size = usize::try_from(number("pageSize", 20).clamp(1, 100)).unwrap_or(100);
    let start = usize::try_from(number("pageIndex", 0)).unwrap_or(usize::MAX).saturating_mul(size);
    let shown = all.iter().skip(start).take(size).map(|it| {
        json!({
            "campaignId": it.id, "name": it.body["name"], "status": status(it.state), "brandId": it.body["brand"],
            "useCase": it.body["useCase"]["value"],
            "createdAt": stamp(it.created_at, 3), "updatedAt": stamp(it.updated_at, 3),
        })
    });
    let shown: Vec<Value> = shown.collect();
    let has_more = start.saturating_add(shown.len()) < all.len();
    let body = json!({ "data": shown, "hasMore": has_more, "count": all.len() });
    Ok(ApiReply::json(200, &body).assumed(Assumption::PinnaclePages))
}

/// The status of a campaign; that of its number has other names.
fn status(state: FilingState) -> &'static str {
    match state {
        FilingState::Draft => "INCOMPLETE",
        FilingState::Open => "IN REVIEW",
        FilingState::Approved => "VERIFIED",
        FilingState::Rejected => "FAILED",
    }
}

fn answer_with(filing: &Filing) -> ApiReply {
    let mut record = json!({ "campaignId": filing.id });
    for (name, value) in filing.body.as_object().into_iter().flatten() {
        record[name] = value.clone();
    }
    record["brand"] = json!({ "id": filing.body["brand"] });
    record["status"] = json!(status(filing.state));
    ApiReply::json(200, &record).assumed(Assumption::PinnacleBrands)
}
