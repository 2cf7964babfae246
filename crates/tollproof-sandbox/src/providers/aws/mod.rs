//! AWS End User Messaging: sms-voice with `X-Amz-Target` and Signature Version 4.

mod attachments;
mod definitions;
mod fields;
mod numbers;
mod registration;
mod registrations;
mod request;
mod sigv4;
mod versions;

use jiff::Timestamp;
use serde_json::{Value, json};

use self::request::AwsRequest;
use self::sigv4::{Authorization, SignatureError};
use super::{merge, route};
use crate::api::{AccessRow, Allows, ApiCall, ApiError, ApiRoute, ApiSurface, Handled, Received};
use crate::assumptions::Assumption;
use crate::options::SandboxOptions;
use crate::reply::ApiReply;

pub(super) static SURFACE: ApiSurface =
    ApiSurface { name: NAME, routes, key_of, allows: Allows::Signature(verify), error, access };

const NAME: &str = "aws";

/// The name of an operation in the ledger, its name at AWS, and what answers it.
type Operation = (&'static str, &'static str, fn(&AwsRequest<'_>) -> Handled);

#[rustfmt::skip]
const OPERATIONS: &[Operation] = &[
    ("buy",           "PinpointSMSVoiceV2.RequestPhoneNumber",              numbers::buy),
    ("numbers",       "PinpointSMSVoiceV2.DescribePhoneNumbers",            numbers::describe),
    ("release",       "PinpointSMSVoiceV2.ReleasePhoneNumber",              numbers::release),
    ("create",        "PinpointSMSVoiceV2.CreateRegistration",              registrations::create),
    ("fetch",         "PinpointSMSVoiceV2.DescribeRegistrations",           registrations::describe),
    ("delete",        "PinpointSMSVoiceV2.DeleteRegistration",              registrations::delete),
    ("associate",     "PinpointSMSVoiceV2.CreateRegistrationAssociation",   registrations::associate),
    ("associations",  "PinpointSMSVoiceV2.ListRegistrationAssociations",    registrations::associations),
    ("attach",        "PinpointSMSVoiceV2.CreateRegistrationAttachment",    attachments::create),
    ("attachments",   "PinpointSMSVoiceV2.DescribeRegistrationAttachments", attachments::describe),
    ("detach",        "PinpointSMSVoiceV2.DeleteRegistrationAttachment",    attachments::delete),
    ("put field",     "PinpointSMSVoiceV2.PutRegistrationFieldValue",       fields::put),
    ("delete field",  "PinpointSMSVoiceV2.DeleteRegistrationFieldValue",    fields::delete),
    ("fields",        "PinpointSMSVoiceV2.DescribeRegistrationFieldValues", fields::describe),
    ("definitions",   "PinpointSMSVoiceV2.DescribeRegistrationFieldDefinitions",   definitions::fields),
    ("sections",      "PinpointSMSVoiceV2.DescribeRegistrationSectionDefinitions", definitions::sections),
    ("types",         "PinpointSMSVoiceV2.DescribeRegistrationTypeDefinitions",    definitions::types),
    ("submit",        "PinpointSMSVoiceV2.SubmitRegistrationVersion",       versions::submit),
    ("new version",   "PinpointSMSVoiceV2.CreateRegistrationVersion",       versions::create),
    ("discard",       "PinpointSMSVoiceV2.DiscardRegistrationVersion",      versions::discard),
    ("versions",      "PinpointSMSVoiceV2.DescribeRegistrationVersions",    versions::describe),
];

/// All operations are at the address itself, which some SDKs write with a slash at its end.
fn routes(_: &SandboxOptions) -> Vec<ApiRoute> {
    let at = |path: &'static str| {
        OPERATIONS.iter().map(move |&(operation, target, _)| ApiRoute {
            target: Some(target),
            ..route(operation, "POST", path, handle)
        })
    };
    at("").chain(at("/")).collect()
}

/// The access key, which may be any.
fn handle(call: &ApiCall<'_>) -> Handled {
    let is_asked = |operation: &&Operation| call.received.target() == Some(operation.1);
    let (.., handle) = OPERATIONS.iter().find(is_asked).expect("the route has its target");
    handle(&AwsRequest::of(call)?)
}

fn key_of(received: &Received) -> Option<String> {
    Authorization::of(&received.headers).map(|it| it.access_key.to_owned())
}

/// Checks that a request is signed for this service with a secret.
fn verify(received: &Received, secret: &str) -> Result<(), ApiReply> {
    let Some(authorization) = Authorization::of(&received.headers) else {
        return Err(error(ApiError::Credentials));
    };
    // Clients sign with the time of their own clock, which the one of the sandbox does not move.
    let verified = authorization.verify(received, secret, "sms-voice", Timestamp::now());
    let refused = |name: &str, message: &str| {
        exception(name, "", message, &Value::Null).assumed(Assumption::AwsCredentials)
    };
    verified.map_err(|error| match error {
        SignatureError::Incomplete => refused(
            "IncompleteSignatureException",
            "Host, X-Amz-Date and the other X-Amz headers must be there and signed.",
        ),
        SignatureError::Expired => {
            refused("InvalidSignatureException", "Signature expired: the time is too far from now.")
        }
        SignatureError::Mismatch => refused(
            "InvalidSignatureException",
            "The request signature we calculated does not match the signature you provided.",
        ),
    })
}

fn access(base: &str, key: &str) -> Vec<AccessRow> {
    vec![
        AccessRow { label: "address", value: format!("{base} (AWS_ENDPOINT_URL_PINPOINT_SMS_VOICE_V2)") },
        AccessRow {
            label: "secret",
            value: format!("{key} (AWS_SECRET_ACCESS_KEY), with any access key and region"),
        },
    ]
}

fn error(error: ApiError<'_>) -> ApiReply {
    let (status, name) = match error {
        ApiError::BadBody(_) | ApiError::TooLarge => (400, "SerializationException"),
        ApiError::Credentials => (400, "UnrecognizedClientException"),
        ApiError::UnknownPath => (404, "UnknownOperationException"),
        ApiError::TooSlow => (408, "RequestTimeoutException"),
        ApiError::TooMany => (400, "ThrottlingException"),
        ApiError::Server => (500, "InternalServerException"),
    };
    let assumption = match error {
        ApiError::Credentials => Assumption::AwsCredentials,
        _ => Assumption::AwsErrors,
    };
    let body = json!({ "__type": name, "Message": error.message() });
    ApiReply::text(status, CONTENT_TYPE, body.to_string()).assumed(assumption)
}

const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

fn answer(body: &Value) -> ApiReply {
    ApiReply::text(200, CONTENT_TYPE, body.to_string())
}

/// An exception: its name, why, and what else it says.
fn exception(name: &str, reason: &str, message: &str, more: &Value) -> ApiReply {
    let mut body = json!({ "__type": name, "Message": message });
    if !reason.is_empty() {
        body["Reason"] = json!(reason);
    }
    merge(&mut body, more);
    ApiReply::text(400, CONTENT_TYPE, body.to_string()).assumed(Assumption::AwsErrors)
}

/// A parameter or a value that is wrong.
fn invalid(reason: &str, field: &str, message: &str) -> ApiReply {
    let fields = json!({ "Fields": [{ "Name": field, "Message": message }] });
    exception("ValidationException", reason, message, &fields)
}

/// Something that the state of a resource does not allow.
fn conflict(reason: &str, resource: &str, id: &str, message: &str) -> ApiReply {
    let about = json!({ "ResourceType": resource, "ResourceId": id });
    exception("ConflictException", reason, message, &about)
}

fn not_found(resource: &str, id: &str) -> ApiReply {
    let about = json!({ "ResourceType": resource, "ResourceId": id });
    exception("ResourceNotFoundException", "", "The resource does not exist.", &about)
}
