//! The values of a version's fields, one call for each.

use serde_json::{Value, json};
use tollproof_core::{KindRole, schema};

use super::registration::{Registration, RegistrationVersion};
use super::request::AwsRequest;
use super::{answer, attachments, conflict, invalid, merge};
use crate::api::{ApiCall, Handled};
use crate::assumptions::Assumption;
use crate::reply::{ApiReply, Result};

/// The fields whose value is one of a list; `ATTACHMENT` is a file, and the others are texts.
pub(super) const SELECT: [&str; 5] = [
    "companyInfo.businessType",
    "companyInfo.taxIdAuthority",
    "messagingUseCase.monthlyMessageVolume",
    "messagingUseCase.useCaseCategory",
    "messagingUseCase.optInType",
];
pub(super) const ATTACHMENT: &str = "messagingUseCase.optInImage";

/// The registration, if the values of its current version can be changed.
fn editable(request: &AwsRequest<'_>) -> Result<Registration> {
    let registration = Registration::named(request)?;
    if registration.current().status == "DRAFT" {
        return Ok(registration);
    }
    let (reason, message) = ("EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED", "The version is not a draft.");
    Err(conflict(reason, "registration", &registration.id, message).into())
}

fn failed(path: &str, message: &str) -> ApiReply {
    invalid("FIELD_VALIDATION_FAILED", path, message)
}

pub(super) fn put(request: &AwsRequest<'_>) -> Handled {
    let mut registration = editable(request)?;
    let path = request.required("FieldPath", 100)?;
    if !is_field(request.call, path) {
        let message = "The registration type has no such field.";
        return invalid("UNKNOWN_REGISTRATION_FIELD", "FieldPath", message).refuse();
    }
    let (text, choices) = (request.text("TextValue", 2048)?, request.texts("SelectChoices")?);
    let attachment = request.text("RegistrationAttachmentId", 256)?;
    let given = [text.is_some(), !choices.is_empty(), attachment.is_some()];
    if given.iter().filter(|it| **it).count() != 1 {
        let message = "Give one of TextValue, SelectChoices and RegistrationAttachmentId.";
        return invalid("PARAMETERS_CANNOT_BE_USED_TOGETHER", "TextValue", message).refuse();
    }
    let is_select = SELECT.contains(&path);
    if given != [!is_select && path != ATTACHMENT, is_select, path == ATTACHMENT] || choices.len() > 1 {
        let name = if is_select { "one of SelectChoices" } else { "a TextValue" };
        let name = if path == ATTACHMENT { "a RegistrationAttachmentId" } else { name };
        return failed(path, &format!("The field takes {name}.")).refuse();
    }
    let value = if let Some(id) = attachment {
        attachments::stored(request, id)?;
        json!({ "RegistrationAttachmentId": id })
    } else if let Some(text) = text {
        json!({ "TextValue": text })
    } else {
        json!({ "SelectChoices": choices })
    };
    registration.current_mut().fields.insert(path.to_owned(), value);
    let body = json!({ path: registration.current().body()[path] });
    let problems = request.call.judge(KindRole::Submit, &body).refused;
    if let Some(problem) = problems.iter().find(|it| it.field() == path) {
        return failed(path, &problem.message).refuse();
    }
    registration.save(request)?;
    let current = registration.current();
    Ok(answer(&value_record(request, &registration, path, &current.fields[path])))
}

/// Whether the form of the registration has a field.
fn is_field(call: &ApiCall<'_>, path: &str) -> bool {
    let kind = call.provider().kind(KindRole::Submit);
    kind.is_some_and(|kind| schema::field_names(kind).any(|name| name == path))
}

fn value_record(request: &AwsRequest<'_>, registration: &Registration, path: &str, value: &Value) -> Value {
    let mut record = registration.heading(request);
    record["VersionNumber"] = json!(registration.current().number);
    record["FieldPath"] = json!(path);
    merge(&mut record, value);
    record
}

pub(super) fn delete(request: &AwsRequest<'_>) -> Handled {
    let mut registration = editable(request)?;
    let path = request.required("FieldPath", 100)?;
    let Some(value) = registration.current_mut().fields.remove(path) else {
        let message = "The field has no value.";
        return invalid("UNKNOWN_REGISTRATION_FIELD", "FieldPath", message).refuse();
    };
    registration.save(request)?;
    Ok(answer(&value_record(request, &registration, path, &value)))
}

pub(super) fn describe(request: &AwsRequest<'_>) -> Handled {
    let registration = Registration::named(request)?;
    let version = match request.body.get("VersionNumber") {
        None | Some(Value::Null) => Some(registration.current()),
        Some(number) => registration.versions.iter().find(|it| json!(it.number) == *number),
    };
    let version = version.ok_or_else(|| {
        invalid("UNKNOWN_REGISTRATION_VERSION", "VersionNumber", "The registration has no such version.")
    })?;
    let section = request.text("SectionPath", 100)?;
    let paths = request.texts("FieldPaths")?;
    let mut records = records(request.call, version);
    records.retain(|record| {
        let path = record["FieldPath"].as_str().unwrap_or_default();
        let found = path.split_once('.').map(|(section, _)| section);
        (paths.is_empty() || paths.contains(&path)) && section.is_none_or(|it| found == Some(it))
    });
    let mut body = registration.heading(request);
    body["VersionNumber"] = json!(version.number);
    let reply = request.page(body, "RegistrationFieldValues", records, &[])?;
    Ok(reply.assumed(Assumption::AwsReasons))
}

/// The values, and after a denial the fields that are missing.
fn records(call: &ApiCall<'_>, version: &RegistrationVersion) -> Vec<Value> {
    let mut records = Vec::new();
    for (path, value) in &version.fields {
        let mut record = value.clone();
        record["FieldPath"] = json!(path);
        records.push(record);
    }
    if version.status == "DENIED" {
        for problem in call.judge(KindRole::Submit, &version.body()).refused {
            let path = problem.field();
            records.retain(|it| it["FieldPath"] != path);
            records.push(json!({ "FieldPath": path, "DeniedReason": "MISSING_REQUIRED_FIELD" }));
        }
    }
    records
}
