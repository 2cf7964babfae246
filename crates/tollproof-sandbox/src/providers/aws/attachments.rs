//! Files that show how people agree.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::request::AwsRequest;
use super::{answer, invalid, not_found};
use crate::api::Handled;
use crate::assumptions::Assumption;
use crate::reply::Result;

/// First bytes of accepted file types.
const BEGINNINGS: [&[u8]; 3] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"%PDF-"];

fn name(request: &AwsRequest<'_>, id: &str) -> String {
    format!("aws-attachment:{}:{id}", request.region)
}

/// The record of an attachment, once its upload ended.
pub(super) fn stored(request: &AwsRequest<'_>, id: &str) -> Result<Value> {
    let id = id.rsplit_once('/').map_or(id, |(_, id)| id);
    let stored = request.call.tables.setting(&name(request, id))?;
    let stored = stored.and_then(|text| serde_json::from_str(&text).ok());
    stored.ok_or_else(|| not_found("registration-attachment", id).into())
}

pub(super) fn create(request: &AwsRequest<'_>) -> Handled {
    let url = request.text("AttachmentUrl", 2048)?;
    match (request.body.get("AttachmentBody").filter(|it| !it.is_null()), url) {
        (Some(_), Some(_)) => {
            let message = "Give AttachmentBody or AttachmentUrl, not both.";
            return invalid("PARAMETERS_CANNOT_BE_USED_TOGETHER", "AttachmentUrl", message).refuse();
        }
        (None, None) => {
            let message = "Give AttachmentBody or AttachmentUrl.";
            return invalid("MISSING_PARAMETER", "AttachmentBody", message).refuse();
        }
        (Some(body), None) => {
            let bytes = body.as_str().and_then(|text| BASE64.decode(text).ok()).unwrap_or_default();
            if !BEGINNINGS.iter().any(|it| bytes.starts_with(it)) {
                let message = "The file is not a PDF, JPEG or PNG.";
                return invalid("ATTACHMENT_TYPE_NOT_SUPPORTED", "AttachmentBody", message).refuse();
            }
        }
        (None, Some(_)) => {}
    }
    if let Some(id) = request.repeated()? {
        let mut record = stored(request, &id)?;
        record.as_object_mut().expect("it was stored as one").remove("AttachmentUrl");
        return Ok(answer(&record).assumed(Assumption::AwsTokens));
    }
    let id = request.new_id("registration-attachment")?;
    let mut record = json!({
        "RegistrationAttachmentArn": request.arn("registration-attachment", &id),
        "RegistrationAttachmentId": id, "AttachmentStatus": "UPLOAD_COMPLETE", "CreatedTimestamp": request.now(),
    });
    if let Some(url) = url {
        record["AttachmentUrl"] = json!(url);
    }
    request.call.tables.set(&name(request, &id), &record.to_string())?;
    request.remember(&id)?;
    record["AttachmentStatus"] = json!("UPLOAD_IN_PROGRESS");
    record.as_object_mut().expect("it was made as one").remove("AttachmentUrl");
    Ok(answer(&record).assumed(Assumption::AwsAttachments))
}

pub(super) fn describe(request: &AwsRequest<'_>) -> Handled {
    let ids = request.texts("RegistrationAttachmentIds")?;
    let mut found = Vec::new();
    for id in &ids {
        found.push(stored(request, id)?);
    }
    if ids.is_empty() {
        let all = request.call.tables.settings(&name(request, ""))?;
        found = all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    }
    let reply = request.page(json!({}), "RegistrationAttachments", found, &["attachment-status"])?;
    Ok(reply.assumed(Assumption::AwsAttachments))
}

pub(super) fn delete(request: &AwsRequest<'_>) -> Handled {
    let id = request.id("RegistrationAttachmentId")?;
    let mut record = stored(request, id)?;
    request.call.tables.unset(&name(request, id))?;
    record["AttachmentStatus"] = json!("DELETED");
    record.as_object_mut().expect("it was stored as one").remove("AttachmentUrl");
    Ok(answer(&record))
}
