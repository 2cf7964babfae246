//! Bird, walked as a client would from the document of its interface.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::{Answered, ApiClient};

const WORKSPACE: &str = "/bird/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b";
const VERIFICATIONS: &str = "/bird/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b/toll-free-verifications";

fn bird() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key")
}

/// A draft without a finding, for a number.
pub(crate) fn draft(number: &str) -> Value {
    let text = include_str!("../../../schemas/bird/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["phoneNumbers"] = json!([number]);
    draft
}

/// The fields of an update.
fn update_of(draft: &Value) -> Value {
    let mut update = draft.clone();
    let fields = update.as_object_mut().expect("it is an object");
    fields.retain(|name, _| name != "workspaceId" && name != "phoneNumbers");
    update
}

/// Finds and buys a number, and returns its id.
pub(crate) fn buy(client: &ApiClient) -> String {
    let found = client.get(&format!("{WORKSPACE}/numbers-available?limit=1&country=US&type=tollfree"));
    assert_eq!(found.status, 200, "{found:?}");
    let number = found.json()["results"][0]["number"].clone();
    let order = json!({ "numbers": [{ "number": number, "country": "US" }] });
    let bought = client.json("POST", &format!("{WORKSPACE}/numbers"), &order);
    assert_eq!(bought.status, 201, "{bought:?}");
    bought.json()["results"][0]["id"].as_str().expect("it has an id").to_owned()
}

fn newest(client: &ApiClient) -> Value {
    client.get(VERIFICATIONS).json()["results"][0].clone()
}

fn fetch(client: &ApiClient, id: &Value) -> Answered {
    client.get(&format!("{VERIFICATIONS}/{}", id.as_str().expect("it is a text")))
}

#[test]
fn a_rejection_is_repaired() {
    let client = bird();
    let number = buy(&client);
    let mut draft = draft(&number);
    draft["optInWorkflowDescription"] = json!("Customers sign up online.");
    let submitted = client.json("POST", VERIFICATIONS, &draft);
    assert_eq!((submitted.status, submitted.json()), (201, draft.clone()));
    assert_eq!(submitted.header("x-tollproof-sandbox"), "assumed");
    assert_eq!(submitted.header("x-tollproof-sandbox-assumption"), "bird-paths");

    // The review has not ended, so the number cannot be submitted again.
    let again = client.json("POST", VERIFICATIONS, &draft);
    assert_eq!(again.status, 422, "{again:?}");
    assert!(again.json()["details"]["phoneNumbers"][0].is_string(), "{again:?}");

    let record = newest(&client);
    assert_eq!(record["status"], "Rejected", "{record}");
    assert_eq!(record["statusMessage"]["StatusCode"], "30476", "{record}");
    assert_eq!(record["statusMessage"]["DeclineReasonDescription"], "Opt-in not provided");
    assert_eq!(record["statusMessage"]["ResubmitAllowed"], "true");
    assert_eq!(record["phoneNumbers"], json!([number]));
    assert!(record["verificationRequestData"].get("phoneNumbers").is_none());
    assert_eq!(fetch(&client, &record["id"]).json(), record);

    let repaired = update_of(&self::draft(&number));
    let id = record["id"].as_str().expect("it is a text");
    let updated = client.json("PUT", &format!("{VERIFICATIONS}/{id}"), &repaired);
    assert_eq!((updated.status, &updated.json()["status"]), (200, &json!("submitted")), "{updated:?}");
    assert_eq!(fetch(&client, &record["id"]).json()["status"], "Verified");

    // A verified number may be submitted again.
    assert_eq!(client.json("POST", VERIFICATIONS, &self::draft(&number)).status, 201);
    let list = client.get(VERIFICATIONS).json();
    assert_eq!(list["results"].as_array().map(Vec::len), Some(2), "{list}");
}

#[test]
fn what_cannot_be_a_submission_is_refused() {
    let client = bird();
    let number = buy(&client);
    let mut bad = draft(&number);
    bad["useCase"] = json!("Testing things");
    bad.as_object_mut().expect("it is an object").remove("businessCity");
    let refused = client.json("POST", VERIFICATIONS, &bad);
    assert_eq!(refused.status, 422);
    let details = refused.json()["details"].clone();
    assert!(details["businessCity"][0].is_string() && details["useCase"][0].is_string(), "{details}");
    for body in
        ["", "{", "[]", "null", "\"text\"", "{\"phoneNumbers\": 1}", "\u{0}", "{\"a\":[[[[[[[[]]]]]]]]}"]
    {
        let refused = client.send("POST", VERIFICATIONS, body, &[]).expect("it answers");
        assert!(matches!(refused.status, 400 | 422), "{body}: {refused:?}");
        assert!(refused.json()["code"].is_string() && refused.json()["message"].is_string());
    }
    let foreign = client.json("POST", VERIFICATIONS, &draft("9a1b2c3d-4e5f-4061-8273-94a5b6c7d8e9"));
    assert_eq!(foreign.status, 422, "the number is not owned");
    let missing = client.get(&format!("{VERIFICATIONS}/0f9e8d7c-6b5a-4948-8776-655443322110"));
    assert_eq!(missing.status, 404);
    assert!(missing.json()["code"].is_string(), "{missing:?}");
    assert_eq!(client.get("/bird/workspaces").status, 404);
    let key = [("authorization", "AccessKey other")];
    let other = ApiClient::start(SandboxOptions::default());
    assert_eq!(other.send("GET", VERIFICATIONS, "", &key).expect("it answers").status, 401);
    assert_eq!(other.get(VERIFICATIONS).status, 401);
}

#[test]
fn a_purchase_needs_a_free_number_and_a_balance() {
    let client = bird();
    let id = buy(&client);
    let numbers = client.get(&format!("{WORKSPACE}/numbers")).json();
    let number = numbers["results"][0]["number"].clone();
    assert_eq!(numbers["results"][0]["id"], json!(id));
    let order = |number: &Value| json!({ "numbers": [{ "number": number, "country": "US" }] });
    let path = format!("{WORKSPACE}/numbers");
    assert_eq!(client.json("POST", &path, &order(&number)).status, 422, "it is sold");
    assert_eq!(client.json("POST", &path, &order(&json!("+12077724831"))).status, 422, "it is not toll-free");
    assert_eq!(client.json("POST", &path, &json!({ "numbers": [] })).status, 422);
    client.control("wallet", &json!({ "provider": "bird", "cents": 399 }));
    let two = json!({ "numbers": [
        { "number": "+18335550007", "country": "US" }, { "number": "+18335550008", "country": "US" }
    ] });
    assert_eq!(client.json("POST", &path, &two).status, 422, "the wallet has enough for one");
    let owned = client.get(&path).json();
    assert_eq!(owned["results"].as_array().map(Vec::len), Some(1), "all of an order or nothing: {owned}");
    assert_eq!(client.json("POST", &path, &order(&json!("+18335550007"))).status, 201);
}

#[test]
fn a_rejection_can_be_updated_for_seven_days() {
    let options = SandboxOptions {
        review: "reject 30513, then approve".parse().expect("it is a script"),
        now: Some("2026-11-01T08:00:00Z".parse().expect("it is a time")),
        review_after: jiff::SignedDuration::from_hours(48),
        ..SandboxOptions::default()
    };
    let client = ApiClient::start(options).with("authorization", "Bearer sandbox-key");
    let number = buy(&client);
    assert_eq!(client.json("POST", VERIFICATIONS, &draft(&number)).status, 201);
    let record = newest(&client);
    assert_eq!(record["status"], "submitted", "{record}");
    client.control("clock", &json!({ "advance": "3d" }));
    let record = newest(&client);
    assert_eq!(record["status"], "Rejected");
    assert_eq!(record["statusMessage"]["StatusCode"], "30513");
    let path = format!("{VERIFICATIONS}/{}", record["id"].as_str().expect("it is a text"));
    // The review ended after two days, so seven days later the time is over.
    assert!(
        record["updatedAt"].as_str().expect("it is a text").starts_with("2026-11-03T08:00:0"),
        "{record}"
    );
    client.control("clock", &json!({ "set": "2026-11-10T09:00:00Z" }));
    assert_eq!(client.json("PUT", &path, &update_of(&draft(&number))).status, 422);
    client.control("clock", &json!({ "set": "2026-11-10T07:00:00Z" }));
    assert_eq!(client.json("PUT", &path, &update_of(&draft(&number))).status, 200);
    client.control("clock", &json!({ "advance": "2d 1m" }));
    assert_eq!(newest(&client)["status"], "Verified");
}

#[test]
fn senders_are_listed() {
    let client = bird();
    let id = buy(&client);
    for kind in ["alpha", "long-code", "short-code"] {
        for slash in ["", "/"] {
            let list = client.get(&format!("{WORKSPACE}/numbers-{kind}{slash}"));
            assert_eq!(list.status, 200, "{list:?}");
            let first = list.json()["results"][0].clone();
            let one = client
                .get(&format!("{WORKSPACE}/numbers-{kind}/{}", first["id"].as_str().expect("it is a text")));
            assert_eq!((one.status, one.json()), (200, first));
        }
    }
    assert_eq!(client.get(&format!("{WORKSPACE}/numbers-long-code/{id}")).status, 200);
    assert_eq!(client.get(&format!("{WORKSPACE}/numbers-alpha/{id}")).status, 404);
}

#[test]
fn the_unknown_path_can_be_set() {
    let options = SandboxOptions {
        bird_path: Some("/workspaces/{workspaceId}/tfn".to_owned()),
        ..SandboxOptions::default()
    };
    let client = ApiClient::start(options).with("authorization", "AccessKey sandbox-key");
    let number = buy(&client);
    let path = VERIFICATIONS.replace("toll-free-verifications", "tfn");
    assert_eq!(client.json("POST", &path, &draft(&number)).status, 201);
    assert_eq!(client.get(VERIFICATIONS).status, 404);
}
