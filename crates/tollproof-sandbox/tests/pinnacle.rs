//! Pinnacle, walked as its SDK would.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

const CAMPAIGNS: &str = "/pinnacle/campaigns/toll-free";

fn pinnacle() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("pinnacle-api-key", "sandbox-key")
}

fn draft() -> Value {
    let text = include_str!("../../../schemas/pinnacle/samples/submit-request.json");
    serde_json::from_str(text).expect("it is JSON")
}

fn buy(client: &ApiClient) -> String {
    let wanted = json!({
        "type": ["TOLL_FREE"], "features": ["SMS"], "number": { "startsWith": "866" }, "options": { "limit": 2 },
    });
    let found = client.json("POST", "/pinnacle/phone-numbers/search", &wanted).json();
    assert_eq!(found.as_array().map(Vec::len), Some(2), "{found}");
    let number = found[0]["number"].as_str().expect("it is a text").to_owned();
    assert!(number.starts_with("+1866"), "{number}");
    let order = json!({ "numbers": [number] });
    let bought = client.json("POST", "/pinnacle/phone-numbers/buy", &order);
    assert_eq!((bought.status, &bought.json()[0]["number"]), (200, &json!(number)));
    assert_eq!(client.json("POST", "/pinnacle/phone-numbers/buy", &order).status, 404, "it is sold");
    number
}

#[test]
fn a_rejection_is_repaired() {
    let client = pinnacle();
    let number = buy(&client);
    let mut bad = draft();
    bad["optIn"]["workflowDescription"] = json!("They agree online.");
    let created = client.json("POST", CAMPAIGNS, &bad);
    assert_eq!((created.status, &created.json()["status"]), (200, &json!("INCOMPLETE")), "{created:?}");
    let id = created.json()["campaignId"].as_str().expect("it is a text").to_owned();
    assert!(id.starts_with("tf_"), "{id}");
    let checked = client.json("POST", &format!("{CAMPAIGNS}/validate"), &json!({ "campaignId": id })).json();
    assert_eq!(checked, json!({ "is_valid": true, "errors": [] }));

    let submit = format!("{CAMPAIGNS}/submit/{id}");
    let submitted = client.json("POST", &submit, &json!({}));
    assert_eq!((submitted.status, submitted.json()), (200, json!({ "success": true })));
    let again = client.json("POST", &submit, &json!({}));
    assert_eq!(again.status, 400, "{again:?}");
    assert!(again.json()["error"].is_string());
    let one = format!("/pinnacle/status/toll-free-campaign/{id}");
    let rejected = client.get(&one);
    assert_eq!(rejected.json()["updates"]["status"], "REJECTED", "{rejected:?}");
    let summary = rejected.json()["error"].as_str().expect("it is a text").to_owned();
    assert_eq!(rejected.json()["updates"]["errors"], json!([summary]));
    leads_back(&client, "pinnacle", &bad, &summary);
    let attach = json!({ "phones": [number, "+18335559999"], "campaignType": "TOLL_FREE", "campaignId": id });
    let early = client.json("POST", "/pinnacle/phone-numbers/attach-campaign", &attach);
    assert_eq!(early.status, 400, "it is not verified");

    let change = json!({
        "campaignId": id, "optIn": { "workflowDescription": draft()["optIn"]["workflowDescription"] },
    });
    assert_eq!(client.json("POST", CAMPAIGNS, &change).json()["status"], "FAILED");
    assert_eq!(client.json("POST", &submit, &json!({})).status, 200);
    assert_eq!(client.json("POST", CAMPAIGNS, &change).status, 400, "it is in review");
    assert_eq!(client.get(&one).json()["updates"]["status"], "VERIFIED");
    let content = client.get(&format!("{CAMPAIGNS}/{id}")).json();
    assert_eq!((&content["status"], &content["optIn"]), (&json!("VERIFIED"), &draft()["optIn"]));

    let attached = client.json("POST", "/pinnacle/phone-numbers/attach-campaign", &attach).json();
    assert_eq!(attached["phoneNumbers"][0]["phoneNumber"], json!(number));
    assert_eq!(attached["failed"][0]["number"], "+18335559999");
    assert_eq!(client.get(&one).json()["updates"]["number"], json!(number));
}

#[test]
fn a_campaign_is_saved_before_it_is_complete() {
    let client = pinnacle();
    let created = client.json("POST", CAMPAIGNS, &json!({ "name": "Orders", "brand": "b_1" }));
    let id = created.json()["campaignId"].as_str().expect("it is a text").to_owned();
    let checked = client.json("POST", &format!("{CAMPAIGNS}/validate"), &json!({ "campaignId": id })).json();
    assert_eq!(checked["is_valid"], false);
    let refused = client.json("POST", &format!("{CAMPAIGNS}/submit/{id}"), &json!({}));
    assert_eq!(refused.status, 400);
    assert!(refused.json()["issues"].as_array().map(Vec::len) > Some(3), "{refused:?}");
    client.json("POST", CAMPAIGNS, &json!({ "name": "Reminders", "brand": "b_2" }));
    let list = |body: &Value| client.json("POST", &format!("{CAMPAIGNS}/list"), body).json();
    let found = list(&json!({ "name": "ORD", "status": "INCOMPLETE" }));
    assert_eq!((&found["count"], &found["data"][0]["campaignId"]), (&json!(1), &json!(id)));
    let page = list(&json!({ "pageSize": 1 }));
    assert_eq!((&page["hasMore"], &page["data"][0]["name"]), (&json!(true), &json!("Reminders")));
    assert_eq!(list(&json!({ "pageSize": 1, "pageIndex": 1 }))["hasMore"], false);
}

#[test]
fn a_purchase_needs_credits_and_a_call_needs_the_key() {
    let client = pinnacle();
    client.control("wallet", &json!({ "provider": "pinnacle", "cents": 0 }));
    let order = json!({ "numbers": ["+18335550000"] });
    assert_eq!(client.json("POST", "/pinnacle/phone-numbers/buy", &order).status, 402);
    let other = ApiClient::start(SandboxOptions::default()).with("authorization", "Bearer sandbox-key");
    let refused = other.get(&format!("{CAMPAIGNS}/tf_1"));
    assert_eq!(refused.status, 401);
    assert!(refused.json()["error"].is_string(), "{refused:?}");
    let document = client.get("/_sandbox/openapi?provider=pinnacle").json();
    assert_eq!(document["components"]["securitySchemes"]["key"]["name"], "PINNACLE-API-KEY");
}
