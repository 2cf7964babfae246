//! Numbers: one is assigned by a request, as there is no search.

use serde_json::{Map, Value, json};

use super::{ACCOUNT, NAME, arn, conflict, missing, next_id, ok, once, seconds, text, texts, validation};
use crate::api::{ApiCall, Handled};
use crate::reply::Refused;
use crate::store::{FilingState, OwnedNumber};

pub(super) fn request_number(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    if text(body, "NumberType") != "TOLL_FREE" || text(body, "IsoCountryCode") != "US" {
        return Err(validation("FIELD_VALIDATION_FAILED", "The sandbox has US toll-free numbers only."));
    }
    once(call, body, "RequestPhoneNumber", || {
        let number = call.tables.available(NAME, 1, |_| true)?.into_iter().next().unwrap_or_default();
        let id = next_id(call, "phone")?;
        call.tables.buy(NAME, ACCOUNT, &number, &id)?;
        let owned = call.tables.owned(NAME, &id)?.ok_or_else(|| missing("number"))?;
        number_record(call, &owned)
    })
}

/// A number is pending until a registration of it is approved.
pub(super) fn number_record(call: &ApiCall<'_>, owned: &OwnedNumber) -> Result<Value, Refused> {
    let filings = call.tables.filings_of(NAME, &owned.number)?;
    let is_active = filings.iter().any(|it| it.state == FilingState::Approved);
    Ok(json!({
        "PhoneNumberId": owned.id, "PhoneNumberArn": arn(call, "phone-number", &owned.id),
        "PhoneNumber": owned.number, "Status": if is_active { "ACTIVE" } else { "PENDING" },
        "IsoCountryCode": "US", "MessageType": "TRANSACTIONAL", "NumberCapabilities": ["SMS"],
        "NumberType": "TOLL_FREE", "MonthlyLeasingPrice": "2.00", "TwoWayEnabled": false,
        "SelfManagedOptOutsEnabled": false, "OptOutListName": "Default", "DeletionProtectionEnabled": false,
        "RegistrationId": filings.first().map(|it| it.id.clone()),
        "CreatedTimestamp": seconds(owned.created_at),
    }))
}

pub(super) fn describe_numbers(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let wanted = texts(body, "PhoneNumberIds");
    let owned = call.tables.all_owned(NAME, ACCOUNT)?;
    let shown = owned.iter().filter(|it| wanted.is_empty() || wanted.contains(&it.id.as_str()));
    let numbers: Vec<Value> = shown.map(|it| number_record(call, it)).collect::<Result<_, _>>()?;
    ok(&json!({ "PhoneNumbers": numbers }))
}

pub(super) fn release_number(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let owned = call.owned(ACCOUNT, text(body, "PhoneNumberId"))?.ok_or_else(|| missing("number"))?;
    if call.is_in_review(&owned.number)? {
        return Err(conflict(
            "PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION",
            "A registration of it is in review.",
        ));
    }
    call.tables.release(NAME, &owned.number)?;
    ok(&json!({ "PhoneNumberId": owned.id, "PhoneNumber": owned.number, "Status": "DELETED" }))
}
