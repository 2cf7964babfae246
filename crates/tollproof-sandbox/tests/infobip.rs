//! Infobip, walked from its OpenAPI document: a campaign is created, then registered.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

const CAMPAIGNS: &str = "/infobip/number-registration/1/campaigns";

fn infobip() -> ApiClient {
    start(SandboxOptions::default())
}

pub(crate) fn start(options: SandboxOptions) -> ApiClient {
    ApiClient::start(options).with("authorization", "App sandbox-key")
}

fn draft(key: &Value) -> Value {
    let text = include_str!("../../../schemas/infobip/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["numberKeys"] = json!([key]);
    draft
}

#[test]
fn a_rejection_is_repaired() {
    let client = infobip();
    let found =
        client.get("/infobip/numbers/1/numbers/available?capabilities=SMS&country=US&npa=833&limit=1").json();
    let number = found["numbers"][0]["number"].clone();
    let bought = client.json("POST", "/infobip/numbers/1/numbers", &json!({ "number": number }));
    assert_eq!(bought.status, 200, "{bought:?}");
    assert_eq!(client.json("POST", "/infobip/numbers/1/numbers", &json!({ "number": number })).status, 400);
    let key = bought.json()["numberKey"].clone();

    let mut bad = draft(&key);
    bad["exampleMessage"] = json!("Your booking is confirmed. See bit.ly/x.");
    let created = client.json("POST", &format!("{CAMPAIGNS}/toll-free"), &bad);
    assert_eq!((created.status, &created.json()["stage"]), (201, &json!("DRAFT")), "{created:?}");
    let twice = client.json("POST", &format!("{CAMPAIGNS}/toll-free"), &bad);
    assert_eq!(twice.json()["requestError"]["violations"][0]["property"], "referenceId");
    let one = format!("{CAMPAIGNS}/{}", created.json()["id"].as_str().expect("it is a text"));
    let kept = client.get(&one).json();
    assert_eq!(kept["stage"], "DRAFT", "nothing is reviewed before it is registered");
    assert_eq!((&kept["numberPreviews"][0]["number"], &kept["campaignFeedback"]), (&number, &Value::Null));
    assert_eq!(client.get("/infobip/numbers/1/numbers").json()["numbers"][0]["numberKey"], key);
    let register = format!("{one}/register");
    let registered = client.json("POST", &register, &json!({}));
    assert_eq!((registered.status, registered.text.as_str()), (202, ""));
    assert_eq!(client.json("POST", &register, &json!({})).status, 400, "it is in review");
    let rejected = client.get(&one);
    assert_eq!(rejected.json()["stage"], "REJECTED");
    leads_back(&client, "infobip", &bad, &rejected.text);
    let found = client.get(&format!("{CAMPAIGNS}?referenceId=sable-ridge-2026-1&stage=REJECTED")).json();
    assert_eq!(found["results"][0]["id"], created.json()["id"]);

    let updated = client.json("PUT", &one, &draft(&key));
    assert_eq!((updated.status, &updated.json()["stage"]), (200, &json!("REJECTED")), "{updated:?}");
    assert_eq!(client.json("POST", &register, &json!({})).status, 202);
    assert_eq!(client.get(&one).json()["stage"], "REGISTERED");
    assert_eq!(client.json("PUT", &one, &draft(&key)).status, 400);
}

#[test]
fn drafts_can_be_deleted() {
    let client = infobip();
    let bought =
        client.json("POST", "/infobip/numbers/1/numbers", &json!({ "number": "18335550000" })).json();
    let created = client.json("POST", &format!("{CAMPAIGNS}/toll-free"), &draft(&bought["numberKey"])).json();
    let one = format!("{CAMPAIGNS}/{}", created["id"].as_str().expect("it is a text"));
    assert_eq!(client.send("DELETE", &one, "", &[]).expect("it answers").status, 204);
    let missing = client.get(&one);
    assert_eq!((missing.status, &missing.json()["requestError"]["errorCode"]), (404, &json!("NOT_FOUND")));
    let foreign = client.json(
        "POST",
        &format!("{CAMPAIGNS}/toll-free"),
        &draft(&json!("4F2C9A7E1B8D43E6A05C7D92B31F6E84")),
    );
    assert_eq!(foreign.status, 400, "the number is not owned");
}

/// Buys a number, and registers a campaign without a finding, whose id this returns.
pub(crate) fn register(client: &ApiClient) -> Value {
    let bought = client.json("POST", "/infobip/numbers/1/numbers", &json!({ "number": "18335550000" }));
    let created = client.json("POST", &format!("{CAMPAIGNS}/toll-free"), &draft(&bought.json()["numberKey"]));
    let id = created.json()["id"].clone();
    let path = format!("{CAMPAIGNS}/{}/register", id.as_str().expect("it is a text"));
    assert_eq!(client.json("POST", &path, &json!({})).status, 202);
    id
}
