//! Registrations and the numbers that belong to them.

use serde_json::{Value, json};

use super::definitions::check_type;
use super::registration::{Registration, RegistrationVersion, TYPE};
use super::request::AwsRequest;
use super::{NAME, answer, conflict, merge, not_found};
use crate::api::Handled;
use crate::assumptions::Assumption;
use crate::reply::Result;
use crate::store::OwnedNumber;

pub(super) fn create(request: &AwsRequest<'_>) -> Handled {
    check_type(request)?;
    if let Some(id) = request.repeated()? {
        let earlier = Registration::with_id(request, &id)?;
        let earlier = earlier.ok_or_else(|| not_found("registration", &id))?;
        return Ok(answer(&earlier.record(request)).assumed(Assumption::AwsTokens));
    }
    let now = request.now();
    let new = Registration {
        id: request.new_id("registration")?,
        region: request.region.to_owned(),
        created_at: now,
        numbers: Vec::new(),
        versions: vec![RegistrationVersion::new(1, now)],
    };
    new.save(request)?;
    request.remember(&new.id)?;
    Ok(answer(&new.record(request)))
}

pub(super) fn describe(request: &AwsRequest<'_>) -> Handled {
    let ids = request.texts("RegistrationIds")?;
    let mut found = Vec::new();
    for id in &ids {
        let id = id.rsplit_once('/').map_or(*id, |(_, id)| id);
        found.push(Registration::with_id(request, id)?.ok_or_else(|| not_found("registration", id))?);
    }
    if ids.is_empty() {
        found = Registration::all(request)?;
    }
    let records = found.iter().map(|it| it.record(request)).collect();
    Ok(request
        .page(json!({}), "Registrations", records, &["registration-type", "registration-status"])?
        .assumed(Assumption::AwsStatuses))
}

pub(super) fn delete(request: &AwsRequest<'_>) -> Handled {
    let registration = Registration::named(request)?;
    if registration.status() == "SUBMITTED" {
        let message = "The registration is in review.";
        return conflict("RESOURCE_DELETION_NOT_ALLOWED", "registration", &registration.id, message)
            .refused(Assumption::AwsDeletion);
    }
    if let Some(filing) = request.call.tables.filing(NAME, &registration.id)? {
        request.call.tables.delete(&filing)?;
    }
    for number in &registration.numbers {
        request.call.tables.unset(&association_name(number))?;
    }
    registration.forget(request)?;
    let mut record = registration.record(request);
    record["RegistrationStatus"] = json!("DELETED");
    Ok(answer(&record).assumed(Assumption::AwsDeletion))
}

/// Names a number's registration.
fn association_name(number: &str) -> String {
    format!("aws-association:{number}")
}

/// The registration that a number belongs to.
pub(super) fn of_number(request: &AwsRequest<'_>, number: &str) -> Result<Option<Registration>> {
    match request.call.tables.setting(&association_name(number))? {
        Some(id) => Registration::with_id(request, &id),
        None => Ok(None),
    }
}

/// Makes a number belong to a registration.
pub(super) fn add_number(
    request: &AwsRequest<'_>,
    registration: &mut Registration,
    number: &OwnedNumber,
) -> Result<()> {
    match of_number(request, &number.id)? {
        Some(other) if other.id == registration.id => {
            let message = "The number is associated with this registration already.";
            Err(conflict("RESOURCE_ALREADY_ASSOCIATED", "phone-number", &number.id, message).into())
        }
        Some(_) => {
            let message = "The number is associated with another registration.";
            Err(conflict("PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION", "phone-number", &number.id, message)
                .into())
        }
        None => {
            registration.numbers.push(number.id.clone());
            request.call.tables.set(&association_name(&number.id), &registration.id)?;
            registration.save(request)
        }
    }
}

fn association(request: &AwsRequest<'_>, number: &OwnedNumber) -> Value {
    json!({
        "ResourceArn": request.arn("phone-number", &number.id), "ResourceId": number.id,
        "ResourceType": "phone-number", "IsoCountryCode": "US", "PhoneNumber": number.number,
    })
}

pub(super) fn associate(request: &AwsRequest<'_>) -> Handled {
    let mut registration = Registration::named(request)?;
    let id = request.id("ResourceId")?;
    let number = request.call.owned(request.region, id)?.ok_or_else(|| not_found("phone-number", id))?;
    add_number(request, &mut registration, &number)?;
    let mut body = registration.heading(request);
    body["RegistrationType"] = json!(TYPE);
    merge(&mut body, &association(request, &number));
    Ok(answer(&body))
}

pub(super) fn associations(request: &AwsRequest<'_>) -> Handled {
    let registration = Registration::named(request)?;
    let mut found = Vec::new();
    for id in &registration.numbers {
        found.extend(request.call.owned(request.region, id)?.map(|it| association(request, &it)));
    }
    let mut body = registration.heading(request);
    body["RegistrationType"] = json!(TYPE);
    request.page(body, "RegistrationAssociations", found, &["resource-type", "iso-country-code"])
}
