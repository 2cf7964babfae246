//! Plivo, walked as its SDKs would.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

pub(crate) const ACCOUNT: &str = "/plivo/v1/Account/MASANDBOX00000000000";

pub(crate) fn start() -> ApiClient {
    // The account and `sandbox-key`.
    let credentials = "Basic TUFTQU5EQk9YMDAwMDAwMDAwMDA6c2FuZGJveC1rZXk=";
    ApiClient::start(SandboxOptions::default()).with("authorization", credentials)
}

pub(crate) fn draft(number: &str) -> Value {
    let text = include_str!("../../../schemas/plivo/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["number"] = json!(number);
    draft
}

#[test]
fn a_required_update_is_made_in_time_or_the_request_is_rejected() {
    let client = start();
    let found = client.get(&format!("{ACCOUNT}/PhoneNumber/?country_iso=US&type=tollfree&limit=1")).json();
    let number = found["objects"][0]["number"].as_str().expect("it has a number").to_owned();
    assert_eq!(client.json("POST", &format!("{ACCOUNT}/PhoneNumber/{number}/"), &json!({})).status, 201);
    assert_eq!(client.json("POST", &format!("{ACCOUNT}/PhoneNumber/{number}/"), &json!({})).status, 400);
    let all = format!("{ACCOUNT}/TollfreeVerification/");
    let mut bad = draft(&number);
    bad["additional_information"] = json!("Online.");
    bad["usecase_summary"] = json!("Codes.");
    let submitted = client.json("POST", &all, &bad);
    assert_eq!(submitted.status, 202, "{submitted:?}");
    assert_eq!(client.json("POST", &all, &bad).status, 409);
    let one = format!("{all}{}/", submitted.json()["uuid"].as_str().expect("it is a text"));
    let asked = client.get(&one);
    assert_eq!(asked.json()["status"], "UPDATE_REQUIRED", "{asked:?}");
    assert!(!asked.json()["error_message"].as_str().expect("it is a text").is_empty());
    let found = client.get(&format!("{all}?number={number}&status=UPDATE_REQUIRED")).json();
    assert_eq!(found["objects"][0]["uuid"], submitted.json()["uuid"]);
    assert_eq!(found["objects"][0]["number"], json!(number), "digits, as it was given");
    let said = format!("Tollfree verification request for {number} submitted succesfully");
    assert_eq!(submitted.json()["message"], json!(said));
    assert_eq!(client.get(&format!("{ACCOUNT}/Number/{number}/")).json()["number"], json!(number));
    assert_eq!(client.get(&format!("{ACCOUNT}/Number/18335559999/")).status, 404);

    client.control("clock", &json!({ "advance": "7d" }));
    assert_eq!(client.get(&one).json()["status"], "REJECTED");
    assert_eq!(client.json("POST", &one, &json!({ "usecase_summary": "x" })).status, 409, "it is final");
    client.control("clock", &json!({ "advance": "-7d" }));
    let good = draft(&number);
    let changes = json!({
        "additional_information": good["additional_information"], "usecase_summary": good["usecase_summary"],
    });
    assert_eq!(client.json("POST", &one, &changes).status, 202);
    assert_eq!(client.get(&one).json()["status"], "APPROVED");
    assert_eq!(client.send("DELETE", &one, "", &[]).expect("it answers").status, 204);
    assert_eq!(client.get(&one).status, 404);
}

#[test]
fn lists_have_pages() {
    let client = start();
    let all = format!("{ACCOUNT}/TollfreeVerification/");
    for number in ["18335550000", "18335550001", "18335550002"] {
        assert_eq!(client.json("POST", &format!("{ACCOUNT}/PhoneNumber/{number}/"), &json!({})).status, 201);
        assert_eq!(client.json("POST", &all, &draft(number)).status, 202);
    }
    let mut path = format!("{all}?status=APPROVED&limit=2");
    let mut found = Vec::new();
    loop {
        let page = client.get(&path).json();
        let objects = page["objects"].as_array().expect("it is a list");
        assert_eq!(page["meta"]["count"], json!(objects.len()), "{page}");
        found
            .extend(objects.iter().map(|object| object["number"].as_str().expect("it is a text").to_owned()));
        let Some(next) = page["meta"]["next"].as_str() else { break };
        path = format!("/plivo{next}");
    }
    assert_eq!(found, ["18335550002", "18335550001", "18335550000"]);
    let later = client.get(&format!("{all}?created__gt=2999-01-01 00:00:00").replace(' ', "%20"));
    assert_eq!(later.json()["objects"], json!([]));
}

#[test]
fn the_reason_leads_back_to_the_draft() {
    let client = start();
    client.control(
        "numbers",
        &json!({ "provider": "plivo", "account": "MASANDBOX00000000000", "number": "+18335550000", "id": "+18335550000" }),
    );
    let mut bad = draft("18335550000");
    bad["message_sample"] = json!(
        "Brightloom Lamps: see bit.ly/x. Your sign-in code is 482913. Reply STOP to opt out, HELP for help."
    );
    let submitted = client.json("POST", &format!("{ACCOUNT}/TollfreeVerification/"), &bad);
    let uuid = submitted.json()["uuid"].as_str().expect("it is a text").to_owned();
    let asked = client.get(&format!("{ACCOUNT}/TollfreeVerification/{uuid}/"));
    leads_back(&client, "plivo", &bad, &asked.text);
}
