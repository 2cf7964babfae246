//! Surge, walked by a plain client.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

const ACCOUNT: &str = "/surge/accounts/acct_01j9a43avnfqzbjfch6pygv1td";

fn surge() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("authorization", "Bearer sandbox-key")
}

fn draft(number: &Value) -> Value {
    let text = include_str!("../../../schemas/surge/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["phone_number_id"] = number.clone();
    draft
}

/// Buys a number and returns its id.
fn buy(client: &ApiClient) -> Value {
    let found = client
        .get(&format!("{ACCOUNT}/available_phone_numbers?type=toll_free&country=US&area_code=855"))
        .json();
    let number = &found["data"][0]["number"];
    assert!(number.as_str().is_some_and(|it| it.starts_with("+1855")), "{found}");
    let all = format!("{ACCOUNT}/phone_numbers");
    let bought = client.json("POST", &all, &json!({ "phone_number": number, "name": "Lessons" }));
    assert_eq!((bought.status, &bought.json()["name"]), (201, &json!("Lessons")), "{bought:?}");
    let id = bought.json()["id"].clone();
    assert!(id.as_str().is_some_and(|it| it.starts_with("pn_")), "{id}");
    assert_eq!(client.json("POST", &all, &json!({ "phone_number": number })).status, 400, "it is sold");
    assert_eq!(client.get(&all).json()["data"][0]["id"], id);
    id
}

#[test]
fn a_rejection_is_repaired() {
    let client = surge();
    let number = buy(&client);
    let all = format!("{ACCOUNT}/toll_free_campaigns");
    let mut bad = draft(&number);
    bad["message_samples"] = json!(["Pinefold Tutoring: see bit.ly/lessons."]);
    let submitted = client.json("POST", &all, &bad);
    assert_eq!(submitted.status, 201, "{submitted:?}");
    let id = submitted.json()["id"].as_str().expect("it is a text").to_owned();
    assert!(id.starts_with("tfc_"), "{id}");
    let again = client.json("POST", &all, &bad);
    assert_eq!((again.status, &again.json()["error"]["type"]), (409, &json!("conflict")));

    let one = format!("/surge/toll_free_campaigns/{id}");
    assert_eq!(client.json("PATCH", &one, &json!({})).status, 409, "it is in review");
    let rejected = client.get(&one);
    assert_eq!(rejected.json()["status"], "rejected", "{rejected:?}");
    leads_back(&client, "surge", &bad, &rejected.text);
    let listed = client.get(&all).json();
    assert_eq!((&listed["data"][0]["id"], &listed["data"][1]), (&json!(id), &Value::Null));

    let good = draft(&number);
    assert_eq!(client.json("PATCH", &one, &json!({ "phone_number_id": "pn_other" })).status, 400);
    let updated = client.json("PATCH", &one, &json!({ "message_samples": good["message_samples"] }));
    assert_eq!((updated.status, &updated.json()["status"]), (200, &json!("in_review")), "{updated:?}");
    assert_eq!(client.get(&one).json()["status"], "active");
    assert_eq!(client.json("PATCH", &one, &json!({})).status, 409, "it is active");
}

#[test]
fn what_is_invalid_is_named() {
    let client = surge();
    let all = format!("{ACCOUNT}/toll_free_campaigns");
    let refused = client.json("POST", &all, &json!({ "description": 7 }));
    let error = &refused.json()["error"];
    assert_eq!((refused.status, &error["type"]), (400, &json!("validation_error")));
    assert!(error["detail"]["description"][0].is_string(), "{error}");
    let foreign = client.json("POST", &all, &draft(&json!("pn_other")));
    assert!(foreign.json()["error"]["detail"]["phone_number_id"][0].is_string(), "{foreign:?}");
    let missing = client.get("/surge/toll_free_campaigns/tfc_other");
    assert_eq!((missing.status, &missing.json()["error"]["type"]), (404, &json!("not_found")));
    let other = ApiClient::start(SandboxOptions::default()).with("authorization", "Bearer other");
    assert_eq!(other.get(&all).json()["error"]["type"], "unauthorized");
}

#[test]
fn lists_have_cursors() {
    let client = surge();
    for _ in 0..51 {
        let bought =
            client.json("POST", &format!("{ACCOUNT}/phone_numbers"), &json!({ "type": "toll_free" }));
        assert_eq!(bought.status, 201, "{bought:?}");
    }
    let first = client.get(&format!("{ACCOUNT}/phone_numbers")).json();
    assert_eq!(first["data"].as_array().map(Vec::len), Some(50));
    let cursor = |page: &Value, name: &str| page["pagination"][name].as_str().map(str::to_owned);
    let next = cursor(&first, "next_cursor").expect("there are more");
    let second = client.get(&format!("{ACCOUNT}/phone_numbers?after={next}")).json();
    assert_eq!((second["data"].as_array().map(Vec::len), cursor(&second, "next_cursor")), (Some(1), None));
    let previous = cursor(&second, "previous_cursor").expect("there are more");
    assert_eq!(client.get(&format!("{ACCOUNT}/phone_numbers?before={previous}")).json(), first);
}
