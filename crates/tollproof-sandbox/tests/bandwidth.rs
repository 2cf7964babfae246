//! Bandwidth, walked from its specification: JSON for verifications, XML for orders.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

pub(crate) const ACCOUNT: &str = "/bandwidth/api/v2/accounts/9900001";

/// The user name `user` and `sandbox-key`.
const BASIC: &str = "Basic dXNlcjpzYW5kYm94LWtleQ==";

pub(crate) fn start() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("authorization", BASIC)
}

pub(crate) fn draft(numbers: &[&str]) -> Value {
    let text = include_str!("../../../schemas/bandwidth/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["phoneNumbers"] = json!(numbers);
    draft
}

fn order(client: &ApiClient, numbers: &[&str]) -> u16 {
    let numbers: String =
        numbers.iter().map(|it| format!("<TelephoneNumber>{it}</TelephoneNumber>")).collect();
    let order = format!(
        "<Order><SiteId>1</SiteId><ExistingTelephoneNumberOrderType><TelephoneNumberList>{numbers}\
         </TelephoneNumberList></ExistingTelephoneNumberOrderType></Order>"
    );
    let xml = [("content-type", "application/xml")];
    client.send("POST", &format!("{ACCOUNT}/orders"), &order, &xml).expect("it answers").status
}

pub(crate) fn verification(number: &str) -> String {
    format!("{ACCOUNT}/phoneNumbers/%2B1{number}/tollFreeVerification")
}

#[test]
fn a_denial_is_repaired() {
    let client = start();
    let found = client.get(&format!("{ACCOUNT}/availableNumbers?tollFreeWildCardPattern=83*&quantity=2"));
    assert!(found.text.contains("<TelephoneNumber>8335550000</TelephoneNumber>"), "{found:?}");
    assert_eq!(order(&client, &["8335550000", "8335550001"]), 201);
    assert_eq!(order(&client, &["8335550001"]), 400, "it is sold");
    let mut bad = draft(&["+18335550000"]);
    bad["optInWorkflow"]["description"] = json!("Online.");
    bad["businessContact"]["email"] = json!("larkmoor@gmail.com");
    let path = format!("{ACCOUNT}/tollFreeVerification");
    let submitted = client.json("POST", &path, &bad);
    assert_eq!((submitted.status, submitted.text.as_str()), (202, ""));
    let again = client.json("POST", &path, &bad);
    assert_eq!(again.status, 400);
    assert!(again.json()["errors"]["phoneNumbers"][0].is_string(), "{again:?}");
    let denied = client.get(&verification("8335550000"));
    let record = denied.json();
    assert_eq!((&record["status"], &record["resubmitAllowed"]), (&json!("UNVERIFIED"), &json!(true)));
    assert_eq!(record["denialStatusCode"], json!(1101), "a code of Bandwidth: {record}");
    assert_eq!(record["additionalDenialReasons"].as_array().map(Vec::len), Some(1));
    leads_back(&client, "bandwidth", &bad, &denied.text);

    let mut good = draft(&[]);
    good.as_object_mut().expect("it is an object").remove("phoneNumbers");
    assert_eq!(client.json("PUT", &verification("8335550000"), &good).status, 202);
    assert_eq!(client.get(&verification("8335550000")).json()["status"], "VERIFIED");
    assert_eq!(client.json("PUT", &verification("8335550000"), &good).status, 400, "it is verified");
    let deleted = client.send("DELETE", &verification("8335550000"), "", &[]).expect("it answers");
    assert_eq!(deleted.status, 204);
    assert_eq!(client.get(&verification("8335550000")).status, 404);
}

#[test]
fn a_token_is_as_good_as_the_password() {
    let client = ApiClient::start(SandboxOptions::default());
    let token = client.send(
        "POST",
        "/bandwidth/api/v1/oauth2/token",
        "grant_type=client_credentials",
        &[("authorization", BASIC)],
    );
    let token = token.expect("it answers").json()["access_token"].as_str().expect("it has one").to_owned();
    let path = "/bandwidth/api/v2/tollFreeVerification/useCases";
    let bearer = format!("Bearer {token}");
    let cases = client.send("GET", path, "", &[("authorization", &bearer)]).expect("it answers");
    assert_eq!((cases.status, &cases.json()[0]), (200, &json!("2FA")));
    let wrong = client.send("GET", path, "", &[("authorization", "Bearer sandbox-key")]).expect("it answers");
    assert_eq!((wrong.status, &wrong.json()["type"]), (401, &json!("unauthorized")));
}

#[test]
fn what_is_wrong_is_named_by_dotted_paths() {
    let client = start();
    let mut bad = draft(&["+18335550000"]);
    bad["businessAddress"].as_object_mut().expect("it is an object").remove("zip");
    let refused = client.json("POST", &format!("{ACCOUNT}/tollFreeVerification"), &bad);
    assert_eq!(refused.status, 400);
    assert!(refused.json()["errors"]["businessAddress.zip"][0].is_string(), "{refused:?}");
}
