//! Bird, the generation of the document: api.bird.com with `AccessKey`.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use tollproof_core::KindRole;

use super::events::{self, EventBody, WebhookReceiver, titles};
use super::{route, stamp, token};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::review::FieldProblem;
use crate::store::{EndedReview, Filing, FilingState, OwnedNumber, StateTables};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "bird";

/// The path of verifications if nothing else is said.
const PATH: &str = "/workspaces/{workspaceId}/toll-free-verifications";

/// Whether this can be the path of verifications: segments, of which one may be the workspace.
pub(crate) fn is_path(path: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_segment =
        |segment: &str| segment == "{workspaceId}" || !segment.is_empty() && segment.bytes().all(is_letter);
    path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(is_segment))
}

#[rustfmt::skip]
fn routes(options: &SandboxOptions) -> Vec<ApiRoute> {
    let all = options.bird_path.as_deref().unwrap_or(PATH).to_owned();
    let one = format!("{all}/{{id}}");
    vec![
        route("search",      "GET",   "/workspaces/{workspaceId}/numbers-available",             search),
        route("buy",         "POST",  "/workspaces/{workspaceId}/numbers",                       buy).takes(KindRole::Purchase),
        route("numbers",     "GET",   "/workspaces/{workspaceId}/numbers",                       numbers),
        route("submit",      "POST",  all.clone(),                                               submit).takes(KindRole::Submit),
        route("list",        "GET",   all.clone(),                                               list),
        route("fetch",       "GET",   one.clone(),                                               fetch),
        route("update",      "PUT",   one.clone(),                                               update).takes(KindRole::Update),
        route("update",      "PATCH", one.clone(),                                               update).takes(KindRole::Update),
        route("update",      "POST",  one,                                                       update).takes(KindRole::Update),
        route("alphas",      "GET",   "/workspaces/{workspaceId}/numbers-alpha",                 alphas),
        route("alphas",      "GET",   "/workspaces/{workspaceId}/numbers-alpha/",                alphas),
        route("alpha",       "GET",   "/workspaces/{workspaceId}/numbers-alpha/{id}",            alpha),
        route("long codes",  "GET",   "/workspaces/{workspaceId}/numbers-long-code",             long_codes),
        route("long codes",  "GET",   "/workspaces/{workspaceId}/numbers-long-code/",            long_codes),
        route("long code",   "GET",   "/workspaces/{workspaceId}/numbers-long-code/{id}",        long_code),
        route("short codes", "GET",   "/workspaces/{workspaceId}/numbers-short-code",            short_codes),
        route("short codes", "GET",   "/workspaces/{workspaceId}/numbers-short-code/",           short_codes),
        route("short code",  "GET",   "/workspaces/{workspaceId}/numbers-short-code/{id}",       short_code),
        route("subscribe",   "POST",  "/organizations/{organizationId}/workspaces/{workspaceId}/webhook-subscriptions", subscribe),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    token(&received.headers, "AccessKey").or(token(&received.headers, "Bearer")).map(str::to_owned)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: base.to_owned() },
        AccessRow { label: "header", value: format!("Authorization: AccessKey {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let code = match error {
        ApiError::BadBody(_) => "InvalidBody",
        ApiError::Credentials => "Unauthorized",
        ApiError::UnknownPath => "NotFound",
        ApiError::TooLarge => "TooLarge",
        ApiError::TooSlow => "Timeout",
        ApiError::TooMany => "TooManyRequests",
        ApiError::Server => "InternalError",
    };
    let assumption = match error {
        ApiError::Credentials => Assumption::BirdCredentials,
        _ => Assumption::BirdErrors,
    };
    refusal(error.status(), code, error.message()).assumed(assumption)
}

fn refusal(status: u16, code: &str, message: &str) -> ApiReply {
    ApiReply::json(status, &json!({ "code": code, "message": message }))
}

/// 422 with the texts of each field.
fn invalid(problems: &[FieldProblem]) -> ApiReply {
    let mut details = Map::new();
    for problem in problems {
        let texts = details.entry(problem.field()).or_insert_with(|| json!([]));
        texts.as_array_mut().expect("it was made as a list").push(json!(problem.message));
    }
    let body = json!({ "code": "InvalidRequest", "message": "The request is invalid.", "details": details });
    ApiReply::json(422, &body).assumed(Assumption::BirdErrors)
}

/// The same of a submission or an update, whose paths are assumed.
fn invalid_draft(problems: &[FieldProblem]) -> ApiReply {
    invalid(problems).assumed(Assumption::BirdPaths)
}

fn invalid_field(field: &str, message: &str) -> ApiReply {
    invalid(&[FieldProblem { pointer: format!("/{field}"), message: message.to_owned() }])
}

fn not_found(what: &str) -> ApiReply {
    refusal(404, "NotFound", &format!("The {what} does not exist.")).assumed(Assumption::BirdErrors)
}

/// The most entries of a list, and how many it has if the query does not say.
const MAX_LIMIT: u32 = 99;
const LIMIT: u32 = 10;

fn search(call: &ApiCall<'_>) -> Handled {
    let mut query = Map::new();
    for (name, value) in form_urlencoded::parse(call.received.query.as_bytes()) {
        let value = value.parse::<u64>().map_or_else(|_| json!(value), |number| json!(number));
        query.insert(name.into_owned(), value);
    }
    call.judged(KindRole::Search, &Value::Object(query), invalid)?;
    let is_toll_free = call.query("type").is_none_or(|it| it == "tollfree");
    let limit = if is_toll_free { call.query_number("limit", LIMIT, MAX_LIMIT) } else { 0 };
    let country = if call.query("country").is_some_and(|it| it == "Canada") { "CA" } else { "US" };
    let found = call.tables.available(NAME, limit, |_| true)?;
    let results: Vec<Value> = found.iter().map(|number| offer(number, country)).collect();
    let body = json!({ "results": results, "nextPageToken": null });
    Ok(ApiReply::json(200, &body).assumed(Assumption::BirdSearch))
}

/// A number's monthly price, in cents.
const PRICE: i64 = 200;

fn price() -> Value {
    json!({ "currencyCode": "USD", "amount": PRICE, "exponent": 2 })
}

fn capabilities() -> Value {
    let both = json!({ "inbound": true, "outbound": true });
    let none = json!({ "inbound": false, "outbound": false });
    json!({ "sms": both, "voice": both, "mms": none, "fax": none })
}

fn offer(number: &str, country: &str) -> Value {
    json!({
        "number": number, "country": country, "type": "tollfree", "capabilities": capabilities(),
        "monthlyRecurringPrice": price(), "complianceRequirements": [],
    })
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    call.judged(KindRole::Purchase, &body, invalid)?;
    let workspace = call.param("workspaceId");
    let mut results = Vec::new();
    for wanted in body["numbers"].as_array().into_iter().flatten() {
        let number = wanted["number"].as_str().unwrap_or_default();
        let left = call.tables.wallet(NAME)? - PRICE;
        if left < 0 {
            return refusal(422, "InsufficientBalance", "The balance of the wallet is too low.")
                .refused(Assumption::BirdRefusedPurchase);
        }
        if !call.tables.buy(NAME, workspace, number, &ids::uuid(&[NAME, number]))? {
            return invalid_field("numbers", "The number is not available.")
                .refused(Assumption::BirdRefusedPurchase);
        }
        call.tables.set_wallet(NAME, left)?;
        let owned = call.tables.owned(NAME, number)?;
        results.extend(owned.iter().map(|it| own_number(it, &wanted["country"])));
    }
    Ok(ApiReply::json(201, &json!({ "results": results })).assumed(Assumption::BirdPurchase))
}

fn own_number(owned: &OwnedNumber, country: &Value) -> Value {
    let at = stamp(owned.created_at, 3);
    json!({
        "id": owned.id, "number": owned.number, "country": country, "type": "tollfree",
        "capabilities": capabilities(), "monthlyRecurringPrice": price(), "createdAt": at, "updatedAt": at,
    })
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let owned = call.tables.all_owned(NAME, call.param("workspaceId"))?;
    let wanted = call.query("numberString");
    let owned = owned.iter().filter(|owned| wanted.as_ref().is_none_or(|wanted| *wanted == owned.number));
    let results: Vec<Value> = owned.map(|owned| own_number(owned, &json!("US"))).collect();
    Ok(ApiReply::json(200, &json!({ "results": results })).assumed(Assumption::BirdSenders))
}

/// Fields of a submission that are not business data.
const NOT_BUSINESS: [&str; 4] = ["organizationId", "workspaceId", "phoneNumbers", "testMode"];

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let judged = call.judged(KindRole::Submit, &body, invalid_draft)?;
    let workspace = call.param("workspaceId");
    let refused = |why: &str| invalid_field("phoneNumbers", why).assumed(Assumption::BirdDuplicate);
    let owned = call.owned(workspace, body["phoneNumbers"][0].as_str().unwrap_or_default())?;
    let Some(owned) = owned else {
        return refused("The workspace has no number with this id.").refuse();
    };
    if call.is_in_review(&owned.number)? {
        return refused("The number was submitted already, and the review has not ended.").refuse();
    }
    let id = ids::uuid(&[NAME, &owned.number, &call.tables.next_filing(NAME, &owned.number)?]);
    call.file(workspace, &id, &[owned.number], &body, judged)?;
    Ok(ApiReply::json(201, &body).assumed(Assumption::BirdPaths))
}

fn list(call: &ApiCall<'_>) -> Handled {
    let workspace = call.param("workspaceId");
    let mut filings = match call.query("phoneNumber") {
        Some(id) => {
            let owned = call.owned(workspace, &id)?;
            owned.map(|it| call.tables.filings_of(NAME, &it.number)).transpose()?.unwrap_or_default()
        }
        None => call.tables.filings(NAME, workspace, u32::MAX)?,
    };
    let (limit, start) =
        (call.query_number("limit", LIMIT, MAX_LIMIT).max(1), call.query_number("pageToken", 0, u32::MAX));
    let next = start.saturating_add(limit);
    let next = (filings.len() > next as usize).then(|| next.to_string());
    filings.drain(..filings.len().min(start as usize));
    let results: Vec<Value> = filings.iter().take(limit as usize).map(record).collect();
    let body = json!({ "results": results, "nextPageToken": next });
    Ok(ApiReply::json(200, &body).assumed(Assumption::BirdList))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = call.tables.filing(NAME, call.param("id"))?;
    let filing = filing.filter(|it| it.account == call.param("workspaceId"));
    filing.ok_or_else(|| not_found("verification").assumed(Assumption::BirdPaths).into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    Ok(answer_with(&stored(call)?))
}

/// The time to update a rejected submission.
const DEADLINE: SignedDuration = SignedDuration::from_hours(7 * 24);

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let body = Value::Object(call.object()?);
    let judged = call.judged(KindRole::Update, &body, invalid_draft)?;
    let refused = match filing.state {
        FilingState::Approved => Some("The verification ended as Verified."),
        FilingState::Rejected if call.is_rejected_since(&filing, DEADLINE) => {
            Some("The 7 days for an update are over.")
        }
        FilingState::Draft | FilingState::Open | FilingState::Rejected => None,
    };
    if let Some(why) = refused {
        return refusal(422, "UpdateNotAllowed", why).refused(Assumption::BirdUpdates);
    }
    let mut body = body;
    for name in NOT_BUSINESS {
        if body.get(name).is_none() && filing.body.get(name).is_some() {
            body[name] = filing.body[name].clone();
        }
    }
    Ok(answer_with(&call.refile(&filing, &body, judged)?))
}

fn answer_with(filing: &Filing) -> ApiReply {
    let reply = ApiReply::json(200, &record(filing)).assumed(Assumption::BirdPaths);
    let reply = reply.assumed(Assumption::BirdStatuses);
    if filing.state == FilingState::Rejected { reply.assumed(Assumption::BirdReasons) } else { reply }
}

fn record(filing: &Filing) -> Value {
    let status = match filing.state {
        FilingState::Draft | FilingState::Open => "submitted",
        FilingState::Approved => "Verified",
        FilingState::Rejected => "Rejected",
    };
    let mut data = filing.body.clone();
    if let Some(fields) = data.as_object_mut() {
        fields.retain(|name, _| !NOT_BUSINESS.contains(&name.as_str()));
    }
    let mut record = json!({ "id": filing.id });
    let given = |name: &str| filing.body.get(name).filter(|it| !it.is_null());
    let mut copy = |name: &str| {
        if let Some(value) = given(name) {
            record[name] = value.clone();
        }
    };
    copy("organizationId");
    copy("workspaceId");
    copy("phoneNumbers");
    copy("testMode");
    record["verificationRequestId"] = json!(format!("sandbox-{}", &filing.id[..8]));
    record["verificationRequestData"] = data;
    record["status"] = json!(status);
    record["statusMessage"] = status_message(filing);
    record["createdAt"] = json!(stamp(filing.created_at, 3));
    record["updatedAt"] = json!(stamp(filing.updated_at, 3));
    record
}

fn status_message(filing: &Filing) -> Value {
    let titles: Vec<&str> = filing.reasons.iter().map(|it| it.title.as_str()).collect();
    let code = filing.reasons.iter().map(|it| it.code.as_str()).find(|it| !it.is_empty());
    let may_resubmit = if filing.state == FilingState::Rejected { "true" } else { "" };
    json!({
        "StatusCode": code.unwrap_or_default(), "DeclineReasonDescription": titles.join("; "),
        "ResubmitAllowed": may_resubmit, "Message": "",
    })
}

/// The names for a subscription to get the events of verifications.
const SERVICE: &str = "numbers";
const EVENT: &str = "tfn.verification";

fn subscribe(call: &ApiCall<'_>) -> Handled {
    let mut body = Value::Object(call.object()?);
    for name in ["service", "event", "url"] {
        if !body[name].is_string() {
            return invalid_field(name, "This field is required.").refused(Assumption::BirdEvents);
        }
    }
    let id = events::subscribe(&call.tables, NAME, call.param("workspaceId"), &body)?;
    body["id"] = json!(id);
    Ok(ApiReply::json(201, &body).assumed(Assumption::BirdEvents))
}

pub(super) fn receivers(
    tables: &StateTables<'_>,
    review: &EndedReview,
) -> rusqlite::Result<Vec<WebhookReceiver>> {
    let all = events::subscriptions(tables, NAME, &review.filing.account)?;
    let for_reviews = all
        .iter()
        .filter(|subscription| subscription["service"] == SERVICE && subscription["event"] == EVENT);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let receiver = |subscription: &Value| WebhookReceiver {
        url: text(&subscription["url"]),
        secret: Some(text(&subscription["signingKey"])),
        ..WebhookReceiver::default()
    };
    Ok(for_reviews.map(receiver).collect())
}

/// Numbers are E.164 here and ids in the record; the names in `statusMessage` begin with small letters.
pub(super) fn event(review: &EndedReview, numbers: &[String]) -> EventBody {
    let filing = &review.filing;
    let record = record(filing);
    let given = |name: &str| filing.body[name].as_str();
    let is_rejected = filing.state == FilingState::Rejected;
    let mut event = json!({
        "id": filing.id, "organizationId": given("organizationId"),
        "workspaceId": given("workspaceId").unwrap_or(&filing.account), "phoneNumbers": numbers,
        "verificationRequestId": record["verificationRequestId"],
        "status": if is_rejected { "rejected" } else { "verified" },
    });
    if is_rejected {
        let message = &record["statusMessage"];
        event["statusMessage"] = json!({
            "statusCode": message["StatusCode"], "declineReasonDescription": titles(review),
            "resubmitAllowed": message["ResubmitAllowed"], "message": message["Message"],
        });
    }
    event["testMode"] = json!(filing.body["testMode"].as_bool().unwrap_or_default());
    event["createdAt"] = json!(stamp(filing.created_at, 0));
    event["updatedAt"] = json!(stamp(filing.updated_at, 0));
    EventBody::Json(event)
}

/// The alphanumeric sender and the short code that every workspace has.
const ALPHA: &str = "5f1c8f0e-7a7b-4d55-9c1e-2b8a6a9d0c01";
const SHORT_CODE: &str = "5f1c8f0e-7a7b-4d55-9c1e-2b8a6a9d0c02";
const SENDERS_SINCE: &str = "2026-01-05T09:00:00.000Z";

fn alpha_sender() -> Value {
    json!({
        "id": ALPHA, "endpointId": ALPHA, "alphaString": "SANDBOX",
        "order": { "countryCodes": ["GB"], "status": "completed" }, "endpoint": null,
        "createdAt": SENDERS_SINCE, "updatedAt": SENDERS_SINCE,
    })
}

fn short_code_sender() -> Value {
    json!({
        "id": SHORT_CODE, "numberString": "555000", "countryCode": "US", "type": "short-code",
        "createdAt": SENDERS_SINCE, "updatedAt": SENDERS_SINCE,
    })
}

fn long_code_sender(owned: &OwnedNumber) -> Value {
    let at = stamp(owned.created_at, 3);
    json!({
        "id": owned.id, "numberString": owned.number, "countryCode": "US", "type": "toll-free",
        "capabilities": capabilities(), "endpoint": null, "createdAt": at, "updatedAt": at,
    })
}

fn senders(results: &[Value]) -> Handled {
    Ok(ApiReply::json(200, &json!({ "results": results })).assumed(Assumption::BirdSenders))
}

fn sender(found: Option<Value>) -> Handled {
    let found = found.ok_or_else(|| not_found("sender"))?;
    Ok(ApiReply::json(200, &found).assumed(Assumption::BirdSenders))
}

fn alphas(_: &ApiCall<'_>) -> Handled {
    senders(&[alpha_sender()])
}

fn alpha(call: &ApiCall<'_>) -> Handled {
    sender((call.param("id") == ALPHA).then(alpha_sender))
}

fn short_codes(_: &ApiCall<'_>) -> Handled {
    senders(&[short_code_sender()])
}

fn short_code(call: &ApiCall<'_>) -> Handled {
    sender((call.param("id") == SHORT_CODE).then(short_code_sender))
}

fn long_codes(call: &ApiCall<'_>) -> Handled {
    let owned = call.tables.all_owned(NAME, call.param("workspaceId"))?;
    senders(&owned.iter().map(long_code_sender).collect::<Vec<_>>())
}

fn long_code(call: &ApiCall<'_>) -> Handled {
    let owned = call.owned(call.param("workspaceId"), call.param("id"))?;
    sender(owned.as_ref().map(long_code_sender))
}
