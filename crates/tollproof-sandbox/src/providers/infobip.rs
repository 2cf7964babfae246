//! Infobip: the account's own host, with JSON and `App` keys.

use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::events::{EventBody, titles};
use super::{basic, e164, route, stamp, token};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::review::{FieldProblem, ReviewReason};
use crate::store::{EndedReview, Filing, FilingState};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "infobip";

/// A key has one account.
const ACCOUNT: &str = "";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search", "GET",    "/numbers/1/numbers/available",                     search),
        route("buy",    "POST",   "/numbers/1/numbers",                               buy),
        route("numbers", "GET",   "/numbers/1/numbers",                               numbers),
        route("create", "POST",   "/number-registration/1/campaigns/toll-free",       create).takes(KindRole::Submit),
        route("submit", "POST",   "/number-registration/1/campaigns/{id}/register",   register),
        route("fetch",  "GET",    "/number-registration/1/campaigns/{id}",            fetch),
        route("list",   "GET",    "/number-registration/1/campaigns",                 list),
        route("update", "PUT",    "/number-registration/1/campaigns/{id}",            update).takes(KindRole::Submit),
        route("delete", "DELETE", "/number-registration/1/campaigns/{id}",            delete),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    let key = token(&received.headers, "App").or(token(&received.headers, "Bearer")).map(str::to_owned);
    key.or_else(|| basic(&received.headers).map(|(_, password)| password))
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base} instead of https://ACCOUNT.api.infobip.com") },
        AccessRow { label: "header", value: format!("Authorization: App {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    refusal(error.status(), error.message(), &[])
}

fn refusal(status: u16, description: &str, problems: &[FieldProblem]) -> ApiReply {
    let code = match status {
        401 => "UNAUTHORIZED",
        404 => "NOT_FOUND",
        429 => "TOO_MANY_REQUESTS",
        500 => "GENERAL_ERROR",
        _ => "BAD_REQUEST",
    };
    let violations = problems.iter().map(|problem| {
        let property = problem.pointer.trim_start_matches('/').replace('/', ".");
        json!({ "property": property, "violation": problem.message })
    });
    let error = json!({
        "errorCode": code, "description": description, "action": "Check the request.",
        "violations": violations.collect::<Vec<_>>(), "resources": [],
    });
    ApiReply::json(status, &json!({ "requestError": error })).assumed(Assumption::InfobipErrors)
}

fn invalid(problems: &[FieldProblem]) -> ApiReply {
    refusal(400, "The request is invalid.", problems)
}

fn invalid_field(field: &str, message: &str) -> ApiReply {
    invalid(&[FieldProblem { pointer: format!("/{field}"), message: message.to_owned() }])
}

fn search(call: &ApiCall<'_>) -> Handled {
    let area =
        format!("+1{}{}", call.query("npa").unwrap_or_default(), call.query("nxx").unwrap_or_default());
    let limit = call.query_number("limit", 10, 100);
    let found = call.tables.available(NAME, limit, |it| it.starts_with(&area))?;
    let numbers: Vec<Value> = found.iter().map(|it| number_record(it)).collect();
    let body = json!({ "numberCount": numbers.len(), "numbers": numbers });
    Ok(ApiReply::json(200, &body).assumed(Assumption::InfobipNumbers))
}

/// The key of a number.
fn key(number: &str) -> String {
    ids::digits(&[NAME, number]).to_uppercase()
}

fn number_record(number: &str) -> Value {
    json!({
        "numberKey": key(number), "number": &number[1..], "country": "US", "type": "TOLL_FREE",
        "capabilities": ["SMS", "VOICE"],
        "price": { "pricePerMonth": 2, "setupPrice": 0, "currency": "USD" },
    })
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = call.object()?;
    let Some(number) = body.get("number").and_then(Value::as_str).map(e164) else {
        return invalid_field("number", "A US number is bought by its number.").refuse();
    };
    if !call.tables.buy(NAME, ACCOUNT, &number, &key(&number))? {
        return invalid_field("number", "The number is not available.").refused(Assumption::InfobipNumbers);
    }
    Ok(ApiReply::json(200, &number_record(&number)).assumed(Assumption::InfobipNumbers))
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let wanted = call.query("number").unwrap_or_default();
    let owned = call.tables.all_owned(NAME, ACCOUNT)?;
    let owned = owned.iter().filter(|it| it.number.contains(&wanted));
    let all: Vec<Value> = owned.map(|owned| number_record(&owned.number)).collect();
    let (page, limit) = (call.query_number("page", 0, u32::MAX), call.query_number("limit", 50, 1000));
    let start = (page as usize).saturating_mul(limit as usize);
    let numbers: Vec<&Value> = all.iter().skip(start).take(limit as usize).collect();
    let body = json!({ "numberCount": all.len(), "numbers": numbers });
    Ok(ApiReply::json(200, &body).assumed(Assumption::InfobipNumbers))
}

/// The numbers of a campaign, by their keys or as digits, in E.164. What is not owned is an error.
fn numbers_of(call: &ApiCall<'_>, body: &Value) -> Result<Vec<String>> {
    let texts = |name: &str| body[name].as_array().into_iter().flatten().filter_map(Value::as_str);
    let named = texts("numberKeys").map(str::to_owned).chain(texts("numbers").map(e164));
    let mut numbers = Vec::new();
    for name in named {
        let Some(owned) = call.owned(ACCOUNT, &name)? else {
            return invalid_field("numberKeys", "The account has no such number.")
                .refused(Assumption::InfobipDuplicate);
        };
        numbers.push(owned.number);
    }
    Ok(numbers)
}

fn create(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    call.judged(KindRole::Submit, &body, invalid)?;
    if let Some(reference) = body["referenceId"].as_str() {
        let all = call.tables.filings(NAME, ACCOUNT, u32::MAX)?;
        if all.iter().any(|it| it.body["referenceId"] == json!(reference)) {
            return invalid_field("referenceId", "The reference must be unique.").refuse();
        }
    }
    let numbers = numbers_of(call, &body)?;
    let first = numbers.first().map(String::as_str).unwrap_or_default();
    let id = ids::uuid(&[NAME, first, &call.tables.next_filing(NAME, first)?]);
    Ok(ApiReply::json(201, &record(call, &call.draft(&id, &numbers, &body)?)?))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = call.tables.filing(NAME, call.param("id"))?;
    filing.ok_or_else(|| refusal(404, "The campaign does not exist.", &[]).into())
}

/// The campaign, if it is a draft or was rejected.
fn editable(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = stored(call)?;
    match filing.state {
        FilingState::Draft | FilingState::Rejected => Ok(filing),
        FilingState::Open | FilingState::Approved => {
            refusal(400, "The stage of the campaign does not allow this.", &[])
                .refused(Assumption::InfobipStages)
        }
    }
}

fn register(call: &ApiCall<'_>) -> Handled {
    let filing = editable(call)?;
    for number in call.tables.numbers_of(&filing)? {
        if call.is_in_review(&number)? {
            return invalid_field("numberKeys", "Another campaign of the number is in review.")
                .refused(Assumption::InfobipDuplicate);
        }
    }
    let judged = call.judge(KindRole::Submit, &filing.body);
    call.refile(&filing, &filing.body, judged)?;
    Ok(ApiReply::empty(202))
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let reply = ApiReply::json(200, &record(call, &filing)?).assumed(Assumption::InfobipStages);
    let has_reasons = !filing.reasons.is_empty();
    Ok(if has_reasons { reply.assumed(Assumption::InfobipReasons) } else { reply })
}

fn list(call: &ApiCall<'_>) -> Handled {
    let mut all = match call.query("number") {
        Some(number) => call.tables.filings_of(NAME, &e164(&number))?,
        None => call.tables.filings(NAME, ACCOUNT, u32::MAX)?,
    };
    if let Some(wanted) = call.query("stage") {
        all.retain(|it| stage(it) == wanted);
    }
    for name in ["referenceId", "type"] {
        if let Some(wanted) = call.query(name) {
            all.retain(|it| it.body[name] == json!(wanted));
        }
    }
    if let Some(wanted) = call.query("nameLike") {
        all.retain(|record| record.body["name"].as_str().is_some_and(|name| name.contains(&wanted)));
    }
    let (page, size) = (call.query_number("page", 0, u32::MAX), call.query_number("size", 20, 100).max(1));
    let start = (page as usize).saturating_mul(size as usize);
    let shown = all.iter().skip(start).take(size as usize);
    let results: Vec<Value> = shown.map(|it| record(call, it)).collect::<Result<_, _>>()?;
    let paging = json!({
        "page": page, "size": size, "totalPages": all.len().div_ceil(size as usize), "totalResults": all.len(),
    });
    Ok(ApiReply::json(200, &json!({ "results": results, "paging": paging }))
        .assumed(Assumption::InfobipStages))
}

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = editable(call)?;
    let body = Value::Object(call.object()?);
    call.judged(KindRole::Submit, &body, invalid)?;
    if numbers_of(call, &body)? != call.tables.numbers_of(&filing)? {
        return invalid_field("numberKeys", "The numbers of a campaign cannot be changed.")
            .refused(Assumption::InfobipDuplicate);
    }
    call.tables.amend(&filing, &body)?;
    Ok(ApiReply::json(200, &record(call, &stored(call)?)?))
}

fn delete(call: &ApiCall<'_>) -> Handled {
    call.tables.delete(&editable(call)?)?;
    Ok(ApiReply::empty(204))
}

fn stage(filing: &Filing) -> &'static str {
    match filing.state {
        FilingState::Draft => "DRAFT",
        FilingState::Open => "SUBMITTED_FOR_REVIEW",
        FilingState::Approved => "REGISTERED",
        FilingState::Rejected => "REJECTED",
    }
}

/// A campaign: its numbers by their keys, whether they were given so or not.
fn record(call: &ApiCall<'_>, filing: &Filing) -> Result<Value> {
    let mut record = json!({ "id": filing.id });
    for (name, value) in filing.body.as_object().into_iter().flatten() {
        if name != "numbers" {
            record[name] = value.clone();
        }
    }
    let numbers = call.tables.numbers_of(filing)?;
    record["numberKeys"] = numbers.iter().map(|it| key(it)).collect();
    record["numberPreviews"] = numbers
        .iter()
        .map(|phone| json!({ "numberKey": key(phone), "number": &phone[1..], "countryCode": "UF" }))
        .collect();
    record["stage"] = json!(stage(filing));
    let changes = call.tables.changes(filing)?;
    let sent = changes.iter().rev().find(|(state, _)| *state == FilingState::Open);
    record["priority"] = json!({ "priorityId": null, "submittedDate": sent.map(|(_, at)| stamp(*at, 0)) });
    record["campaignFeedback"] = Value::Null;
    if filing.state == FilingState::Rejected {
        let titles: Vec<&str> = filing.reasons.iter().map(|it| it.title.as_str()).collect();
        record["campaignFeedback"] = json!({
            "rejectionReasons": titles, "rejectionDetails": rejection_details(filing),
            "rejectionDate": filing.decided_at.map(|at| stamp(at, 0)),
        });
    }
    record["createdDate"] = json!(stamp(filing.created_at, 0));
    record["lastModifiedDate"] = json!(stamp(filing.updated_at, 0));
    Ok(record)
}

fn rejection_details(filing: &Filing) -> Value {
    let detail = |it: &ReviewReason| json!({ "errorCode": it.code, "description": it.title, "recommendedAction": it.message });
    filing.reasons.iter().map(detail).collect()
}

pub(super) fn event(review: &EndedReview, _: &[String]) -> EventBody {
    let filing = &review.filing;
    let mut content = json!({ "campaignId": filing.id, "campaignStatus": stage(filing) });
    if filing.state == FilingState::Rejected {
        content["rejectionReasons"] = json!(titles(review));
        content["rejectionDetails"] = rejection_details(filing);
    }
    let received_at = stamp(filing.updated_at, 3);
    EventBody::Json(json!({
        "results": [{ "event": "CAMPAIGN_STATUS_UPDATE", "receivedAt": received_at, "content": content }],
    }))
}
