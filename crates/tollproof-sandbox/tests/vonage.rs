//! Vonage, walked by a plain client.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::{Answered, ApiClient};
use crate::explained::leads_back;

const REGISTRATIONS: &str = "/vonage/tfn/v1/registrations";

fn vonage() -> ApiClient {
    // The API key `key` with the secret `sandbox-key`.
    ApiClient::start(SandboxOptions::default()).with("authorization", "Basic a2V5OnNhbmRib3gta2V5")
}

fn draft(status: &str) -> Value {
    let text = include_str!("../../../schemas/vonage/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["status"] = json!(status);
    draft
}

fn post_form(client: &ApiClient, path: &str, body: &str) -> Answered {
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    client.send("POST", path, body, &headers).expect("it answers")
}

fn buy(client: &ApiClient) -> String {
    let query = "country=US&type=landline-toll-free&features=SMS&pattern=1844&size=1";
    let found = client.get(&format!("/vonage/rest/number/search?{query}")).json();
    assert_eq!(found["numbers"].as_array().map(Vec::len), Some(1), "{found}");
    let number = found["numbers"][0]["msisdn"].as_str().expect("it is a text").to_owned();
    assert!(number.starts_with("1844"), "{number}");
    let form = format!("country=US&msisdn={number}");
    let bought = post_form(client, "/vonage/rest/number/buy", &form);
    assert_eq!((bought.status, &bought.json()["error-code"]), (200, &json!("200")));
    let again = post_form(client, "/vonage/rest/number/buy", &form);
    assert_eq!((again.status, &again.json()["error-code"]), (420, &json!("420")), "it is sold");
    let own = client.get(&format!("/vonage/rest/account/numbers?pattern={number}")).json();
    assert_eq!((&own["count"], &own["numbers"][0]["msisdn"]), (&json!(1), &json!(number)));
    number
}

#[test]
fn a_rejection_is_repaired() {
    let client = vonage();
    let number = buy(&client);
    let mut bad = draft("SUBMITTED");
    bad["numbers"] = json!([number]);
    bad["business"]["contact"]["email"] = json!("gareth.lindholm@gmail.com");
    let submitted = client.json("POST", REGISTRATIONS, &bad);
    assert_eq!(submitted.status, 200, "{submitted:?}");
    assert!(submitted.header("x-tollproof-sandbox-assumption").contains("vonage-numbers"));
    let again = client.json("POST", REGISTRATIONS, &bad);
    assert_eq!((again.status, &again.json()["error-code"]), (400, &json!("400")), "{again:?}");

    let one = format!("{REGISTRATIONS}/{}", submitted.json()["id"].as_str().expect("it is a text"));
    let rejected = client.get(&one);
    assert_eq!(rejected.json()["status"], "REJECTED", "{rejected:?}");
    leads_back(&client, "vonage", &bad, &rejected.text);
    let listed = client.get("/vonage/tfn/v1/numbers").json();
    assert_eq!(listed["numbers"][0]["registration_id"], submitted.json()["id"]);
    assert_eq!(listed["numbers"][0]["status"], "REJECTED");

    let change = json!({ "business": { "contact": { "email": draft("")["business"]["contact"]["email"] } } });
    let updated = client.json("PATCH", &one, &change);
    assert_eq!((updated.status, &updated.json()["id"]), (200, &submitted.json()["id"]), "{updated:?}");
    let approved = client.get(&one).json();
    assert_eq!((&approved["status"], &approved["numbers"]), (&json!("REGISTERED"), &json!([number])));
    assert_eq!(approved["business"]["name"], bad["business"]["name"], "what did not change is kept");
    assert_eq!(client.json("PATCH", &one, &change).status, 400, "it is registered");
    let events = client.get(&format!("{one}/events")).json();
    let events: Vec<&Value> =
        events["events"].as_array().expect("it is a list").iter().map(|it| &it["status"]).collect();
    assert_eq!(events, ["CARRIER_REVIEW", "REJECTED", "CARRIER_REVIEW", "REGISTERED"]);
}

#[test]
fn a_draft_is_saved_and_then_sent() {
    let client = vonage();
    assert_eq!(client.json("POST", REGISTRATIONS, &draft("DRAFT")).status, 400, "it names no number");
    let number = buy(&client);
    let saved = client.json("POST", REGISTRATIONS, &draft("DRAFT"));
    let one = format!("{REGISTRATIONS}/{}", saved.json()["id"].as_str().expect("it is a text"));
    let found = client.get(&one).json();
    assert_eq!((&found["status"], &found["numbers"]), (&json!("DRAFT"), &json!([number])));
    assert_eq!(client.json("PATCH", &one, &json!({ "numbers": ["18335559999"] })).status, 400);
    assert_eq!(client.json("PATCH", &one, &json!({ "business": { "dba": "Marrowstone" } })).status, 200);
    assert_eq!(client.get(&one).json()["status"], "DRAFT");
    assert_eq!(client.json("PATCH", &one, &json!({ "status": "SUBMITTED" })).status, 200);
    assert_eq!(client.get(&one).json()["status"], "REGISTERED");
}

#[test]
fn what_is_invalid_has_the_shape_of_an_error() {
    let client = vonage();
    let refused = client.json("POST", REGISTRATIONS, &json!({ "business": { "name": 7 } }));
    assert_eq!((refused.status, &refused.json()["error-code"]), (400, &json!("400")));
    let label = refused.json()["error-code-label"].as_str().expect("it is a text").to_owned();
    assert!(label.starts_with("business"), "{label}");
    assert_eq!(client.get(&format!("{REGISTRATIONS}/x")).status, 404);
    assert_eq!(post_form(&client, "/vonage/rest/number/buy", "country=US").status, 420);
    let other = ApiClient::start(SandboxOptions::default()).with("authorization", "Basic a2V5OngK");
    assert_eq!(other.get("/vonage/tfn/v1/numbers").json()["error-code"], "401");
}
