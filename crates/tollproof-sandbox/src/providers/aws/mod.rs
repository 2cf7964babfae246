//! AWS End User Messaging: one address, the operation in `X-Amz-Target`, signed with SigV4.

mod definitions;
mod numbers;
mod registrations;
mod sigv4;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use self::definitions::{describe_definitions, describe_sections, describe_types};
use self::numbers::{describe_numbers, release_number, request_number};
use self::registrations::{
    associate, attach, create, create_version, delete, describe, describe_attachments, describe_values,
    describe_versions, discard, put_field, submit,
};
use super::route;
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::ids;
use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Refused};

pub(super) static SURFACE: ApiSurface = ApiSurface {
    name: NAME,
    routes,
    key_of,
    allows: Allows::Signature(sigv4::is_signed_with),
    error,
    access,
};

const NAME: &str = "aws";

/// The account of the sandbox.
const ACCOUNT: &str = "";

/// The type of registration that the sandbox has, and the field that takes an attachment.
const TYPE: &str = "US_TOLL_FREE_REGISTRATION";
const IMAGE: &str = "messagingUseCase.optInImage";

/// What a target begins with.
const TARGET: &str = "PinpointSMSVoiceV2.";

fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    ["", "/"].map(|path| route("call", "POST", path, operate)).into()
}

/// What answers an operation, for its body.
type Operation = fn(&ApiCall<'_>, &Map<String, Value>) -> Handled;

/// The operations, by the names after [`TARGET`].
#[rustfmt::skip]
static OPERATIONS: [(&str, Operation); 18] = [
    ("RequestPhoneNumber",                   request_number),
    ("DescribePhoneNumbers",                 describe_numbers),
    ("ReleasePhoneNumber",                   release_number),
    ("CreateRegistration",                   create),
    ("CreateRegistrationAssociation",        associate),
    ("CreateRegistrationAttachment",         attach),
    ("DescribeRegistrationAttachments",      describe_attachments),
    ("PutRegistrationFieldValue",            put_field),
    ("SubmitRegistrationVersion",            submit),
    ("DescribeRegistrations",                describe),
    ("DescribeRegistrationVersions",         describe_versions),
    ("DescribeRegistrationFieldValues",      describe_values),
    ("DescribeRegistrationFieldDefinitions", describe_definitions),
    ("DescribeRegistrationSectionDefinitions", describe_sections),
    ("DescribeRegistrationTypeDefinitions",  describe_types),
    ("CreateRegistrationVersion",            create_version),
    ("DiscardRegistrationVersion",           discard),
    ("DeleteRegistration",                   delete),
];

fn operate(call: &ApiCall<'_>) -> Handled {
    let target = call.received.headers.get("x-amz-target").and_then(|it| it.to_str().ok());
    let name = target.and_then(|it| it.strip_prefix(TARGET)).unwrap_or_default();
    let Some((_, handle)) = OPERATIONS.iter().find(|(operation, _)| *operation == name) else {
        return Err(
            failure(400, "UnknownOperationException", "", "The sandbox has no such operation.").into()
        );
    };
    handle(call, &call.object()?)
}

fn key_of(received: &Received) -> Option<String> {
    sigv4::access_key(received).map(|(key, _)| key)
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base}/ (AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2)") },
        AccessRow {
            label: "secret",
            value: format!("{key} (AWS_SECRET_ACCESS_KEY), with any access key and region"),
        },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let kind = match error {
        ApiError::BadBody(_) | ApiError::TooLarge | ApiError::TooSlow => "ValidationException",
        ApiError::Credentials => "AccessDeniedException",
        ApiError::UnknownPath => "ResourceNotFoundException",
        ApiError::TooMany => "ThrottlingException",
        ApiError::Server => "InternalServerException",
    };
    failure(error.status(), kind, "", error.message())
}

fn failure(status: u16, kind: &str, reason: &str, message: &str) -> ApiReply {
    let mut body = json!({ "__type": kind, "Message": message });
    if !reason.is_empty() {
        body["Reason"] = json!(reason);
    }
    answer(status, &body).assumed(Assumption::AwsErrors)
}

fn conflict(reason: &str, message: &str) -> Refused {
    failure(400, "ConflictException", reason, message).into()
}

fn validation(reason: &str, message: &str) -> Refused {
    failure(400, "ValidationException", reason, message).into()
}

fn missing(what: &str) -> Refused {
    failure(400, "ResourceNotFoundException", "", &format!("The {what} does not exist.")).into()
}

fn answer(status: u16, body: &Value) -> ApiReply {
    ApiReply::text(status, "application/x-amz-json-1.0", body.to_string())
}

fn ok(body: &Value) -> Handled {
    Ok(answer(200, body))
}

/// A string of a request.
fn text<'b>(body: &'b Map<String, Value>, name: &str) -> &'b str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The strings of a list in a request; empty for all.
fn texts<'b>(body: &'b Map<String, Value>, name: &str) -> Vec<&'b str> {
    body.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A time as the protocol has it: seconds.
fn seconds(time: Timestamp) -> f64 {
    time.as_duration().as_secs_f64()
}

fn arn(call: &ApiCall<'_>, what: &str, id: &str) -> String {
    let region = sigv4::access_key(call.received).map(|(_, region)| region).unwrap_or_default();
    format!("arn:aws:sms-voice:{region}:000000000000:{what}/{id}")
}

/// Answers again what a call with the same token was answered, or does it.
fn once(
    call: &ApiCall<'_>,
    body: &Map<String, Value>,
    operation: &str,
    work: impl FnOnce() -> Result<Value, Refused>,
) -> Handled {
    let name = format!("aws-token:{operation}:{}", text(body, "ClientToken"));
    let has_token = !text(body, "ClientToken").is_empty();
    let known = if has_token { call.tables.setting(&name)? } else { None };
    if let Some(known) = known {
        return Ok(ApiReply::text(200, "application/x-amz-json-1.0", known));
    }
    let result = work()?;
    if has_token {
        call.tables.set(&name, &result.to_string())?;
    }
    ok(&result)
}

/// The next id of this kind.
fn next_id(call: &ApiCall<'_>, kind: &str) -> Result<String, Refused> {
    Ok(format!("{kind}-{}", ids::digits(&[NAME, kind, &call.tables.next_filing(NAME, kind)?])))
}
