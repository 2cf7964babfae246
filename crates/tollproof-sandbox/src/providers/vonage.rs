//! Vonage: rest.nexmo.com for numbers with forms, api.nexmo.com/tfn for registrations with JSON, both with Basic.

use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::{basic, e164, merge, route, stamp};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Refused};
use crate::review::FieldProblem;
use crate::store::{Filing, FilingState};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "vonage";

/// A key has one account.
const ACCOUNT: &str = "";

/// How many numbers a registration can have.
const MAX_NUMBERS: usize = 5;

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search",  "GET",   "/rest/number/search",                search),
        route("buy",     "POST",  "/rest/number/buy",                   buy),
        route("numbers", "GET",   "/rest/account/numbers",              numbers),
        route("submit",  "POST",  "/tfn/v1/registrations",              submit).takes(KindRole::Submit),
        route("fetch",   "GET",   "/tfn/v1/registrations/{id}",         fetch),
        route("history", "GET",   "/tfn/v1/registrations/{id}/events",  history),
        route("list",    "GET",   "/tfn/v1/numbers",                    list),
        route("update",  "PATCH", "/tfn/v1/registrations/{id}",         update),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    basic(&received.headers).map(|(_, secret)| secret)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "numbers", value: format!("{base}/rest instead of https://rest.nexmo.com") },
        AccessRow {
            label: "registrations",
            value: format!(
                "{base}/tfn instead of https://api.nexmo.com/tfn or https://api-eu.vonage.com/tfn"
            ),
        },
        AccessRow { label: "account", value: format!("any API key, {key} as the secret") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    refusal(error.status(), error.message())
}

fn refusal(status: u16, label: &str) -> ApiReply {
    let body = json!({ "error-code": status.to_string(), "error-code-label": label });
    ApiReply::json(status, &body).assumed(Assumption::VonageErrors)
}

fn invalid(problem: &FieldProblem) -> ApiReply {
    let field = problem.pointer.trim_start_matches('/').replace('/', ".");
    refusal(400, &format!("{field}: {}", problem.message))
}

/// A page of some numbers that contain a pattern.
fn page_of_numbers(call: &ApiCall<'_>, found: &[String]) -> ApiReply {
    let (size, index) = (call.query_number("size", 10, 100).max(1), call.query_number("index", 1, u32::MAX));
    let start = (index.max(1) as usize - 1).saturating_mul(size as usize);
    let shown = found.iter().skip(start).take(size as usize);
    let numbers = shown.map(|it| {
        json!({
            "country": "US", "msisdn": &it[1..], "type": "landline-toll-free", "cost": "1.00",
            "initialPrice": "1.00", "features": ["SMS", "VOICE"],
        })
    });
    let numbers: Vec<Value> = numbers.collect();
    let body = json!({ "count": found.len(), "numbers": numbers });
    ApiReply::json(200, &body).assumed(Assumption::VonagePurchases)
}

/// Whether a number in E.164 has the pattern of the query: at the start, anywhere or at the end.
fn has_pattern(call: &ApiCall<'_>, number: &str) -> bool {
    let digits = number.trim_start_matches('+');
    let pattern = call.query("pattern").unwrap_or_default();
    match call.query("search_pattern").as_deref() {
        Some("1") => digits.contains(&pattern),
        Some("2") => digits.ends_with(&pattern),
        _ => digits.starts_with(&pattern),
    }
}

fn search(call: &ApiCall<'_>) -> Handled {
    let found = call.tables.available(NAME, 1_000, |it| has_pattern(call, it))?;
    Ok(page_of_numbers(call, &found))
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let form = call.form();
    let number = form.iter().find(|(name, _)| name == "msisdn").map(|(_, value)| e164(value));
    let number = number.ok_or_else(|| refusal(420, "msisdn is required"))?;
    if !call.tables.buy(NAME, ACCOUNT, &number, &number)? {
        let refused = refusal(420, "The number is not available.");
        return Err(refused.assumed(Assumption::VonagePurchases).into());
    }
    Ok(ApiReply::json(200, &json!({ "error-code": "200", "error-code-label": "success" })))
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let owned = call.tables.all_owned(NAME, ACCOUNT)?.into_iter().map(|it| it.number);
    let owned: Vec<String> = owned.filter(|it| has_pattern(call, it)).collect();
    Ok(page_of_numbers(call, &owned))
}

/// The numbers that a registration names, in E.164; if it names none, those of the account that have no registration.
fn numbers_of(call: &ApiCall<'_>, body: &Value) -> Result<Vec<String>, Refused> {
    let named = body["numbers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut numbers: Vec<String> = named.map(|it| e164(it.trim_start_matches('+'))).collect();
    if numbers.is_empty() {
        for owned in call.tables.all_owned(NAME, ACCOUNT)? {
            if numbers.len() < MAX_NUMBERS && call.tables.filings_of(NAME, &owned.number)?.is_empty() {
                numbers.push(owned.number);
            }
        }
    }
    let refused = |why: &str| Refused::from(refusal(400, why).assumed(Assumption::VonageDuplicate));
    if numbers.is_empty() {
        return Err(refused("The account has no number without a registration."));
    }
    if numbers.len() > MAX_NUMBERS {
        return Err(refused("A registration has at most 5 numbers."));
    }
    for number in &numbers {
        if call.owned(ACCOUNT, number)?.is_none() {
            return Err(refused("The account has no such number."));
        }
        let filings = call.tables.filings_of(NAME, number)?;
        if filings.iter().any(|it| it.state != FilingState::Rejected) {
            return Err(refused("The number has a registration."));
        }
    }
    Ok(numbers)
}

/// Whether the registration is only saved.
fn is_draft(body: &Value) -> bool {
    body["status"] == json!("DRAFT")
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let judged = call.judge(KindRole::Submit, &body);
    if let Some(problem) = judged.refused.first() {
        return Err(invalid(problem).into());
    }
    let numbers = numbers_of(call, &body)?;
    let first = numbers.first().map(String::as_str).unwrap_or_default();
    let id = ids::uuid(&[NAME, first, &call.tables.next_filing(NAME, first)?]);
    if is_draft(&body) {
        call.draft(&id, &numbers, &body)?;
    } else {
        call.file(ACCOUNT, &id, &numbers, &body, judged)?;
    }
    Ok(with_id(&id).assumed(Assumption::VonageNumbers))
}

fn with_id(id: &str) -> ApiReply {
    ApiReply::json(200, &json!({ "id": id })).assumed(Assumption::VonageRecords)
}

fn stored(call: &ApiCall<'_>) -> Result<Filing, Refused> {
    let filing = call.tables.filing(NAME, call.param("id"))?;
    filing.ok_or_else(|| refusal(404, "The registration does not exist.").into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let mut record = json!({ "id": filing.id });
    for (name, value) in filing.body.as_object().into_iter().flatten() {
        record[name] = value.clone();
    }
    let numbers = call.tables.numbers_of(&filing)?;
    record["numbers"] = numbers.iter().map(|it| &it[1..]).collect();
    record["status"] = json!(status(filing.state));
    record["rejection_reasons"] = reasons(&filing);
    record["created_at"] = json!(stamp(filing.created_at, 0));
    record["updated_at"] = json!(stamp(filing.updated_at, 0));
    Ok(ApiReply::json(200, &record).assumed(Assumption::VonageRecords).assumed(Assumption::VonageNumbers))
}

fn reasons(filing: &Filing) -> Value {
    filing.reasons.iter().map(|it| it.title.as_str()).collect()
}

fn history(call: &ApiCall<'_>) -> Handled {
    let changes = call.tables.changes(&stored(call)?)?;
    let event =
        |(state, at): &(FilingState, _)| json!({ "status": status(*state), "created_at": stamp(*at, 0) });
    let body = json!({ "events": changes.iter().map(event).collect::<Vec<_>>() });
    Ok(ApiReply::json(200, &body).assumed(Assumption::VonageRecords))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let mut numbers = Vec::new();
    for owned in call.tables.all_owned(NAME, ACCOUNT)? {
        let filing = call.tables.filings_of(NAME, &owned.number)?.into_iter().next();
        numbers.push(json!({
            "msisdn": &owned.number[1..], "country": "US",
            "registration_id": filing.as_ref().map(|it| it.id.as_str()),
            "status": filing.as_ref().map(|it| status(it.state)),
        }));
    }
    Ok(ApiReply::json(200, &json!({ "numbers": numbers })).assumed(Assumption::VonageRecords))
}

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let changes = Value::Object(call.object()?);
    let refused = |why: &str| Refused::from(refusal(400, why).assumed(Assumption::VonageUpdates));
    if !matches!(filing.state, FilingState::Draft | FilingState::Rejected) {
        return Err(refused("The status of the registration does not allow this."));
    }
    if changes.get("numbers").is_some_and(|it| *it != filing.body["numbers"]) {
        return Err(refused("The numbers of a registration cannot be changed."));
    }
    let mut body = filing.body.clone();
    merge(&mut body, &changes);
    let is_sent = !is_draft(&body) || filing.state == FilingState::Rejected;
    let judged = call.judge(KindRole::Submit, &body);
    if let Some(problem) = judged.refused.first() {
        return Err(invalid(problem).into());
    }
    if is_sent {
        call.refile(&filing, &body, judged)?;
    } else {
        call.tables.amend(&filing, &body)?;
    }
    Ok(with_id(&filing.id).assumed(Assumption::VonageUpdates))
}

fn status(state: FilingState) -> &'static str {
    match state {
        FilingState::Draft => "DRAFT",
        FilingState::Open => "CARRIER_REVIEW",
        FilingState::Approved => "REGISTERED",
        FilingState::Rejected => "REJECTED",
    }
}
