//! Twilio, walked with forms as its SDKs send them.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::{Answered, ApiClient};
use crate::explained::leads_back;

const ACCOUNT: &str = "/twilio/api/2010-04-01/Accounts/AC07e4b9d13f8a4c26905be1d7f3a86c42";
const VERIFICATIONS: &str = "/twilio/messaging/v1/Tollfree/Verifications";

fn twilio() -> ApiClient {
    start(SandboxOptions::default())
}

pub(crate) fn start(options: SandboxOptions) -> ApiClient {
    // The account and `sandbox-key`.
    let credentials = "Basic QUMwN2U0YjlkMTNmOGE0YzI2OTA1YmUxZDdmM2E4NmM0MjpzYW5kYm94LWtleQ==";
    ApiClient::start(options).with("authorization", credentials)
}

fn post(client: &ApiClient, path: &str, form: &str) -> Answered {
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    client.send("POST", path, form, &kind).expect("it answers")
}

/// A draft as a form: the items of a list are repeated names.
fn form(draft: &Value) -> String {
    let mut pairs = Vec::new();
    for (name, value) in draft.as_object().expect("it is an object") {
        let items = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        for item in items {
            let text = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            let escaped: String = text.bytes().map(|it| format!("%{it:02X}")).collect();
            pairs.push(format!("{name}={escaped}"));
        }
    }
    pairs.join("&")
}

fn draft(number: &str) -> Value {
    let text = include_str!("../../../schemas/twilio/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["TollfreePhoneNumberSid"] = json!(number);
    draft
}

fn buy(client: &ApiClient) -> String {
    let found =
        client.get(&format!("{ACCOUNT}/AvailablePhoneNumbers/US/TollFree.json?PageSize=2&AreaCode=844"));
    let number = found.json()["available_phone_numbers"][0]["phone_number"].clone();
    let number = number.as_str().expect("it has a number").to_owned();
    assert!(number.starts_with("+1844"), "{number}");
    let order = format!("PhoneNumber=%2B{}&FriendlyName=ours", &number[1..]);
    let bought = post(client, &format!("{ACCOUNT}/IncomingPhoneNumbers.json"), &order);
    assert_eq!(bought.status, 201, "{bought:?}");
    let again = post(client, &format!("{ACCOUNT}/IncomingPhoneNumbers.json"), &order);
    assert_eq!((again.status, &again.json()["code"]), (400, &json!(21422)), "it is sold");
    let listed =
        client.get(&format!("{ACCOUNT}/IncomingPhoneNumbers/TollFree.json?PhoneNumber=%2B{}", &number[1..]));
    let sid = bought.json()["sid"].as_str().expect("it has an id").to_owned();
    assert_eq!(listed.json()["incoming_phone_numbers"][0]["sid"], json!(sid));
    sid
}

#[test]
fn a_rejection_is_repaired() {
    let client = twilio();
    let number = buy(&client);
    let mut bad = draft(&number);
    bad["AdditionalInformation"] = json!("Online.");
    bad["UseCaseSummary"] = json!("We send texts.");
    let submitted = post(&client, VERIFICATIONS, &form(&bad));
    assert_eq!(submitted.status, 201, "{submitted:?}");
    let record = submitted.json();
    assert_eq!((&record["status"], &record["edit_allowed"]), (&json!("PENDING_REVIEW"), &json!(null)));
    assert_eq!(record["use_case_categories"], json!(["DELIVERY_NOTIFICATIONS"]));
    assert_eq!(record["age_gated_content"], json!(false));
    let again = post(&client, VERIFICATIONS, &form(&bad));
    assert_eq!((again.status, &again.json()["status"]), (400, &json!(400)), "{again:?}");

    // A lost submission is found by the reference.
    let found = client.get(&format!("{VERIFICATIONS}?ExternalReferenceId=fernhollow-2026-11&PageSize=1"));
    assert_eq!(found.json()["verifications"][0]["sid"], record["sid"]);
    assert_eq!(
        client.get(&format!("{VERIFICATIONS}?ExternalReferenceId=x")).json()["verifications"],
        json!([])
    );

    let path = format!("{VERIFICATIONS}/{}", record["sid"].as_str().expect("it is a text"));
    let rejected = client.get(&path);
    let record = rejected.json();
    assert_eq!((&record["status"], &record["edit_allowed"]), (&json!("TWILIO_REJECTED"), &json!(true)));
    assert!(record["edit_expiration"].is_string() && record["error_code"].is_u64(), "{record}");
    leads_back(&client, "twilio", &bad, &rejected.text);

    let good = draft(&number);
    let changes = json!({
        "AdditionalInformation": good["AdditionalInformation"], "UseCaseSummary": good["UseCaseSummary"],
        "EditReason": "Said more",
    });
    let updated = post(&client, &path, &form(&changes));
    assert_eq!((updated.status, &updated.json()["status"]), (202, &json!("PENDING_REVIEW")), "{updated:?}");
    assert_eq!(client.get(&path).json()["status"], "TWILIO_APPROVED");
    assert_eq!(post(&client, &path, "EditReason=again").status, 400);

    assert_eq!(client.send("DELETE", &path, "", &[]).expect("it answers").status, 204);
    assert_eq!(client.get(&path).status, 404);
    assert_eq!(post(&client, VERIFICATIONS, &form(&good)).status, 201, "the number is free again");
}

#[test]
fn lists_have_pages_and_edits_end() {
    let client = twilio();
    client.control("review", &json!({ "review": "reject 30513" }));
    for _ in 0..3 {
        let number = buy(&client);
        assert_eq!(post(&client, VERIFICATIONS, &form(&draft(&number))).status, 201);
    }
    let mut url = format!("{VERIFICATIONS}?PageSize=2");
    let mut sids = Vec::new();
    loop {
        let page = client.get(&url).json();
        sids.extend(
            page["verifications"].as_array().expect("it is a list").iter().map(|it| it["sid"].clone()),
        );
        let Some(next) = page["meta"]["next_page_url"].as_str() else { break };
        url = next.strip_prefix(&client.sandbox.url()).expect("it is of the sandbox").to_owned();
    }
    assert_eq!(sids.len(), 3);
    let path = format!("{VERIFICATIONS}/{}", sids[0].as_str().expect("it is a text"));
    client.control("clock", &json!({ "advance": "8d" }));
    assert_eq!(client.get(&path).json()["edit_allowed"], json!(false));
    assert_eq!(post(&client, &path, "EditReason=late").status, 400);
    let missing = post(&client, VERIFICATIONS, "BusinessName=Acme");
    assert_eq!((missing.status, &missing.json()["code"]), (400, &json!(20001)));
}

/// Buys a number and submits a draft without a finding.
pub(crate) fn submit(client: &ApiClient) {
    let submitted = post(client, VERIFICATIONS, &form(&draft(&buy(client))));
    assert_eq!(submitted.status, 201, "{submitted:?}");
}
