//! Bandwidth: api.bandwidth.com/api/v2, JSON for verifications and XML for numbers, with Basic or a token.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use tollproof_core::KindRole;

use super::events::{self, EventBody, WebhookReceiver};
use super::{BASE64, basic, e164, route, stamp, token};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::review::FieldProblem;
use crate::store::{EndedReview, Filing, FilingState, StateTables};
use base64::Engine as _;

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "bandwidth";

#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    const ONE: &str = "/api/v2/accounts/{accountId}/phoneNumbers/{phoneNumber}/tollFreeVerification";
    const HOOKS: &str = "/api/v2/accounts/{accountId}/tollFreeVerification/webhooks/subscriptions";
    const HOOK: &str = "/api/v2/accounts/{accountId}/tollFreeVerification/webhooks/subscriptions/{id}";
    vec![
        route("token",     "POST",   "/api/v1/oauth2/token",                              oauth),
        route("search",    "GET",    "/api/v2/accounts/{accountId}/availableNumbers",     search),
        route("buy",       "POST",   "/api/v2/accounts/{accountId}/orders",               buy),
        route("submit",    "POST",   "/api/v2/accounts/{accountId}/tollFreeVerification", submit).takes(KindRole::Submit),
        route("fetch",     "GET",    ONE,                                                 fetch),
        route("update",    "PUT",    ONE,                                                 update).takes(KindRole::Update),
        route("delete",    "DELETE", ONE,                                                 delete),
        route("subscriptions", "GET",  HOOKS,                                             subscriptions),
        route("subscribe", "POST",   HOOKS,                                               subscribe),
        route("resubscribe", "PUT",  HOOK,                                                resubscribe),
        route("unsubscribe", "DELETE", HOOK,                                              unsubscribe),
        route("use cases", "GET",    "/api/v2/tollFreeVerification/useCases",             use_cases),
    ]
}

/// The password, or a token that was made from it.
fn key_of(received: &Received) -> Option<String> {
    if let Some((_, password)) = basic(&received.headers) {
        return Some(password);
    }
    let mut bytes = BASE64.decode(token(&received.headers, "Bearer")?.strip_prefix(TOKEN)?).ok()?;
    bytes.reverse();
    String::from_utf8(bytes).ok()
}

/// Start of the sandbox's tokens.
const TOKEN: &str = "sandbox-token.";

/// The stated life of a token, in seconds. The sandbox accepts it longer.
const TOKEN_SECONDS: u32 = 3_600;

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base} instead of https://api.bandwidth.com") },
        AccessRow { label: "login", value: format!("any user name, or client id, with the password {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let kind = match error {
        ApiError::Credentials => "unauthorized",
        ApiError::UnknownPath => "not found",
        ApiError::TooMany => "too many requests",
        ApiError::Server => "internal server error",
        ApiError::BadBody(_) | ApiError::TooLarge | ApiError::TooSlow => "bad request",
    };
    let body = json!({ "type": kind, "description": error.message() });
    ApiReply::json(error.status(), &body).assumed(Assumption::BandwidthErrors)
}

/// 400 with the texts of each field, by its path with dots.
fn invalid(problems: &[FieldProblem]) -> ApiReply {
    let mut errors = Map::new();
    for problem in problems {
        let name = problem.pointer.trim_start_matches('/').replace('/', ".");
        let texts = errors.entry(name).or_insert_with(|| json!([]));
        texts.as_array_mut().expect("it was made as a list").push(json!(problem.message));
    }
    let body = json!({ "type": "validation", "description": "The submission is invalid.", "errors": errors });
    ApiReply::json(400, &body).assumed(Assumption::BandwidthErrors)
}

fn invalid_field(field: &str, message: &str) -> ApiReply {
    invalid(&[FieldProblem { pointer: format!("/{field}"), message: message.to_owned() }])
}

fn oauth(call: &ApiCall<'_>) -> Handled {
    let is_asked =
        call.form().iter().any(|(name, value)| name == "grant_type" && value == "client_credentials");
    if !is_asked {
        return call.error(ApiError::BadBody("grant_type must be client_credentials")).refuse();
    }
    // Not with the key as it is: a client removes that from answers.
    let mut key = key_of(call.received).unwrap_or_default().into_bytes();
    key.reverse();
    let token = format!("{TOKEN}{}", BASE64.encode(key));
    let body = json!({ "access_token": token, "token_type": "Bearer", "expires_in": TOKEN_SECONDS });
    Ok(ApiReply::json(200, &body))
}

/// An answer in XML. Its values are digits and words of ours, so that nothing has to be escaped.
fn xml(status: u16, body: &str) -> ApiReply {
    let body = format!("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>{body}");
    ApiReply::text(status, "application/xml", body).assumed(Assumption::BandwidthNumbers)
}

fn search(call: &ApiCall<'_>) -> Handled {
    let digits = |name: &str| call.query(name).map(|value| value.trim_end_matches('*').to_owned());
    let pattern = digits("tollFreeWildCardPattern").or(digits("areaCode")).unwrap_or_default();
    let start = format!("+1{pattern}");
    let limit = call.query_number("quantity", 10, 5_000);
    let found = call.tables.available(NAME, limit, |it| it.starts_with(&start))?;
    let numbers: String =
        found.iter().map(|it| format!("<TelephoneNumber>{}</TelephoneNumber>", &it[2..])).collect();
    let count = found.len();
    Ok(xml(
        200,
        &format!(
            "<SearchResult><ResultCount>{count}</ResultCount><TelephoneNumberList>{numbers}</TelephoneNumberList></SearchResult>"
        ),
    ))
}

/// The texts of all elements with a name.
fn elements<'x>(xml: &'x str, name: &str) -> Vec<&'x str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let parts = xml.split(open.as_str()).skip(1);
    parts.filter_map(|part| part.split_once(close.as_str())).map(|(text, _)| text.trim()).collect()
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let body = String::from_utf8_lossy(&call.received.body);
    let refused = |code: u32, text: &str| {
        xml(
            400,
            &format!(
                "<OrderResponse><ErrorList><Error><Code>{code}</Code><Description>{text}</Description></Error></ErrorList></OrderResponse>"
            ),
        )
    };
    if elements(&body, "SiteId").is_empty() {
        return refused(5022, "SiteId is required").refuse();
    }
    let list = elements(&body, "TelephoneNumberList").join("");
    let numbers: Vec<String> = elements(&list, "TelephoneNumber").into_iter().map(e164).collect();
    if numbers.is_empty() || elements(&body, "ExistingTelephoneNumberOrderType").is_empty() {
        return refused(500, "The order has no list of numbers").refuse();
    }
    for number in &numbers {
        if !call.tables.buy(NAME, call.param("accountId"), number, number)? {
            return refused(5005, "A number is not available").refuse();
        }
    }
    let id = ids::uuid(&[NAME, "order", &numbers.join(" ")]);
    let bought: String = numbers.iter().map(|it| format!("<FullNumber>{}</FullNumber>", &it[2..])).collect();
    Ok(xml(
        201,
        &format!(
            "<OrderResponse><Order><id>{id}</id></Order><OrderStatus>COMPLETE</OrderStatus><CompletedNumbers>\
             <TelephoneNumber>{bought}</TelephoneNumber></CompletedNumbers></OrderResponse>"
        ),
    ))
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = Value::Object(call.object()?);
    let judged = call.judged(KindRole::Submit, &body, invalid)?;
    let account = call.param("accountId");
    let refused = |why: &str| invalid_field("phoneNumbers", why).assumed(Assumption::BandwidthDuplicate);
    let numbers = body["phoneNumbers"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let numbers: Vec<&str> = numbers.collect();
    for number in &numbers {
        if call.owned(account, number)?.is_none() {
            return refused("The account has no such number.").refuse();
        }
        if !call.tables.filings_of(NAME, number)?.is_empty() {
            return refused("The number has a verification already.").refuse();
        }
    }
    let mut submission = body.clone();
    if let Some(fields) = submission.as_object_mut() {
        fields.remove("phoneNumbers");
    }
    // Each number has a verification of its own.
    for number in numbers {
        let id = ids::uuid(&[NAME, number, &call.tables.next_filing(NAME, number)?]);
        call.file(account, &id, &[number.to_owned()], &submission, judged.clone())?;
    }
    Ok(ApiReply::empty(202))
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filings = call.tables.filings_of(NAME, &e164(call.param("phoneNumber")))?;
    let filing = filings.into_iter().find(|it| it.account == call.param("accountId"));
    filing.ok_or_else(|| call.error(ApiError::UnknownPath).into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let reply = ApiReply::json(200, &record(call, &filing)?);
    let has_reasons = !filing.reasons.is_empty();
    Ok(if has_reasons { reply.assumed(Assumption::BandwidthReasons) } else { reply })
}

/// The time to send a denied submission again.
const DEADLINE: SignedDuration = SignedDuration::from_hours(7 * 24);

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let mut body = Value::Object(call.object()?);
    // The vendor's SDK has the submission in an object.
    if body["submission"].is_object() {
        body = body["submission"].take();
    }
    let judged = call.judged(KindRole::Update, &body, invalid)?;
    if filing.state != FilingState::Rejected || call.is_rejected_since(&filing, DEADLINE) {
        return invalid_field("phoneNumber", "The submission cannot be sent again.")
            .refused(Assumption::BandwidthUpdates);
    }
    call.refile(&filing, &body, judged)?;
    Ok(ApiReply::empty(202))
}

fn delete(call: &ApiCall<'_>) -> Handled {
    call.tables.delete(&stored(call)?)?;
    Ok(ApiReply::empty(204))
}

/// The use cases that the specification shows: the first ten.
const USE_CASES: [&str; 10] = [
    "2FA",
    "App Notifications",
    "Appointments",
    "Auctions",
    "Auto Repair Services",
    "Bank Transfers",
    "Billing",
    "Booking Confirmations",
    "Business Updates",
    "COVID-19 Alerts",
];

fn use_cases(_: &ApiCall<'_>) -> Handled {
    Ok(ApiReply::json(200, &json!(USE_CASES)))
}

fn status(state: FilingState) -> &'static str {
    match state {
        FilingState::Draft | FilingState::Open => "PENDING",
        FilingState::Approved => "VERIFIED",
        FilingState::Rejected => "UNVERIFIED",
    }
}

/// Reason for a denial, by the names of the fields.
fn denial(filing: &Filing, may_resubmit: bool) -> [(&'static str, Value); 4] {
    let code = |code: &str| json!(code.parse::<u32>().ok());
    let first = filing.reasons.first();
    let others: Vec<Value> = filing
        .reasons
        .iter()
        .skip(1)
        .map(
            |rejection| json!({ "statusCode": code(&rejection.code), "reason": rejection.title, "resubmitAllowed": may_resubmit }),
        )
        .collect();
    [
        ("declineReasonDescription", json!(first.map(|it| it.title.as_str()).unwrap_or_default())),
        ("denialStatusCode", first.map_or(Value::Null, |it| code(&it.code))),
        ("additionalDenialReasons", if others.is_empty() { Value::Null } else { json!(others) }),
        ("resubmitAllowed", json!(may_resubmit)),
    ]
}

fn record(call: &ApiCall<'_>, filing: &Filing) -> Result<Value> {
    let may_resubmit = filing.state == FilingState::Rejected && !call.is_rejected_since(filing, DEADLINE);
    let mut record = json!({
        "phoneNumber": call.tables.numbers_of(filing)?.first(),
        "status": status(filing.state),
        "internalTicketNumber": filing.id,
    });
    denial(filing, may_resubmit).into_iter().for_each(|(name, value)| record[name] = value);
    record["createdDateTime"] = json!(stamp(filing.created_at, 0));
    record["modifiedDateTime"] = json!(stamp(filing.updated_at, 0));
    record["submission"] = filing.body.clone();
    record["blocked"] = json!(false);
    Ok(record)
}

/// A subscription without its secrets.
fn subscription(stored: &Value) -> Value {
    json!({
        "id": stored["id"], "callbackUrl": stored["callbackUrl"], "type": "TOLLFREE_VERIFICATION_STATUS",
    })
}

/// The body of a subscription.
fn new_subscription(call: &ApiCall<'_>) -> Result<Value> {
    let body = Value::Object(call.object()?);
    if !body["callbackUrl"].is_string() {
        return invalid_field("callbackUrl", "The field is required.").refuse();
    }
    Ok(body)
}

/// The subscriptions of the account.
fn stored_subscriptions(call: &ApiCall<'_>) -> Result<Vec<Value>> {
    Ok(events::subscriptions(&call.tables, NAME, call.param("accountId"))?)
}

/// Refuses an id that no subscription of the account has.
fn check_subscription(call: &ApiCall<'_>) -> Result<()> {
    let is_there = stored_subscriptions(call)?.iter().any(|it| it["id"] == call.param("id"));
    if is_there { Ok(()) } else { Err(call.error(ApiError::UnknownPath).into()) }
}

fn subscriptions(call: &ApiCall<'_>) -> Handled {
    let all: Vec<Value> = stored_subscriptions(call)?.iter().map(subscription).collect();
    Ok(ApiReply::json(200, &json!(all)).assumed(Assumption::BandwidthEvents))
}

fn subscribe(call: &ApiCall<'_>) -> Handled {
    let mut body = new_subscription(call)?;
    body["id"] = json!(events::subscribe(&call.tables, NAME, call.param("accountId"), &body)?);
    Ok(ApiReply::json(201, &subscription(&body)).assumed(Assumption::BandwidthEvents))
}

fn resubscribe(call: &ApiCall<'_>) -> Handled {
    check_subscription(call)?;
    let mut body = new_subscription(call)?;
    body["id"] = json!(call.param("id"));
    events::resubscribe(&call.tables, NAME, call.param("accountId"), call.param("id"), &body)?;
    Ok(ApiReply::json(200, &subscription(&body)).assumed(Assumption::BandwidthEvents))
}

fn unsubscribe(call: &ApiCall<'_>) -> Handled {
    check_subscription(call)?;
    events::unsubscribe(&call.tables, NAME, call.param("accountId"), call.param("id"))?;
    Ok(ApiReply::empty(204))
}

pub(super) fn receivers(
    tables: &StateTables<'_>,
    review: &EndedReview,
) -> rusqlite::Result<Vec<WebhookReceiver>> {
    let all = events::subscriptions(tables, NAME, &review.filing.account)?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let receiver = |subscription: &Value| WebhookReceiver {
        url: text(&subscription["callbackUrl"]).unwrap_or_default(),
        login: text(&subscription["basicAuthentication"]["username"])
            .zip(text(&subscription["basicAuthentication"]["password"])),
        ..WebhookReceiver::default()
    };
    Ok(all.iter().map(receiver).collect())
}

/// A denial has the fields of the record.
pub(super) fn event(review: &EndedReview, numbers: &[String]) -> EventBody {
    let filing = &review.filing;
    let mut event = json!({
        "accountId": filing.account, "phoneNumber": numbers.first(), "status": status(filing.state),
        "internalTicketNumber": filing.id,
    });
    if filing.state == FilingState::Rejected {
        for (name, value) in denial(filing, true) {
            if !value.is_null() {
                event[name] = value;
            }
        }
    }
    EventBody::Json(event)
}
