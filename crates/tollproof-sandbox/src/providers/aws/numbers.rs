//! Numbers: they are assigned, not chosen.

use serde_json::{Value, json};

use super::registration::Registration;
use super::registrations::{add_number, of_number};
use super::request::{AwsRequest, seconds};
use super::{NAME, answer, conflict, exception, invalid, merge, not_found};
use crate::api::Handled;
use crate::assumptions::Assumption;
use crate::reply::Result;
use crate::store::OwnedNumber;

pub(super) fn buy(request: &AwsRequest<'_>) -> Handled {
    let message_type = request.required("MessageType", 64)?;
    let capabilities = request.texts("NumberCapabilities")?;
    for (name, is_right, message) in [
        (
            "IsoCountryCode",
            request.required("IsoCountryCode", 2)? == "US",
            "The sandbox has numbers of US only.",
        ),
        (
            "NumberType",
            request.required("NumberType", 64)? == "TOLL_FREE",
            "The sandbox has numbers of the type TOLL_FREE only.",
        ),
        (
            "MessageType",
            ["TRANSACTIONAL", "PROMOTIONAL"].contains(&message_type),
            "MessageType must be TRANSACTIONAL or PROMOTIONAL.",
        ),
        (
            "NumberCapabilities",
            !capabilities.is_empty() && capabilities.iter().all(|it| ["SMS", "VOICE", "MMS"].contains(it)),
            "NumberCapabilities must name SMS, VOICE or MMS.",
        ),
    ] {
        if !is_right {
            return invalid("INVALID_PARAMETER", name, message).refuse();
        }
    }
    if let Some(id) = request.repeated()? {
        let earlier =
            request.call.owned(request.region, &id)?.ok_or_else(|| not_found("phone-number", &id))?;
        return Ok(answer(&record(request, &earlier)?).assumed(Assumption::AwsTokens));
    }
    let wanted = preference(request);
    let found = request.call.tables.available(NAME, 1, |it| wanted(it))?;
    let Some(number) = found.first() else {
        let reason = "PHONE_NUMBERS_PER_ACCOUNT";
        let message = "No number is available.";
        return exception("ServiceQuotaExceededException", reason, message, &Value::Null).refuse();
    };
    let id = request.new_id("phone")?;
    request.call.tables.buy(NAME, request.region, number, &id)?;
    let kept = json!({
        "MessageType": message_type, "NumberCapabilities": capabilities,
        "DeletionProtectionEnabled": request.flag("DeletionProtectionEnabled")?,
        "InternationalSendingEnabled": request.flag("InternationalSendingEnabled")?,
    });
    request.call.tables.set(&kept_name(&id), &kept.to_string())?;
    request.remember(&id)?;
    let owned = request.call.owned(request.region, &id)?.expect("it was bought just now");
    if request.text("RegistrationId", 256)?.is_some() {
        add_number(request, &mut Registration::named(request)?, &owned)?;
    }
    Ok(answer(&record(request, &owned)?).assumed(Assumption::AwsNumbers))
}

/// Whether a number is one of those that `NumberPreference` wants.
fn preference(request: &AwsRequest<'_>) -> impl Fn(&str) -> bool {
    let wanted = request.body.get("NumberPreference").map(|it| it[0].clone()).unwrap_or_default();
    move |number: &str| {
        let filters = wanted["Filter"].as_array().map(Vec::as_slice).unwrap_or_default();
        filters.is_empty()
            || filters.iter().filter_map(Value::as_str).any(|filter| {
                match wanted["PreferenceType"][0].as_str() {
                    Some("StartsWith") => number.starts_with(filter) || number[2..].starts_with(filter),
                    Some("EndsWith") => number.ends_with(filter),
                    Some("ExactMatch") => number == filter,
                    _ => number.contains(filter),
                }
            })
    }
}

/// Names a number's settings.
fn kept_name(id: &str) -> String {
    format!("aws-number:{id}")
}

fn record(request: &AwsRequest<'_>, number: &OwnedNumber) -> Result<Value> {
    let kept = request.call.tables.setting(&kept_name(&number.id))?;
    let kept: Value = kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_else(|| {
        json!({
            "MessageType": "TRANSACTIONAL", "NumberCapabilities": ["SMS"], "DeletionProtectionEnabled": false,
            "InternationalSendingEnabled": false,
        })
    });
    let registration = of_number(request, &number.id)?;
    let is_active =
        registration.as_ref().is_some_and(|registration| registration.latest("APPROVED").is_some());
    let mut record = json!({
        "PhoneNumberArn": request.arn("phone-number", &number.id), "PhoneNumberId": number.id,
        "PhoneNumber": number.number, "Status": if is_active { "ACTIVE" } else { "PENDING" },
        "IsoCountryCode": "US", "NumberType": "TOLL_FREE", "MonthlyLeasingPrice": "2.00", "TwoWayEnabled": false,
        "SelfManagedOptOutsEnabled": false, "OptOutListName": "Default",
        "CreatedTimestamp": seconds(number.created_at),
    });
    merge(&mut record, &kept);
    if let Some(registration) = registration {
        record["RegistrationId"] = json!(registration.id);
    }
    Ok(record)
}

pub(super) fn describe(request: &AwsRequest<'_>) -> Handled {
    let ids = request.texts("PhoneNumberIds")?;
    let mut found = Vec::new();
    for id in &ids {
        let id = id.rsplit_once('/').map_or(*id, |(_, id)| id);
        found.push(request.call.owned(request.region, id)?.ok_or_else(|| not_found("phone-number", id))?);
    }
    if ids.is_empty() {
        found = request.call.tables.all_owned(NAME, request.region)?;
    }
    let records = found.iter().map(|it| record(request, it)).collect::<Result<_, _>>()?;
    Ok(request
        .page(
            json!({}),
            "PhoneNumbers",
            records,
            &["status", "iso-country-code", "message-type", "number-type"],
        )?
        .assumed(Assumption::AwsNumbers))
}

pub(super) fn release(request: &AwsRequest<'_>) -> Handled {
    let id = request.id("PhoneNumberId")?;
    let number = request.call.owned(request.region, id)?.ok_or_else(|| not_found("phone-number", id))?;
    let mut record = record(request, &number)?;
    let refused = |reason, message| conflict(reason, "phone-number", &number.id, message);
    if record["DeletionProtectionEnabled"] == json!(true) {
        return refused("DELETION_PROTECTION_ENABLED", "The number is protected from deletion.").refuse();
    }
    if record.get("RegistrationId").is_some() {
        return refused("PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION", "The number has a registration.")
            .refused(Assumption::AwsDeletion);
    }
    request.call.tables.release(NAME, &number.number)?;
    request.call.tables.unset(&kept_name(&number.id))?;
    record["Status"] = json!("DELETED");
    Ok(answer(&record))
}
