//! Versions of a registration: each is submitted once.

use serde_json::{Value, json};
use tollproof_core::KindRole;

use super::registration::{Registration, RegistrationVersion};
use super::request::AwsRequest;
use super::{NAME, answer, conflict, invalid};
use crate::api::Handled;
use crate::assumptions::Assumption;
use crate::reply::ApiReply;

/// The fault of a version, in the words of AWS, if a required field has no value.
const MISSING: &str = "Missing required field";

fn refused(registration: &Registration, reason: &str, message: &str) -> ApiReply {
    conflict(reason, "registration", &registration.id, message).assumed(Assumption::AwsVersions)
}

pub(super) fn submit(request: &AwsRequest<'_>) -> Handled {
    let mut registration = Registration::named(request)?;
    let aws_review = request.flag("AwsReview")?;
    match registration.current().status.as_str() {
        "DRAFT" => {}
        "SUBMITTED" => {
            let message = "The version was submitted already.";
            return refused(&registration, "REGISTRATION_ALREADY_SUBMITTED", message).refuse();
        }
        _ => {
            let message = "Create a new version first.";
            return refused(&registration, "SUBMIT_REGISTRATION_VERSION_NOT_ALLOWED", message).refuse();
        }
    }
    let mut numbers = Vec::new();
    for id in &registration.numbers {
        numbers.extend(request.call.owned(request.region, id)?.map(|it| it.number));
    }
    if numbers.is_empty() {
        let message = "Associate a phone number with the registration first.";
        return refused(&registration, "REGISTRATION_NOT_COMPLETE", message)
            .refused(Assumption::AwsIncomplete);
    }
    let body = registration.current().body();
    let judged = request.call.judge(KindRole::Submit, &body).reject_refused(MISSING);
    match request.call.tables.filing(NAME, &registration.id)? {
        None => request.call.file(request.region, &registration.id, &numbers, &body, judged)?,
        Some(filing) => request.call.refile(&filing, &body, judged)?,
    };
    registration.current_mut().reach("SUBMITTED", request.now());
    registration.save(request)?;
    let mut record = registration.version_record(request);
    record["AwsReview"] = json!(aws_review);
    Ok(answer(&record))
}

pub(super) fn create(request: &AwsRequest<'_>) -> Handled {
    let mut registration = Registration::named(request)?;
    if matches!(registration.current().status.as_str(), "DRAFT" | "SUBMITTED") {
        let message = "The current version is a draft or in review.";
        return refused(&registration, "CREATE_REGISTRATION_VERSION_NOT_ALLOWED", message).refuse();
    }
    let number = registration.current().number + 1;
    registration.versions.push(RegistrationVersion::new(number, request.now()));
    registration.save(request)?;
    Ok(answer(&registration.version_record(request)).assumed(Assumption::AwsVersions))
}

pub(super) fn discard(request: &AwsRequest<'_>) -> Handled {
    let mut registration = Registration::named(request)?;
    if registration.current().status != "DRAFT" {
        let message = "Only a draft can be discarded.";
        return refused(&registration, "DISCARD_REGISTRATION_VERSION_NOT_ALLOWED", message).refuse();
    }
    registration.current_mut().reach("DISCARDED", request.now());
    registration.save(request)?;
    Ok(answer(&registration.version_record(request)).assumed(Assumption::AwsVersions))
}

pub(super) fn describe(request: &AwsRequest<'_>) -> Handled {
    let registration = Registration::named(request)?;
    let numbers = match request.body.get("VersionNumbers") {
        None | Some(Value::Null) => Vec::new(),
        Some(list) => list.as_array().cloned().ok_or_else(|| {
            invalid("INVALID_PARAMETER", "VersionNumbers", "VersionNumbers must be a list of numbers")
        })?,
    };
    let known = |number: &Value| registration.versions.iter().any(|it| json!(it.number) == *number);
    if !numbers.iter().all(known) {
        let message = "The registration has no such version.";
        return invalid("UNKNOWN_REGISTRATION_VERSION", "VersionNumbers", message).refuse();
    }
    let newest_first = registration.versions.iter().rev();
    let wanted =
        newest_first.filter(|version| numbers.is_empty() || numbers.contains(&json!(version.number)));
    let records = wanted.map(record).collect();
    let reply = request.page(
        registration.heading(request),
        "RegistrationVersions",
        records,
        &["registration-version-status"],
    )?;
    Ok(reply.assumed(Assumption::AwsStatuses).assumed(Assumption::AwsReasons))
}

fn record(version: &RegistrationVersion) -> Value {
    let mut record = json!({
        "VersionNumber": version.number, "RegistrationVersionStatus": version.status,
        "RegistrationVersionStatusHistory": version.times,
    });
    let mut reasons: Vec<Value> = Vec::new();
    for it in &version.reasons {
        let reason =
            json!({ "Reason": it.title, "ShortDescription": it.title, "LongDescription": it.message });
        // A version with several missing fields has the reason once; the fields have their own.
        if it.title != MISSING || !reasons.iter().any(|it| it["Reason"] == MISSING) {
            reasons.push(reason);
        }
    }
    if !reasons.is_empty() {
        record["DeniedReasons"] = Value::Array(reasons);
    }
    record
}
