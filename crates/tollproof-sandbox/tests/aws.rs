//! AWS, walked as its SDKs do: each call is signed.

use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tollproof_sandbox::SandboxOptions;

use crate::client::{Answered, ApiClient};
use crate::explained::leads_back;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Sends a call that is signed with a secret at a time.
fn signed(client: &ApiClient, operation: &str, body: &str, secret: &str, at: Timestamp) -> Answered {
    let time = at.strftime("%Y%m%dT%H%M%SZ").to_string();
    let (date, target) = (&time[..8], format!("PinpointSMSVoiceV2.{operation}"));
    let host = client.sandbox.address();
    let request = format!(
        "POST\n/aws/\n\nhost:{host}\nx-amz-date:{time}\nx-amz-target:{target}\n\nhost;x-amz-date;x-amz-target\n{}",
        hex(&Sha256::digest(body))
    );
    let scope = format!("{date}/us-west-2/sms-voice/aws4_request");
    let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", hex(&Sha256::digest(request)));
    let key = [date, "us-west-2", "sms-voice", "aws4_request"]
        .iter()
        .fold(format!("AWS4{secret}").into_bytes(), |key, part| mac(&key, part));
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential=sandbox-key/{scope}, SignedHeaders=host;x-amz-date;x-amz-target, Signature={}",
        hex(&mac(&key, &text))
    );
    let headers = [
        ("authorization", authorization.as_str()),
        ("x-amz-date", &time),
        ("x-amz-target", &target),
        ("content-type", "application/x-amz-json-1.0"),
    ];
    client.send("POST", "/aws/", body, &headers).expect("it answers")
}

fn send(client: &ApiClient, operation: &str, body: &Value) -> Answered {
    signed(client, operation, &body.to_string(), "sandbox-key", Timestamp::now())
}

fn call(client: &ApiClient, operation: &str, body: &Value) -> Value {
    let answer = send(client, operation, body);
    assert_eq!(answer.status, 200, "{operation}: {answer:?}");
    answer.json()
}

/// The reason with which a call is refused.
fn refusal(client: &ApiClient, operation: &str, body: &Value) -> String {
    let answer = send(client, operation, body);
    assert_eq!(answer.status, 400, "{operation}: {answer:?}");
    let body = answer.json();
    assert!(body["Message"].is_string(), "{body}");
    format!("{} {}", body["__type"], body["Reason"]).replace('"', "")
}

fn draft() -> Value {
    serde_json::from_str(include_str!("../../../schemas/aws/samples/submit-request.json"))
        .expect("it is JSON")
}

fn number() -> Value {
    json!({
        "IsoCountryCode": "US", "MessageType": "TRANSACTIONAL", "NumberCapabilities": ["SMS"],
        "NumberType": "TOLL_FREE",
    })
}

/// Buys a number, and opens a registration for it.
fn registration(client: &ApiClient) -> Value {
    let bought = call(client, "RequestPhoneNumber", &number());
    let kind = json!({ "RegistrationType": "US_TOLL_FREE_REGISTRATION" });
    let created = call(client, "CreateRegistration", &kind);
    let id = &created["RegistrationId"];
    let both = json!({ "RegistrationId": id, "ResourceId": bought["PhoneNumberId"] });
    let associated = call(client, "CreateRegistrationAssociation", &both);
    assert_eq!(associated["PhoneNumber"], bought["PhoneNumber"]);
    id.clone()
}

/// Uploads the image and puts the fields of a draft, one call for each.
fn fill(client: &ApiClient, id: &Value, draft: &Value) {
    let image = json!({ "AttachmentBody": "iVBORw0KGgoAAAANSUhEUg==" });
    let image = call(client, "CreateRegistrationAttachment", &image);
    assert_eq!(image["AttachmentStatus"], "UPLOAD_IN_PROGRESS");
    let wanted = json!({ "RegistrationAttachmentIds": [image["RegistrationAttachmentId"]] });
    let uploaded = call(client, "DescribeRegistrationAttachments", &wanted);
    assert_eq!(uploaded["RegistrationAttachments"][0]["AttachmentStatus"], "UPLOAD_COMPLETE");
    for (path, value) in draft.as_object().expect("it is an object") {
        let mut field = json!({ "RegistrationId": id, "FieldPath": path });
        match path.rsplit('.').next().unwrap_or_default() {
            "optInImage" => field["RegistrationAttachmentId"] = image["RegistrationAttachmentId"].clone(),
            "businessType" | "taxIdAuthority" | "monthlyMessageVolume" | "useCaseCategory" | "optInType" => {
                field["SelectChoices"] = json!([value]);
            }
            _ => field["TextValue"] = value.clone(),
        }
        assert_eq!(call(client, "PutRegistrationFieldValue", &field)["FieldPath"], json!(path));
    }
}

fn aws() -> ApiClient {
    ApiClient::start(SandboxOptions::default())
}

#[test]
fn a_denied_version_is_followed_by_a_better_one() {
    let client = aws();
    let id = registration(&client);
    let of = json!({ "RegistrationId": id });
    let one = json!({ "RegistrationIds": [id] });
    let mut bad = draft();
    bad["messagingUseCase.optInDescription"] = json!("Customers sign up online.");
    fill(&client, &id, &bad);
    let submitted = call(&client, "SubmitRegistrationVersion", &of);
    assert_eq!(submitted["RegistrationVersionStatus"], "SUBMITTED");
    assert!(submitted["RegistrationVersionStatusHistory"]["SubmittedTimestamp"].is_number(), "{submitted}");
    let again = refusal(&client, "SubmitRegistrationVersion", &of);
    assert_eq!(again, "ConflictException REGISTRATION_ALREADY_SUBMITTED");
    let edit = json!({ "RegistrationId": id, "FieldPath": "companyInfo.city", "TextValue": "Madison" });
    let edited = refusal(&client, "PutRegistrationFieldValue", &edit);
    assert_eq!(edited, "ConflictException EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED");

    let found = call(&client, "DescribeRegistrations", &one)["Registrations"][0].clone();
    assert_eq!(
        (&found["RegistrationStatus"], &found["LatestDeniedVersionNumber"]),
        (&json!("REQUIRES_UPDATES"), &json!(1))
    );
    let versions = send(&client, "DescribeRegistrationVersions", &of);
    let denied = versions.json()["RegistrationVersions"][0].clone();
    assert_eq!(denied["RegistrationVersionStatus"], "DENIED", "{denied}");
    assert!(denied["DeniedReasons"][0]["ShortDescription"].is_string(), "{denied}");
    assert_eq!(versions.header("x-tollproof-sandbox"), "assumed");
    leads_back(&client, "aws", &bad, &versions.text);

    let resubmitted = refusal(&client, "SubmitRegistrationVersion", &of);
    assert_eq!(resubmitted, "ConflictException SUBMIT_REGISTRATION_VERSION_NOT_ALLOWED");
    let second = call(&client, "CreateRegistrationVersion", &of);
    assert_eq!(
        (&second["VersionNumber"], &second["RegistrationVersionStatus"]),
        (&json!(2), &json!("DRAFT"))
    );
    let values = call(&client, "DescribeRegistrationFieldValues", &of);
    assert_eq!(values["RegistrationFieldValues"], json!([]), "a new version starts empty");
    fill(&client, &id, &draft());
    call(&client, "SubmitRegistrationVersion", &of);
    let found = call(&client, "DescribeRegistrations", &one)["Registrations"][0].clone();
    assert_eq!(
        (&found["RegistrationStatus"], &found["ApprovedVersionNumber"]),
        (&json!("COMPLETE"), &json!(2))
    );
    let numbers = call(&client, "DescribePhoneNumbers", &json!({}));
    assert_eq!(numbers["PhoneNumbers"][0]["Status"], "ACTIVE");
    let page =
        call(&client, "DescribeRegistrationVersions", &json!({ "RegistrationId": id, "MaxResults": 1 }));
    let next = json!({ "RegistrationId": id, "NextToken": page["NextToken"] });
    let rest = call(&client, "DescribeRegistrationVersions", &next);
    assert_eq!(rest["RegistrationVersions"][0]["RegistrationVersionStatus"], "DENIED", "the history stays");

    let number = json!({ "PhoneNumberId": numbers["PhoneNumbers"][0]["PhoneNumberId"] });
    let kept = refusal(&client, "ReleasePhoneNumber", &number);
    assert_eq!(kept, "ConflictException PHONE_NUMBER_ASSOCIATED_TO_REGISTRATION");
    assert_eq!(call(&client, "DeleteRegistration", &of)["RegistrationStatus"], "DELETED");
    assert_eq!(call(&client, "ReleasePhoneNumber", &number)["Status"], "DELETED");
    assert_eq!(call(&client, "DescribeRegistrations", &json!({}))["Registrations"], json!([]));
    let gone = send(&client, "DescribeRegistrations", &one).json();
    assert_eq!(gone["__type"], "ResourceNotFoundException");
}

#[test]
fn missing_fields_are_denied_and_wrong_values_refused() {
    let client = ApiClient::start(SandboxOptions {
        review: "approve".parse().expect("it is a script"),
        ..SandboxOptions::default()
    });
    let id = registration(&client);
    let of = json!({ "RegistrationId": id });
    let mut short = draft();
    short.as_object_mut().expect("it is an object").remove("companyInfo.city");
    fill(&client, &id, &short);
    let put = |path: &str, name: &str, value: Value| {
        let mut field = json!({ "RegistrationId": id, "FieldPath": path });
        field[name] = value;
        refusal(&client, "PutRegistrationFieldValue", &field)
    };
    let failed = "ValidationException FIELD_VALIDATION_FAILED";
    assert_eq!(
        put("companyInfo.town", "TextValue", json!("x")),
        "ValidationException UNKNOWN_REGISTRATION_FIELD"
    );
    assert_eq!(put("companyInfo.businessType", "SelectChoices", json!(["PRIVATE"])), failed);
    assert_eq!(put("companyInfo.businessType", "TextValue", json!("PRIVATE_PROFIT")), failed);
    assert_eq!(put("messagingUseCase.optInImage", "TextValue", json!("image.png")), failed);
    assert_eq!(put("companyInfo.city", "TextValue", json!("")), "ValidationException INVALID_PARAMETER");
    assert_eq!(
        put("companyInfo.city", "Other", json!("")),
        "ValidationException PARAMETERS_CANNOT_BE_USED_TOGETHER"
    );

    call(&client, "SubmitRegistrationVersion", &of);
    let versions = call(&client, "DescribeRegistrationVersions", &of);
    let reasons = versions["RegistrationVersions"][0]["DeniedReasons"].clone();
    assert_eq!(
        (reasons.as_array().map(Vec::len), &reasons[0]["Reason"]),
        (Some(1), &json!("Missing required field"))
    );
    let values = call(&client, "DescribeRegistrationFieldValues", &of);
    let denied = json!({ "FieldPath": "companyInfo.city", "DeniedReason": "MISSING_REQUIRED_FIELD" });
    assert!(
        values["RegistrationFieldValues"].as_array().expect("it is a list").contains(&denied),
        "{values}"
    );
}

#[test]
fn a_token_makes_a_call_repeatable() {
    let client = aws();
    let mut order = number();
    order["ClientToken"] = json!("reservation-1");
    let first = call(&client, "RequestPhoneNumber", &order);
    assert_eq!(call(&client, "RequestPhoneNumber", &order), first);
    order["MessageType"] = json!("PROMOTIONAL");
    assert_eq!(refusal(&client, "RequestPhoneNumber", &order), "ConflictException RESOURCE_ALREADY_EXISTS");
    let owned = call(&client, "DescribePhoneNumbers", &json!({}));
    assert_eq!(owned["PhoneNumbers"].as_array().map(Vec::len), Some(1));
    let image = json!({ "AttachmentUrl": "s3://images/opt-in.png", "ClientToken": "reservation-1" });
    let attached = call(&client, "CreateRegistrationAttachment", &image);
    let again = call(&client, "CreateRegistrationAttachment", &image);
    assert_eq!(again["CreatedTimestamp"], attached["CreatedTimestamp"]);
    assert_eq!(again["RegistrationAttachmentId"], attached["RegistrationAttachmentId"]);
    let kind = json!({ "RegistrationType": "US_TOLL_FREE_REGISTRATION", "ClientToken": "reservation-1" });
    let created = call(&client, "CreateRegistration", &kind);
    assert_eq!(call(&client, "CreateRegistration", &kind), created);
    let none = refusal(
        &client,
        "SubmitRegistrationVersion",
        &json!({ "RegistrationId": created["RegistrationId"] }),
    );
    assert_eq!(none, "ConflictException REGISTRATION_NOT_COMPLETE", "it has no number");
    let both = json!({ "RegistrationId": created["RegistrationId"], "ResourceId": first["PhoneNumberId"] });
    call(&client, "CreateRegistrationAssociation", &both);
    let again = refusal(&client, "CreateRegistrationAssociation", &both);
    assert_eq!(again, "ConflictException RESOURCE_ALREADY_ASSOCIATED");
}

#[test]
fn calls_must_be_signed() {
    let client = aws();
    let refused = |secret: &str, at: Timestamp| {
        let answer = signed(&client, "DescribeRegistrations", "{}", secret, at);
        assert_eq!(answer.status, 400, "{answer:?}");
        answer.json()["__type"].as_str().expect("it is a text").to_owned()
    };
    assert_eq!(refused("other", Timestamp::now()), "InvalidSignatureException");
    assert_eq!(client.ledger()[0]["operation"], "fetch", "one operation, one name");
    assert_eq!(refused("sandbox-key", Timestamp::UNIX_EPOCH), "InvalidSignatureException");
    let unknown = send(&client, "SendTextMessage", &json!({}));
    assert_eq!((unknown.status, &unknown.json()["__type"]), (404, &json!("UnknownOperationException")));
    let target = [("x-amz-target", "PinpointSMSVoiceV2.RequestPhoneNumber")];
    let unsigned = client.send("POST", "/aws", "{}", &target).expect("it answers");
    assert_eq!((unsigned.status, &unsigned.json()["__type"]), (400, &json!("UnrecognizedClientException")));
    // The clock of the sandbox is not that of its clients.
    client.control("clock", &json!({ "advance": "8d" }));
    call(&client, "DescribeRegistrations", &json!({}));
}

#[test]
fn no_body_breaks_an_operation() {
    let client = aws();
    let id = registration(&client);
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"RegistrationId\":7}",
        "{\"RegistrationId\":\"\"}",
        "{\"RegistrationIds\":{},\"VersionNumbers\":7,\"FieldPaths\":[{}],\"PhoneNumberIds\":[null]}",
        "{\"MaxResults\":0}",
        "{\"NextToken\":\"x\"}",
        "{\"Filters\":[7]}",
        "{\"NumberPreference\":[[]]}",
        "{\"AttachmentBody\":7}",
        "{\"RegistrationType\":[]}",
        "\u{0}",
    ];
    let mine = format!(
        "{{\"RegistrationId\":{id},\"FieldPath\":\"\u{e9}/~1\",\"TextValue\":\"x\",\"ResourceId\":\"/\"}}"
    );
    for operation in [
        "RequestPhoneNumber",
        "DescribePhoneNumbers",
        "ReleasePhoneNumber",
        "CreateRegistration",
        "DescribeRegistrations",
        "DeleteRegistration",
        "CreateRegistrationAssociation",
        "ListRegistrationAssociations",
        "CreateRegistrationAttachment",
        "DescribeRegistrationAttachments",
        "DeleteRegistrationAttachment",
        "PutRegistrationFieldValue",
        "DeleteRegistrationFieldValue",
        "DescribeRegistrationFieldValues",
        "SubmitRegistrationVersion",
        "CreateRegistrationVersion",
        "DiscardRegistrationVersion",
        "DescribeRegistrationVersions",
        "DescribeRegistrationFieldDefinitions",
        "DescribeRegistrationSectionDefinitions",
        "DescribeRegistrationTypeDefinitions",
    ] {
        for body in bodies.iter().copied().chain([mine.as_str()]) {
            let answer = signed(&client, operation, body, "sandbox-key", Timestamp::now());
            assert!(matches!(answer.status, 200 | 400), "{operation} {body}: {answer:?}");
            assert!(
                answer.status == 200 || answer.json()["__type"].is_string(),
                "{operation} {body}: {answer:?}"
            );
        }
    }
}
