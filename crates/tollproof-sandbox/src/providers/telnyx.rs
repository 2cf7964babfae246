//! Telnyx: api.telnyx.com/v2 with JSON and Bearer.

use jiff::SignedDuration;
use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::events::{EventBody, WebhookReceiver, event_id};
use super::{merge, route, stamp, token};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::review::FieldProblem;
use crate::store::{EndedReview, Filing, FilingState, OwnedNumber, StateTables};
use crate::webhook::telnyx_public_key;

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "telnyx";

/// A key has one account.
const ACCOUNT: &str = "";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search",  "GET",    "/v2/available_phone_numbers",                                    search),
        route("buy",     "POST",   "/v2/number_orders",                                              buy),
        route("orders",  "GET",    "/v2/number_orders",                                              orders),
        route("order",   "GET",    "/v2/number_orders/{id}",                                         order),
        route("submit",  "POST",   "/v2/messaging_tollfree/verification/requests",                   submit).takes(KindRole::Submit),
        route("fetch",   "GET",    "/v2/messaging_tollfree/verification/requests/{id}",              fetch),
        route("history", "GET",    "/v2/messaging_tollfree/verification/requests/{id}/status_history", history),
        route("list",    "GET",    "/v2/messaging_tollfree/verification/requests",                   list),
        route("update",  "PATCH",  "/v2/messaging_tollfree/verification/requests/{id}",              update).takes(KindRole::Update),
        route("delete",  "DELETE", "/v2/messaging_tollfree/verification/requests/{id}",              delete),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    token(&received.headers, "Bearer").map(str::to_owned)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base}/v2 (TELNYX_BASE_URL)") },
        AccessRow { label: "key", value: format!("{key} (TELNYX_API_KEY)") },
        AccessRow { label: "webhooks", value: format!("{} (TELNYX_PUBLIC_KEY)", telnyx_public_key(key)) },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let (code, title) = match error {
        ApiError::Credentials => ("10009", "Authentication failed"),
        ApiError::UnknownPath => ("10005", "Resource not found"),
        ApiError::TooMany => ("10011", "Too many requests"),
        ApiError::Server => ("10007", "Unexpected error"),
        ApiError::BadBody(_) | ApiError::TooLarge | ApiError::TooSlow => ("10015", "Bad Request"),
    };
    let body = json!({ "errors": [{ "code": code, "title": title, "detail": error.message() }] });
    ApiReply::json(error.status(), &body).assumed(Assumption::TelnyxErrors)
}

fn invalid(problems: &[FieldProblem]) -> ApiReply {
    let errors = problems.iter().map(|problem| {
        json!({
            "code": "10015", "title": "Validation Failed", "detail": problem.message,
            "source": { "pointer": problem.pointer },
        })
    });
    ApiReply::json(400, &json!({ "errors": errors.collect::<Vec<_>>() })).assumed(Assumption::TelnyxErrors)
}

fn invalid_field(pointer: &str, message: &str) -> ApiReply {
    invalid(&[FieldProblem { pointer: pointer.to_owned(), message: message.to_owned() }])
}

fn search(call: &ApiCall<'_>) -> Handled {
    let area =
        call.query("filter[national_destination_code]").map(|it| format!("+1{it}")).unwrap_or_default();
    let limit = call.query_number("filter[limit]", 100, 250);
    let found = call.tables.available(NAME, limit, |it| it.starts_with(&area))?;
    let data = found.iter().map(|number| {
        json!({
            "record_type": "available_phone_number", "phone_number": number,
            "features": [{ "name": "sms" }, { "name": "voice" }],
            "cost_information": { "upfront_cost": "1.00", "monthly_cost": "1.00", "currency": "USD" },
            "region_information": [], "quickship": true, "reservable": true, "best_effort": false,
        })
    });
    let data: Vec<Value> = data.collect();
    let meta = json!({ "total_results": data.len(), "best_effort_results": 0 });
    Ok(ApiReply::json(200, &json!({ "data": data, "meta": meta })))
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let numbers = strings(&body["phone_numbers"], "phone_number");
    if numbers.is_empty() {
        return invalid_field("/phone_numbers", "phone_numbers must name at least one number").refuse();
    }
    let order = ids::uuid(&[NAME, "order", &numbers.join(" ")]);
    for number in &numbers {
        if !call.tables.buy(NAME, ACCOUNT, number, &ids::uuid(&[NAME, number]))? {
            return invalid_field("/phone_numbers", "The number is not available.")
                .refused(Assumption::TelnyxOrders);
        }
    }
    let phone_numbers: Vec<Value> = numbers
        .iter()
        .map(
            |number| json!({ "id": ids::uuid(&[NAME, number]), "phone_number": number, "status": "success" }),
        )
        .collect();
    let record = json!({
        "id": order, "record_type": "number_order", "status": "success", "phone_numbers": phone_numbers,
        "phone_numbers_count": numbers.len(), "requirements_met": true,
        "customer_reference": body["customer_reference"], "messaging_profile_id": body["messaging_profile_id"],
        "created_at": stamp(call.tables.now, 3), "updated_at": stamp(call.tables.now, 3),
    });
    call.tables.set(&format!("telnyx-order:{order}"), &record.to_string())?;
    Ok(ApiReply::json(200, &json!({ "data": record })).assumed(Assumption::TelnyxOrders))
}

/// All orders, newest first.
fn all_orders(call: &ApiCall<'_>) -> Result<Vec<Value>> {
    let all = call.tables.settings("telnyx-order:")?;
    let mut all: Vec<Value> = all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    all.sort_by(|a, b| b["created_at"].as_str().cmp(&a["created_at"].as_str()));
    Ok(all)
}

fn orders(call: &ApiCall<'_>) -> Handled {
    let mut data = all_orders(call)?;
    if let Some(wanted) = call.query("filter[customer_reference]") {
        data.retain(|it| it["customer_reference"] == json!(wanted));
    }
    let (page, size) =
        (call.query_number("page[number]", 1, u32::MAX), call.query_number("page[size]", 20, 250));
    let (start, total) = ((page as usize).saturating_sub(1).saturating_mul(size as usize), data.len());
    let pages = total.div_ceil(size.max(1) as usize);
    let data: Vec<Value> = data.into_iter().skip(start).take(size as usize).collect();
    let meta =
        json!({ "total_results": total, "page_number": page, "page_size": data.len(), "total_pages": pages });
    Ok(ApiReply::json(200, &json!({ "data": data, "meta": meta })))
}

fn order(call: &ApiCall<'_>) -> Handled {
    let found = all_orders(call)?.into_iter().find(|order| order["id"] == json!(call.param("id")));
    let found = found.ok_or_else(|| call.error(ApiError::UnknownPath))?;
    Ok(ApiReply::json(200, &json!({ "data": found })))
}

/// The strings under a name in a list of objects.
fn strings(list: &Value, name: &str) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| item[name].as_str().map(str::to_owned)).collect()
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let judged = call.judged(KindRole::Submit, &body, invalid)?;
    let refused = |why: &str| invalid_field("/phoneNumbers", why).assumed(Assumption::TelnyxDuplicate);
    let numbers = strings(&body["phoneNumbers"], "phoneNumber");
    for number in &numbers {
        let owned: Option<OwnedNumber> = call.owned(ACCOUNT, number)?;
        if owned.is_none() {
            return refused("The account has no such number.").refuse();
        }
        if call.is_in_review(number)? {
            return refused("The number has a request that is not finished.").refuse();
        }
    }
    let first = numbers.first().map(String::as_str).unwrap_or_default();
    let id = ids::uuid(&[NAME, first, &call.tables.next_filing(NAME, first)?]);
    let filing = call.file(ACCOUNT, &id, &numbers, &body, judged)?;
    Ok(ApiReply::json(200, &record(&filing)))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = call.tables.filing(NAME, call.param("id"))?;
    filing.ok_or_else(|| call.error(ApiError::UnknownPath).into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    Ok(answer_with(&stored(call)?))
}

fn answer_with(filing: &Filing) -> ApiReply {
    let reply = ApiReply::json(200, &record(filing));
    if filing.reasons.len() > 1 { reply.assumed(Assumption::TelnyxReasons) } else { reply }
}

fn history(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let changes = call.tables.changes(&filing)?;
    let records: Vec<Value> = changes
        .iter()
        .rev()
        .map(|(state, at)| {
            let reason = (*state == FilingState::Rejected).then(|| reason(&filing)).flatten();
            json!({ "verificationStatus": status(*state), "reason": reason, "updatedAt": stamp(*at, 3) })
        })
        .collect();
    let total = records.len();
    Ok(ApiReply::json(200, &json!({ "records": records, "total_records": total })))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let (Some(page), Some(size)) = (call.query("page"), call.query("page_size")) else {
        return invalid_field("/page", "page and page_size are required").refuse();
    };
    let (Ok(page), Ok(size)) = (page.parse::<usize>(), size.parse::<usize>()) else {
        return invalid_field("/page", "page and page_size must be numbers").refuse();
    };
    let mut all = match call.query("phone_number") {
        Some(number) => call.tables.filings_of(NAME, &number)?,
        None => call.tables.filings(NAME, ACCOUNT, u32::MAX)?,
    };
    if let Some(wanted) = call.query("status") {
        all.retain(|it| status(it.state) == wanted);
    }
    if let Some(wanted) = call.query("business_name") {
        all.retain(|it| it.body["businessName"] == json!(wanted));
    }
    let size = size.clamp(1, 100);
    let shown = all.iter().skip(page.saturating_sub(1).saturating_mul(size)).take(size);
    let records: Vec<Value> = shown.map(record).collect();
    Ok(ApiReply::json(200, &json!({ "records": records, "total_records": all.len() })))
}

/// The time to change a rejected request.
const DEADLINE: SignedDuration = SignedDuration::from_hours(7 * 24);

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let body = Value::Object(call.object()?);
    let judged = call.judged(KindRole::Update, &body, invalid)?;
    if strings(&body["phoneNumbers"], "phoneNumber") != strings(&filing.body["phoneNumbers"], "phoneNumber") {
        return invalid_field("/phoneNumbers", "The numbers of a request cannot be changed.")
            .refused(Assumption::TelnyxUpdates);
    }
    if filing.state == FilingState::Approved || call.is_rejected_since(&filing, DEADLINE) {
        return invalid_field("", "The request cannot be changed any more.")
            .refused(Assumption::TelnyxUpdates);
    }
    Ok(answer_with(&call.refile(&filing, &body, judged)?).assumed(Assumption::TelnyxUpdates))
}

fn delete(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    if filing.state != FilingState::Rejected {
        return invalid_field("", "Only a rejected request can be deleted.").refuse();
    }
    call.tables.delete(&filing)?;
    Ok(ApiReply::empty(200))
}

fn status(state: FilingState) -> &'static str {
    match state {
        FilingState::Draft | FilingState::Open => "In Progress",
        FilingState::Approved => "Verified",
        FilingState::Rejected => "Rejected",
    }
}

fn reason(filing: &Filing) -> Option<String> {
    filing.reasons.first().map(|it| it.title.clone())
}

fn record(filing: &Filing) -> Value {
    let mut record = json!({ "id": filing.id, "verificationRequestId": filing.id });
    merge(&mut record, &filing.body);
    record["verificationStatus"] = json!(status(filing.state));
    record["reason"] = json!(reason(filing));
    record["createdAt"] = json!(stamp(filing.created_at, 3));
    record["updatedAt"] = json!(stamp(filing.updated_at, 3));
    record
}

pub(super) fn receivers(_: &StateTables<'_>, review: &EndedReview) -> rusqlite::Result<Vec<WebhookReceiver>> {
    let url = review.filing.body["webhookUrl"].as_str().filter(|it| !it.is_empty());
    Ok(url
        .map(|url| WebhookReceiver { url: url.to_owned(), ..WebhookReceiver::default() })
        .into_iter()
        .collect())
}

pub(super) fn event(review: &EndedReview, _: &[String]) -> EventBody {
    let filing = &review.filing;
    let mut payload = json!({ "id": filing.id, "status": status(filing.state).to_lowercase() });
    if let Some(reason) = reason(filing) {
        payload["rejectionReason"] = json!(reason);
    }
    EventBody::Json(json!({
        "data": {
            "event_type": "toll_free_verification.status_update", "id": event_id(review),
            "occurred_at": stamp(filing.updated_at, 6), "payload": payload, "record_type": "event",
        },
        "meta": { "attempt": 1 },
    }))
}
