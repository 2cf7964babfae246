//! AWS, walked call by call, each signed.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tollproof_sandbox::SandboxOptions;

use crate::client::{Answered, ApiClient};
use crate::explained::leads_back;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Sends an operation, signed with a secret.
fn signed(client: &ApiClient, secret: &str, operation: &str, body: &str) -> Answered {
    let (date, day) = ("20261114T080000Z", "20261114");
    let scope = format!("{day}/us-east-1/sms-voice/aws4_request");
    let (host, target) = (client.sandbox.address().to_string(), format!("PinpointSMSVoiceV2.{operation}"));
    let names = "content-type;host;x-amz-date;x-amz-target";
    let kind = "application/x-amz-json-1.0";
    let headers = format!("content-type:{kind}\nhost:{host}\nx-amz-date:{date}\nx-amz-target:{target}\n");
    let request = format!("POST\n/aws/\n\n{headers}\n{names}\n{}", hex(&Sha256::digest(body)));
    let text = format!("AWS4-HMAC-SHA256\n{date}\n{scope}\n{}", hex(&Sha256::digest(request)));
    let key = scope.split('/').fold(format!("AWS4{secret}").into_bytes(), |key, part| mac(&key, part));
    let credentials = format!(
        "AWS4-HMAC-SHA256 Credential=AKIDSANDBOX/{scope}, SignedHeaders={names}, Signature={}",
        hex(&mac(&key, &text))
    );
    let headers = [
        ("authorization", credentials.as_str()),
        ("content-type", kind),
        ("x-amz-date", date),
        ("x-amz-target", &target),
    ];
    client.send("POST", "/aws/", body, &headers).expect("it answers")
}

fn call(client: &ApiClient, operation: &str, body: &Value) -> Value {
    let answer = signed(client, "sandbox-key", operation, &body.to_string());
    assert_eq!(answer.status, 200, "{operation}: {answer:?}");
    answer.json()
}

/// The type and the reason of an error.
fn refused(client: &ApiClient, operation: &str, body: &Value) -> (String, String) {
    let answer = signed(client, "sandbox-key", operation, &body.to_string());
    assert_eq!(answer.status, 400, "{operation}: {answer:?}");
    let text = |name: &str| answer.json()[name].as_str().unwrap_or_default().to_owned();
    (text("__type"), text("Reason"))
}

fn fields() -> Value {
    let text = include_str!("../../../schemas/aws/samples/submit-request.json");
    serde_json::from_str(text).expect("it is JSON")
}

fn fill(client: &ApiClient, registration: &Value, fields: &Value, image: &Value) {
    for (path, value) in fields.as_object().expect("it is an object") {
        let mut put = json!({ "RegistrationId": registration, "FieldPath": path });
        match path.as_str() {
            "messagingUseCase.optInImage" => put["RegistrationAttachmentId"] = image.clone(),
            "messagingUseCase.useCaseCategory" => put["SelectChoices"] = json!([value]),
            _ => put["TextValue"] = value.clone(),
        }
        call(client, "PutRegistrationFieldValue", &put);
    }
}

#[test]
fn a_denied_version_is_followed_by_a_new_one() {
    let client = ApiClient::start(SandboxOptions::default());
    let order = json!({
        "IsoCountryCode": "US", "MessageType": "TRANSACTIONAL", "NumberCapabilities": ["SMS"],
        "NumberType": "TOLL_FREE", "ClientToken": "order-1",
    });
    let number = call(&client, "RequestPhoneNumber", &order);
    assert_eq!(call(&client, "RequestPhoneNumber", &order), number, "the token makes it repeatable");
    let start = json!({ "RegistrationType": "US_TOLL_FREE_REGISTRATION", "ClientToken": "start-1" });
    let registration = call(&client, "CreateRegistration", &start)["RegistrationId"].clone();
    assert_eq!(call(&client, "CreateRegistration", &start)["RegistrationId"], registration);
    let of = json!({ "RegistrationId": registration });
    assert_eq!(refused(&client, "SubmitRegistrationVersion", &of).1, "REGISTRATION_NOT_COMPLETE");
    let association = json!({ "RegistrationId": registration, "ResourceId": number["PhoneNumberId"] });
    assert_eq!(
        call(&client, "CreateRegistrationAssociation", &association)["PhoneNumber"],
        number["PhoneNumber"]
    );
    assert_eq!(
        refused(&client, "CreateRegistrationAssociation", &association).1,
        "RESOURCE_ALREADY_ASSOCIATED"
    );
    let image = call(&client, "CreateRegistrationAttachment", &json!({ "AttachmentBody": "iVBORw0KGgo=" }));
    let image = image["RegistrationAttachmentId"].clone();
    let attachments = call(&client, "DescribeRegistrationAttachments", &json!({}));
    assert_eq!(attachments["RegistrationAttachments"][0]["AttachmentStatus"], "UPLOAD_COMPLETE");

    let mut bad = fields();
    bad["messagingUseCase.optInDescription"] = json!("Online.");
    fill(&client, &registration, &bad, &image);
    let submitted = call(&client, "SubmitRegistrationVersion", &of);
    assert_eq!(submitted["RegistrationVersionStatus"], "SUBMITTED");
    assert_eq!(
        refused(&client, "SubmitRegistrationVersion", &of),
        ("ConflictException".to_owned(), "REGISTRATION_ALREADY_SUBMITTED".to_owned())
    );
    let decided = client.get("/_sandbox/submissions").json();
    let submission = decided["submissions"][0].clone();
    client.control("decide", &json!({ "provider": "aws", "id": submission["id"], "reject": ["30513"] }));
    let all = call(&client, "DescribeRegistrations", &json!({ "RegistrationIds": [registration] }));
    assert_eq!(all["Registrations"][0]["RegistrationStatus"], "REQUIRES_UPDATES");
    let versions = call(&client, "DescribeRegistrationVersions", &of);
    assert_eq!(versions["RegistrationVersions"][0]["DeniedReasons"][0]["Reason"], "Unclear Opt-in Language");
    let put =
        json!({ "RegistrationId": registration, "FieldPath": "companyInfo.city", "TextValue": "Madison" });
    assert_eq!(
        refused(&client, "PutRegistrationFieldValue", &put).1,
        "EDIT_REGISTRATION_FIELD_VALUES_NOT_ALLOWED"
    );

    let version = call(&client, "CreateRegistrationVersion", &of);
    assert_eq!(
        (&version["VersionNumber"], &version["RegistrationVersionStatus"]),
        (&json!(2), &json!("DRAFT"))
    );
    assert_eq!(
        refused(&client, "SubmitRegistrationVersion", &of).1,
        "FIELD_VALIDATION_FAILED",
        "it is empty"
    );
    fill(&client, &registration, &fields(), &image);
    call(&client, "SubmitRegistrationVersion", &of);
    client.control("decide", &json!({ "provider": "aws", "id": registration }));
    let versions = call(&client, "DescribeRegistrationVersions", &of)["RegistrationVersions"].clone();
    let statuses = [&versions[0]["RegistrationVersionStatus"], &versions[1]["RegistrationVersionStatus"]];
    assert_eq!(statuses, ["APPROVED", "DENIED"], "{versions}");
    let numbers = call(&client, "DescribePhoneNumbers", &json!({}));
    assert_eq!(numbers["PhoneNumbers"][0]["Status"], "ACTIVE");
    let values = call(
        &client,
        "DescribeRegistrationFieldValues",
        &json!({ "RegistrationId": registration, "VersionNumber": 1 }),
    );
    assert_eq!(
        values["RegistrationFieldValues"].as_array().map(Vec::len),
        bad.as_object().map(serde_json::Map::len)
    );
    assert_eq!(call(&client, "DeleteRegistration", &of)["RegistrationStatus"], "DELETED");
    assert_eq!(refused(&client, "DescribeRegistrationVersions", &of).0, "ResourceNotFoundException");
}

#[test]
fn the_review_goes_by_the_rules_and_leads_back() {
    let client = ApiClient::start(SandboxOptions::default());
    let order = json!({ "IsoCountryCode": "US", "NumberType": "TOLL_FREE" });
    let number = call(&client, "RequestPhoneNumber", &order)["PhoneNumberId"].clone();
    let start = json!({ "RegistrationType": "US_TOLL_FREE_REGISTRATION" });
    let registration = call(&client, "CreateRegistration", &start)["RegistrationId"].clone();
    call(
        &client,
        "CreateRegistrationAssociation",
        &json!({ "RegistrationId": registration, "ResourceId": number }),
    );
    let mut bad = fields();
    bad["messagingUseCase.optInDescription"] = json!("Online.");
    fill(&client, &registration, &bad, &json!("attachment-1"));
    call(&client, "SubmitRegistrationVersion", &json!({ "RegistrationId": registration }));
    let versions = call(&client, "DescribeRegistrationVersions", &json!({ "RegistrationId": registration }));
    assert_eq!(versions["RegistrationVersions"][0]["RegistrationVersionStatus"], "DENIED");
    leads_back(&client, "aws", &bad, &versions.to_string());
}

#[test]
fn a_wrong_secret_signs_nothing() {
    let client = ApiClient::start(SandboxOptions::default());
    let wrong = signed(&client, "other", "DescribePhoneNumbers", "{}");
    assert_eq!((wrong.status, &wrong.json()["__type"]), (401, &json!("AccessDeniedException")), "{wrong:?}");
    let ledger = client.ledger();
    assert_eq!(ledger[0]["operation"], "DescribePhoneNumbers");
    assert_eq!(refused(&client, "SendTextMessage", &json!({})).0, "UnknownOperationException");
    let definitions = call(&client, "DescribeRegistrationFieldDefinitions", &json!({}));
    assert!(definitions["RegistrationFieldDefinitions"].as_array().map(Vec::len) > Some(20));
    for body in ["", "[]", "{", "null"] {
        let answer = signed(&client, "sandbox-key", "CreateRegistration", body);
        assert_eq!((answer.status, &answer.json()["__type"]), (400, &json!("ValidationException")), "{body}");
    }
}
