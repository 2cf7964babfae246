//! Twilio: api.twilio.com for numbers and messaging.twilio.com for verifications, with forms and Basic.

use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use tollproof_core::{KindRole, schema};

use super::events::{EventBody, event_id};
use super::{basic, route, stamp};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::store::{EndedReview, Filing, FilingState, OwnedNumber};

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Key, error, access };

const NAME: &str = "twilio";

/// The account of the sandbox, also for API keys (SK…).
const ACCOUNT: &str = "AC5a6d0b0c7e1f4d2a9b3c8e7f60718293";

// `/api` is the host api.twilio.com, `/messaging` is messaging.twilio.com.
#[rustfmt::skip]
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    vec![
        route("search", "GET",    "/api/2010-04-01/Accounts/{AccountSid}/AvailablePhoneNumbers/{Country}/TollFree.json", search),
        route("buy",    "POST",   "/api/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers.json",                     buy),
        route("buy",    "POST",   "/api/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers/TollFree.json",            buy),
        route("numbers","GET",    "/api/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers.json",                     numbers),
        route("numbers","GET",    "/api/2010-04-01/Accounts/{AccountSid}/IncomingPhoneNumbers/TollFree.json",            numbers),
        route("submit", "POST",   "/messaging/v1/Tollfree/Verifications",                                                submit).takes(KindRole::Submit),
        route("fetch",  "GET",    "/messaging/v1/Tollfree/Verifications/{Sid}",                                          fetch),
        route("list",   "GET",    "/messaging/v1/Tollfree/Verifications",                                                list),
        route("update", "POST",   "/messaging/v1/Tollfree/Verifications/{Sid}",                                          update).takes(KindRole::Update),
        route("delete", "DELETE", "/messaging/v1/Tollfree/Verifications/{Sid}",                                          delete),
    ]
}

fn key_of(received: &Received) -> Option<String> {
    basic(&received.headers).map(|(_, secret)| secret)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "numbers", value: format!("{base}/api instead of https://api.twilio.com") },
        AccessRow {
            label: "messaging",
            value: format!("{base}/messaging instead of https://messaging.twilio.com"),
        },
        AccessRow { label: "account", value: format!("AccountSid {ACCOUNT}, AuthToken {key}") },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let code = match error {
        ApiError::BadBody(_) | ApiError::TooLarge | ApiError::TooSlow => INVALID,
        ApiError::Credentials => 20003,
        ApiError::UnknownPath => NOT_FOUND,
        ApiError::TooMany => 20429,
        ApiError::Server => 20500,
    };
    refusal(error.status(), code, error.message()).assumed(Assumption::TwilioErrors)
}

const INVALID: u32 = 20001;
const NOT_FOUND: u32 = 20404;

fn refusal(status: u16, code: u32, message: &str) -> ApiReply {
    let more_info = format!("https://www.twilio.com/docs/errors/{code}");
    let body = json!({ "code": code, "message": message, "more_info": more_info, "status": status });
    ApiReply::json(status, &body)
}

fn invalid(message: &str) -> ApiReply {
    refusal(400, INVALID, message).assumed(Assumption::TwilioErrors)
}

fn search(call: &ApiCall<'_>) -> Handled {
    let country = call.param("Country");
    if !["US", "CA"].contains(&country) {
        return refusal(404, NOT_FOUND, "The country has no toll-free numbers.")
            .refused(Assumption::TwilioErrors);
    }
    let area = call.query("AreaCode").map(|it| format!("+1{it}")).unwrap_or_default();
    let found =
        call.tables.available(NAME, call.query_number("PageSize", 50, 1_000), |it| it.starts_with(&area))?;
    let offers = found.iter().map(|number| {
        json!({
            "phone_number": number, "friendly_name": friendly(number), "iso_country": country, "beta": false,
            "address_requirements": "none", "capabilities": capabilities(),
        })
    });
    let uri = format!(
        "/2010-04-01/Accounts/{}/AvailablePhoneNumbers/{country}/TollFree.json",
        call.param("AccountSid")
    );
    let offers: Vec<Value> = offers.collect();
    Ok(ApiReply::json(200, &json!({ "available_phone_numbers": offers, "uri": uri })))
}

fn capabilities() -> Value {
    json!({ "voice": true, "SMS": true, "MMS": true, "fax": false })
}

/// `+18335550000` as `(833) 555-0000`.
fn friendly(number: &str) -> String {
    let digits = number.trim_start_matches("+1");
    format!("({}) {}-{}", &digits[..3], &digits[3..6], &digits[6..])
}

fn buy(call: &ApiCall<'_>) -> Handled {
    let form = call.form();
    let given = |name: &str| form.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    let number = match (given("PhoneNumber"), given("AreaCode")) {
        (Some(number), _) => number,
        (None, Some(area)) => {
            let area = format!("+1{area}");
            let found = call.tables.available(NAME, 1, |it| it.starts_with(&area))?;
            found.into_iter().next().unwrap_or_default()
        }
        (None, None) => return invalid("Missing required parameter PhoneNumber in the post body").refuse(),
    };
    let sid = format!("PN{}", ids::digits(&[NAME, &number]));
    if !call.tables.buy(NAME, call.param("AccountSid"), &number, &sid)? {
        return refusal(400, 21422, "The number is not available.").refused(Assumption::TwilioPurchase);
    }
    let owned = call.tables.owned(NAME, &sid)?.expect("it was bought just now");
    let mut record = own_number(&owned);
    if let Some(name) = given("FriendlyName") {
        record["friendly_name"] = json!(name);
    }
    Ok(ApiReply::json(201, &record))
}

fn own_number(owned: &OwnedNumber) -> Value {
    // The time as RFC 2822 writes it, as everywhere in this version of the API.
    let at = owned.created_at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string();
    json!({
        "sid": owned.id, "account_sid": owned.account, "phone_number": owned.number,
        "friendly_name": friendly(&owned.number), "status": "in-use", "type": "toll-free",
        "capabilities": capabilities(), "date_created": at, "date_updated": at,
        "uri": format!("/2010-04-01/Accounts/{}/IncomingPhoneNumbers/{}.json", owned.account, owned.id),
    })
}

fn numbers(call: &ApiCall<'_>) -> Handled {
    let wanted = call.query("PhoneNumber");
    let owned = call.tables.all_owned(NAME, call.param("AccountSid"))?;
    let found: Vec<Value> = owned
        .iter()
        .filter(|owned| wanted.as_ref().is_none_or(|wanted| owned.number.contains(wanted.as_str())))
        .map(own_number)
        .collect();
    let (size, uri) = (found.len(), call.received.path.trim_start_matches("/twilio/api").to_owned());
    let body = json!({
        "incoming_phone_numbers": found, "page": 0, "page_size": size.max(50), "start": 0, "end": size,
        "uri": uri, "first_page_uri": uri, "next_page_uri": null, "previous_page_uri": null,
    });
    Ok(ApiReply::json(200, &body))
}

/// The account of the credentials.
fn account(call: &ApiCall<'_>) -> String {
    let name = basic(&call.received.headers).map(|(name, _)| name).unwrap_or_default();
    if name.starts_with("AC") { name } else { ACCOUNT.to_owned() }
}

/// The names of the parameters of a request.
fn parameters(call: &ApiCall<'_>, role: KindRole) -> Vec<&'static str> {
    let kind = call.provider().kind(role).expect("Twilio has both requests");
    schema::field_names(kind).collect()
}

/// A form as an object, with the types of the schema: repeated names are lists, and booleans are such.
fn object(call: &ApiCall<'_>) -> Value {
    let kind = call.provider().kind(KindRole::Submit).expect("Twilio has it");
    let schema: Value = serde_json::from_str(schema::text(kind)).expect("it is a JSON Schema");
    let is = |name: &str, wanted: &str| match &schema["properties"][name]["type"] {
        Value::Array(types) => types.iter().any(|it| it == wanted),
        only => only == wanted,
    };
    let mut object = Map::new();
    for (name, value) in call.form() {
        if is(&name, "array") {
            let list = object.entry(name).or_insert_with(|| json!([]));
            list.as_array_mut().expect("it was made as a list").push(json!(value));
            continue;
        }
        let word = value.to_lowercase();
        let is_boolean = is(&name, "boolean") && ["true", "false"].contains(&word.as_str());
        object.insert(name, if is_boolean { json!(word == "true") } else { json!(value) });
    }
    Value::Object(object)
}

fn submit(call: &ApiCall<'_>) -> Handled {
    let body = object(call);
    let judged = call.judged(KindRole::Submit, &body, |problems| invalid(&problems[0].message))?;
    let account = account(call);
    let refused = |why: &str| invalid(why).assumed(Assumption::TwilioDuplicate);
    let Some(owned) = call.owned(&account, body["TollfreePhoneNumberSid"].as_str().unwrap_or_default())?
    else {
        return refused("TollfreePhoneNumberSid is not a number of this account").refuse();
    };
    if !call.tables.filings_of(NAME, &owned.number)?.is_empty() {
        return refused("TollfreePhoneNumberSid has a verification already").refuse();
    }
    let sid = ids::digits(&[NAME, &owned.number, &call.tables.next_filing(NAME, &owned.number)?]);
    let filing = call.file(&account, &format!("HH{sid}"), &[owned.number], &body, judged)?;
    answer_with(201, call, &filing)
}

fn stored(call: &ApiCall<'_>) -> Result<Filing> {
    let filing = call.tables.filing(NAME, call.param("Sid"))?.filter(|it| it.account == account(call));
    let missing = || refusal(404, NOT_FOUND, "The requested resource was not found");
    filing.ok_or_else(|| missing().assumed(Assumption::TwilioErrors).into())
}

fn fetch(call: &ApiCall<'_>) -> Handled {
    answer_with(200, call, &stored(call)?)
}

fn list(call: &ApiCall<'_>) -> Handled {
    let (size, page) =
        (call.query_number("PageSize", 50, 1_000).max(1), call.query_number("Page", 0, 1_000_000));
    let filters = ["TollfreePhoneNumberSid", "ExternalReferenceId"].map(|name| (name, call.query(name)));
    let status_wanted = call.query("Status");
    let all = call.tables.filings(NAME, &account(call), u32::MAX)?;
    let is_wanted = |filing: &&Filing| {
        let has = |(name, wanted): &(&str, Option<String>)| {
            wanted.as_ref().is_none_or(|wanted| filing.body[*name].as_str() == Some(wanted))
        };
        filters.iter().all(has) && status_wanted.as_ref().is_none_or(|wanted| wanted == status(filing))
    };
    let wanted: Vec<&Filing> = all.iter().filter(is_wanted).collect();
    let start = (page as usize) * (size as usize);
    let shown = wanted.iter().skip(start).take(size as usize);
    let records: Vec<Value> = shown.map(|it| record(call, it)).collect::<Result<_, _>>()?;
    let at = |page: u32| {
        format!("{}/messaging/v1/Tollfree/Verifications?PageSize={size}&Page={page}", call.address())
    };
    let meta = json!({
        "page": page, "page_size": size, "key": "verifications", "url": at(page), "first_page_url": at(0),
        "previous_page_url": page.checked_sub(1).map(at),
        "next_page_url": (wanted.len() > start + size as usize).then(|| at(page + 1)),
    });
    Ok(ApiReply::json(200, &json!({ "verifications": records, "meta": meta })))
}

/// The time to edit a rejected verification.
const EDIT_TIME: SignedDuration = SignedDuration::from_hours(7 * 24);

fn update(call: &ApiCall<'_>) -> Handled {
    let filing = stored(call)?;
    let mut body = filing.body.clone();
    if let Value::Object(changes) = object(call) {
        let known = parameters(call, KindRole::Update);
        changes
            .into_iter()
            .filter(|(name, _)| known.contains(&name.as_str()))
            .for_each(|(name, value)| body[name] = value);
    }
    let mut judged_body = body.clone();
    if let Some(fields) = judged_body.as_object_mut() {
        fields.remove("EditReason");
    }
    let judged = call.judged(KindRole::Submit, &judged_body, |problems| invalid(&problems[0].message))?;
    let is_final = filing.state == FilingState::Approved || call.is_rejected_since(&filing, EDIT_TIME);
    if is_final {
        return invalid("The verification cannot be edited").refused(Assumption::TwilioEdits);
    }
    let filing = call.refile(&filing, &body, judged)?;
    Ok(answer_with(202, call, &filing)?.assumed(Assumption::TwilioEdits))
}

fn delete(call: &ApiCall<'_>) -> Handled {
    call.tables.delete(&stored(call)?)?;
    Ok(ApiReply::empty(204))
}

fn answer_with(status: u16, call: &ApiCall<'_>, filing: &Filing) -> Result<ApiReply> {
    let reply = ApiReply::json(status, &record(call, filing)?);
    Ok(match filing.state {
        FilingState::Rejected => reply.assumed(Assumption::TwilioReasons).assumed(Assumption::TwilioEdits),
        _ => reply,
    })
}

fn status(filing: &Filing) -> &'static str {
    match filing.state {
        FilingState::Draft | FilingState::Open => "PENDING_REVIEW",
        FilingState::Approved => "TWILIO_APPROVED",
        FilingState::Rejected => "TWILIO_REJECTED",
    }
}

/// A record has the names of the parameters in snake case.
fn record(call: &ApiCall<'_>, filing: &Filing) -> Result<Value> {
    let mut record = json!({
        "sid": filing.id, "account_sid": filing.account, "trust_product_sid": null, "regulated_item_sid": null,
        "date_created": stamp(filing.created_at, 0), "date_updated": stamp(filing.updated_at, 0),
    });
    for name in parameters(call, KindRole::Submit) {
        record[snake(name)] = filing.body.get(name).cloned().unwrap_or_default();
    }
    let rejected = filing.state == FilingState::Rejected;
    let code = |code: &str| code.parse::<u32>().map_or_else(|_| json!(code), |it| json!(it));
    let reasons = filing
        .reasons
        .iter()
        .map(|rejection| json!({ "code": code(&rejection.code), "reason": rejection.title }));
    let reasons: Vec<Value> = reasons.collect();
    let until = filing.decided_at.filter(|_| rejected).and_then(|at| at.checked_add(EDIT_TIME).ok());
    let first = filing.reasons.first();
    record["tollfree_phone_number"] = json!(call.tables.numbers_of(filing)?.first());
    record["status"] = json!(status(filing));
    record["url"] = json!(format!("https://messaging.twilio.com/v1/Tollfree/Verifications/{}", filing.id));
    record["rejection_reason"] = json!(first.map(|it| it.title.clone()));
    record["error_code"] = first.map_or(Value::Null, |it| code(&it.code));
    record["rejection_reasons"] = if rejected { json!(reasons) } else { Value::Null };
    record["edit_expiration"] = json!(until.map(|at| stamp(at, 0)));
    record["edit_allowed"] =
        if rejected { json!(!call.is_rejected_since(filing, EDIT_TIME)) } else { Value::Null };
    record["resource_links"] = json!({});
    record["vetting_id_expiration"] = Value::Null;
    Ok(record)
}

/// `OptInImageUrls` as `opt_in_image_urls`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// An event as Event Streams sends it to a webhook: a list of CloudEvents.
pub(super) fn event(review: &EndedReview, _: &[String]) -> EventBody {
    let filing = &review.filing;
    let first = filing.reasons.first();
    let (status, name) = match filing.state {
        FilingState::Rejected => ("rejected", "Rejected"),
        _ => ("approved", "Approved"),
    };
    let mut data = json!({
        "accountsid": filing.account, "tollfreeverificationsid": filing.id,
        "phonenumbersid": filing.body["TollfreePhoneNumberSid"],
        "processeddate": filing.updated_at.as_millisecond(), "verificationstatus": status,
    });
    if let Some(reason) = first {
        data["rejectionreason"] = json!(reason.title);
        data["errorcode"] = reason.code.parse::<u32>().map_or_else(|_| json!(reason.code), |it| json!(it));
    }
    let id = event_id(review).replace('-', "");
    EventBody::Json(json!([{
        "specversion": "1.0",
        "type": format!("com.twilio.messaging.compliance.toll-free-verification.{status}"),
        "source": format!("AB{}", ids::digits(&[NAME, "subscription"])),
        "id": format!("NO{id}"),
        "dataschema": format!("https://events-schemas.twilio.com/TollFree.Verification{name}/2"),
        "datacontenttype": "application/json", "time": stamp(filing.updated_at, 3), "data": data,
    }]))
}
