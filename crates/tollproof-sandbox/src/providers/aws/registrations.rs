//! Registrations: versions, their fields and what becomes of them.

use serde_json::{Map, Value, json};
use tollproof_core::KindRole;

use super::definitions::field_paths;
use super::{
    ACCOUNT, IMAGE, NAME, TYPE, answer, arn, conflict, missing, next_id, ok, once, seconds, text, texts,
    validation,
};
use crate::api::{ApiCall, Handled};
use crate::assumptions::Assumption;
use crate::reply::Refused;
use crate::store::{Filing, FilingState};

pub(super) fn create(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    if text(body, "RegistrationType") != TYPE {
        return Err(validation("UNKNOWN_REGISTRATION_TYPE", "The sandbox has toll-free registrations only."));
    }
    once(call, body, "CreateRegistration", || {
        let id = next_id(call, "registration")?;
        let version = json!({ "number": 1, "fields": {}, "draft": seconds(call.tables.now) });
        let filing = call.draft(&id, &[], &json!({ "versions": [version] }))?;
        Ok(registration(call, &filing))
    })
}

fn stored(call: &ApiCall<'_>, body: &Map<String, Value>) -> Result<Filing, Refused> {
    call.tables.filing(NAME, text(body, "RegistrationId"))?.ok_or_else(|| missing("registration"))
}

/// The versions, oldest first; the last one is the current one.
fn versions(filing: &Filing) -> &[Value] {
    filing.body["versions"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn current(filing: &Filing) -> &Value {
    versions(filing).last().unwrap_or(&Value::Null)
}

/// The submission with its current version changed.
fn with_current(filing: &Filing, change: impl FnOnce(&mut Value)) -> Value {
    let mut body = filing.body.clone();
    if let Some(current) = body["versions"].as_array_mut().and_then(|it| it.last_mut()) {
        change(current);
    }
    body
}

fn registration(call: &ApiCall<'_>, filing: &Filing) -> Value {
    let status = match filing.state {
        FilingState::Draft if versions(filing).len() > 1 => "REQUIRES_UPDATES",
        FilingState::Draft => "CREATED",
        FilingState::Open => "SUBMITTED",
        FilingState::Approved => "COMPLETE",
        FilingState::Rejected => "REQUIRES_UPDATES",
    };
    json!({
        "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
        "RegistrationType": TYPE, "RegistrationStatus": status,
        "CurrentVersionNumber": current(filing)["number"], "CreatedTimestamp": seconds(filing.created_at),
    })
}

/// A version; what is not current has its end in itself.
fn version(call: &ApiCall<'_>, filing: &Filing, version: &Value) -> Value {
    let is_current = version["number"] == current(filing)["number"];
    let status = match (version["end"].as_str(), filing.state) {
        (Some(end), _) if !is_current => end.to_owned(),
        (_, FilingState::Draft) => "DRAFT".to_owned(),
        (_, FilingState::Open) => "SUBMITTED".to_owned(),
        (_, FilingState::Approved) => "APPROVED".to_owned(),
        (_, FilingState::Rejected) => "DENIED".to_owned(),
    };
    let mut history = json!({ "DraftTimestamp": version["draft"] });
    let mut note = |name: &str, at: &Value| {
        if !at.is_null() {
            history[name] = at.clone();
        }
    };
    note("SubmittedTimestamp", &version["submitted"]);
    let ended = if is_current { json!(filing.decided_at.map(seconds)) } else { version["ended"].clone() };
    match status.as_str() {
        "APPROVED" => note("ApprovedTimestamp", &ended),
        "DENIED" => note("DeniedTimestamp", &ended),
        "DISCARDED" => note("DiscardedTimestamp", &ended),
        _ => {}
    }
    let reasons = if is_current { denied_reasons(filing) } else { version["reasons"].clone() };
    json!({
        "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
        "VersionNumber": version["number"], "RegistrationVersionStatus": status,
        "RegistrationVersionStatusHistory": history,
        "DeniedReasons": if reasons.is_null() { json!([]) } else { reasons },
    })
}

fn denied_reasons(filing: &Filing) -> Value {
    let reasons = filing.reasons.iter();
    let reasons = reasons
        .map(|it| json!({ "Reason": it.code, "ShortDescription": it.title, "LongDescription": it.message }));
    reasons.collect()
}

pub(super) fn associate(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    let owned = call.owned(ACCOUNT, text(body, "ResourceId"))?.ok_or_else(|| missing("number"))?;
    if !call.tables.filings_of(NAME, &owned.number)?.is_empty() {
        return Err(conflict("RESOURCE_ALREADY_ASSOCIATED", "The number is associated with a registration."));
    }
    call.tables.add_number(&filing, NAME, &owned.number)?;
    ok(&json!({
        "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
        "RegistrationType": TYPE, "ResourceId": owned.id, "ResourceType": "phone-number",
        "ResourceArn": arn(call, "phone-number", &owned.id), "IsoCountryCode": "US", "PhoneNumber": owned.number,
    }))
}

pub(super) fn attach(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    if text(body, "AttachmentBody").is_empty() && text(body, "AttachmentUrl").is_empty() {
        return Err(validation("MISSING_PARAMETER", "AttachmentBody or AttachmentUrl is required."));
    }
    once(call, body, "CreateRegistrationAttachment", || {
        let id = next_id(call, "attachment")?;
        call.tables.set(&format!("aws-attachment:{id}"), &id)?;
        Ok(attachment(call, &id, "UPLOAD_IN_PROGRESS"))
    })
}

fn attachment(call: &ApiCall<'_>, id: &str, status: &str) -> Value {
    json!({
        "RegistrationAttachmentId": id, "RegistrationAttachmentArn": arn(call, "registration-attachment", id),
        "AttachmentStatus": status, "CreatedTimestamp": seconds(call.tables.now),
    })
}

pub(super) fn describe_attachments(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let wanted = texts(body, "RegistrationAttachmentIds");
    let all = call.tables.settings("aws-attachment:")?;
    let shown = all.iter().filter(|it| wanted.is_empty() || wanted.contains(&it.as_str()));
    let list: Vec<Value> = shown.map(|it| attachment(call, it, "UPLOAD_COMPLETE")).collect();
    ok(&json!({ "RegistrationAttachments": list }))
}

pub(super) fn put_field(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    let path = text(body, "FieldPath");
    if filing.state != FilingState::Draft {
        let why = "The version was submitted. Create a new one.";
        return Err(conflict("EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED", why));
    }
    if !field_paths(call).contains(&path) {
        return Err(validation("UNKNOWN_REGISTRATION_FIELD", "The registration has no such field."));
    }
    let choice = texts(body, "SelectChoices").first().copied().unwrap_or_default();
    let given = [text(body, "TextValue"), choice, text(body, "RegistrationAttachmentId")];
    let Some(value) = given.into_iter().find(|it| !it.is_empty()) else {
        return Err(validation("FIELD_VALIDATION_FAILED", "The value is empty."));
    };
    call.tables.amend(
        &filing,
        &with_current(&filing, |it| it["fields"][path] = json!(value)),
        filing.state,
    )?;
    let mut answer = json!({
        "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
        "VersionNumber": current(&filing)["number"], "FieldPath": path,
    });
    for name in ["TextValue", "SelectChoices", "RegistrationAttachmentId"] {
        if let Some(value) = body.get(name) {
            answer[name] = value.clone();
        }
    }
    ok(&answer)
}

pub(super) fn submit(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    match filing.state {
        FilingState::Draft => {}
        FilingState::Open => {
            return Err(conflict(
                "REGISTRATION_ALREADY_SUBMITTED",
                "The registration was submitted already.",
            ));
        }
        FilingState::Approved | FilingState::Rejected => {
            let why = "The version has ended. Create a new one.";
            return Err(conflict("SUBMIT_REGISTRATION_VERSION_NOT_ALLOWED", why));
        }
    }
    if call.tables.numbers_of(&filing)?.is_empty() {
        return Err(conflict("REGISTRATION_NOT_COMPLETE", "No number is associated with the registration."));
    }
    let mut fields = current(&filing)["fields"].clone();
    // The rules know the image as a file.
    if let Some(id) = fields.get(IMAGE).and_then(Value::as_str).map(|it| format!("{it}.png")) {
        fields[IMAGE] = json!(id);
    }
    let judged = call.judge(KindRole::Submit, &fields);
    if !judged.refused.is_empty() {
        let problems = judged.refused.iter().map(|it| json!({ "Name": it.field(), "Message": it.message }));
        let refused = json!({
            "__type": "ValidationException", "Message": "The registration is not complete.",
            "Reason": "FIELD_VALIDATION_FAILED", "Fields": problems.collect::<Vec<_>>(),
        });
        return Err(answer(400, &refused).assumed(Assumption::AwsErrors).into());
    }
    let at = seconds(call.tables.now);
    let filing = call.refile(&filing, &with_current(&filing, |it| it["submitted"] = json!(at)), judged)?;
    let mut answer = version(call, &filing, current(&filing));
    answer["AwsReview"] = body.get("AwsReview").cloned().unwrap_or(json!(false));
    ok(&answer)
}

pub(super) fn describe(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let wanted = texts(body, "RegistrationIds");
    let all = call.tables.filings(NAME, ACCOUNT, (u32::MAX, 0))?;
    if let Some(unknown) = wanted.iter().find(|it| !all.iter().any(|filing| filing.id == **it)) {
        return Err(missing(&format!("registration {unknown}")));
    }
    let shown = all.iter().filter(|it| wanted.is_empty() || wanted.contains(&it.id.as_str()));
    let mut list: Vec<Value> = shown.map(|it| registration(call, it)).collect();
    for filter in body.get("Filters").and_then(Value::as_array).into_iter().flatten() {
        let name =
            if filter["Name"] == "registration-status" { "RegistrationStatus" } else { "RegistrationType" };
        list.retain(|it| filter["Values"].as_array().is_some_and(|values| values.contains(&it[name])));
    }
    ok(&json!({ "Registrations": list }))
}

pub(super) fn describe_versions(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    let wanted = body.get("VersionNumbers").and_then(Value::as_array);
    let shown = versions(&filing).iter().rev();
    let shown =
        shown.filter(|it| wanted.is_none_or(|wanted| wanted.is_empty() || wanted.contains(&it["number"])));
    let list: Vec<Value> = shown.map(|it| version(call, &filing, it)).collect();
    let reply = answer(
        200,
        &json!({
            "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
            "RegistrationVersions": list,
        }),
    );
    Ok(reply.assumed(Assumption::AwsReasons))
}

pub(super) fn describe_values(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    let number = body.get("VersionNumber").unwrap_or(&current(&filing)["number"]);
    let found =
        versions(&filing).iter().find(|it| it["number"] == *number).ok_or_else(|| missing("version"))?;
    let values = found["fields"].as_object().into_iter().flatten();
    let values: Vec<Value> = values
        .map(|(path, value)| match path.as_str() {
            IMAGE => json!({ "FieldPath": path, "RegistrationAttachmentId": value }),
            _ => json!({ "FieldPath": path, "TextValue": value }),
        })
        .collect();
    ok(&json!({
        "RegistrationId": filing.id, "RegistrationArn": arn(call, "registration", &filing.id),
        "VersionNumber": number, "RegistrationFieldValues": values,
    }))
}

/// Ends the current version and begins one without values, as users report it.
pub(super) fn create_version(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    if matches!(filing.state, FilingState::Draft | FilingState::Open) {
        let why = "The current version has not ended.";
        return Err(conflict("CREATE_REGISTRATION_VERSION_NOT_ALLOWED", why));
    }
    let end = if filing.state == FilingState::Rejected { "DENIED" } else { "ARCHIVED" };
    let filing = begin_version(call, &filing, end)?;
    ok(&version(call, &filing, current(&filing)))
}

fn begin_version(call: &ApiCall<'_>, filing: &Filing, end: &str) -> Result<Filing, Refused> {
    let (now, reasons) = (seconds(call.tables.now), denied_reasons(filing));
    let ended = filing.decided_at.map_or(now, seconds);
    let mut body = with_current(filing, |it| {
        it["end"] = json!(end);
        it["ended"] = json!(ended);
        it["reasons"] = reasons;
    });
    if let Some(versions) = body["versions"].as_array_mut() {
        let next = json!({ "number": versions.len() + 1, "fields": {}, "draft": now });
        versions.push(next);
    }
    call.tables.amend(filing, &body, FilingState::Draft)?;
    call.tables.filing(NAME, &filing.id)?.ok_or_else(|| missing("registration"))
}

pub(super) fn discard(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    if filing.state != FilingState::Draft || versions(&filing).len() < 2 {
        let why = "Only a later version that was not submitted can be discarded.";
        return Err(conflict("DISCARD_REGISTRATION_VERSION_NOT_ALLOWED", why));
    }
    let filing = begin_version(call, &filing, "DISCARDED")?;
    let discarded = versions(&filing).iter().rev().nth(1).unwrap_or(&Value::Null);
    ok(&version(call, &filing, discarded))
}

pub(super) fn delete(call: &ApiCall<'_>, body: &Map<String, Value>) -> Handled {
    let filing = stored(call, body)?;
    let mut answer = registration(call, &filing);
    answer["RegistrationStatus"] = json!("DELETED");
    call.tables.delete(&filing)?;
    ok(&answer)
}
