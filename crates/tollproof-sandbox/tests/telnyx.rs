//! Telnyx, walked as its SDK would.

use serde_json::{Value, json};
use tollproof_sandbox::SandboxOptions;

use crate::client::ApiClient;
use crate::explained::leads_back;

pub(crate) const REQUESTS: &str = "/telnyx/v2/messaging_tollfree/verification/requests";

fn telnyx() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("authorization", "Bearer sandbox-key")
}

pub(crate) fn draft(number: &str) -> Value {
    let text = include_str!("../../../schemas/telnyx/samples/submit-request.json");
    let mut draft: Value = serde_json::from_str(text).expect("it is JSON");
    draft["phoneNumbers"] = json!([{ "phoneNumber": number }]);
    draft
}

fn buy(client: &ApiClient, reference: &str) -> String {
    let query =
        "filter[phone_number_type]=toll_free&filter[country_code]=US&filter[features][]=sms&filter[limit]=1";
    let query = query.replace('[', "%5B").replace(']', "%5D");
    let found = client.get(&format!("/telnyx/v2/available_phone_numbers?{query}")).json();
    let number = found["data"][0]["phone_number"].as_str().expect("it has a number").to_owned();
    assert_eq!(found["data"].as_array().map(Vec::len), Some(1));
    let order = json!({ "phone_numbers": [{ "phone_number": number }], "customer_reference": reference });
    let bought = client.json("POST", "/telnyx/v2/number_orders", &order);
    assert_eq!((bought.status, &bought.json()["data"]["status"]), (200, &json!("success")), "{bought:?}");
    assert_eq!(client.json("POST", "/telnyx/v2/number_orders", &order).status, 400, "it is sold");
    let query = "filter%5Bcustomer_reference%5D=";
    let orders = client.get(&format!("/telnyx/v2/number_orders?{query}{reference}")).json();
    assert_eq!(orders["data"][0]["id"], bought.json()["data"]["id"]);
    let id = orders["data"][0]["id"].as_str().expect("it is a text").to_owned();
    assert_eq!(client.get(&format!("/telnyx/v2/number_orders/{id}")).json()["data"], orders["data"][0]);
    number
}

#[test]
fn a_rejection_is_repaired() {
    let client = telnyx();
    let number = buy(&client, "first");
    let mut bad = draft(&number);
    bad["optInWorkflow"] = json!("Online.");
    let submitted = client.json("POST", REQUESTS, &bad);
    assert_eq!((submitted.status, &submitted.json()["verificationStatus"]), (200, &json!("In Progress")));
    let again = client.json("POST", REQUESTS, &bad);
    assert_eq!(
        (again.status, &again.json()["errors"][0]["source"]["pointer"]),
        (400, &json!("/phoneNumbers"))
    );

    let path = format!("{REQUESTS}/{}", submitted.json()["id"].as_str().expect("it is a text"));
    assert_eq!(client.send("DELETE", &path, "", &[]).expect("it answers").status, 400, "it is not rejected");
    let found =
        client.get(&format!("{REQUESTS}?page=1&page_size=10&phone_number=%2B{}", &number[1..])).json();
    assert_eq!((&found["records"][0]["id"], &found["total_records"]), (&submitted.json()["id"], &json!(1)));
    let rejected = client.get(&path);
    assert_eq!(rejected.json()["verificationStatus"], "Rejected");
    leads_back(&client, "telnyx", &bad, &rejected.text);

    let updated = client.json("PATCH", &path, &draft(&number));
    assert_eq!(
        (updated.status, &updated.json()["verificationStatus"]),
        (200, &json!("In Progress")),
        "{updated:?}"
    );
    assert_eq!(client.get(&path).json()["verificationStatus"], "Verified");
    let history = client.get(&format!("{path}/status_history?page%5Bnumber%5D=1&page%5Bsize%5D=10")).json();
    let statuses: Vec<&Value> = history["records"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|it| &it["verificationStatus"])
        .collect();
    assert_eq!(statuses, ["Verified", "In Progress", "Rejected", "In Progress"]);
}

#[test]
fn rejected_requests_can_be_deleted() {
    let client = telnyx();
    client.control("review", &json!({ "review": "reject" }));
    let number = buy(&client, "second");
    let id = client.json("POST", REQUESTS, &draft(&number)).json()["id"].clone();
    let path = format!("{REQUESTS}/{}", id.as_str().expect("it is a text"));
    assert_eq!(client.get(&path).json()["verificationStatus"], "Rejected");
    assert_eq!(client.send("DELETE", &path, "", &[]).expect("it answers").status, 200);
    assert_eq!(client.send("DELETE", &path, "", &[]).expect("it answers").status, 404);
    assert_eq!(client.get(REQUESTS).status, 400, "the page is required");
    let refused = client.json("POST", REQUESTS, &json!({ "phoneNumbers": ["+18335550000"], "useCase": "x" }));
    assert_eq!(refused.status, 400);
    assert!(refused.json()["errors"].as_array().map(Vec::len) > Some(3), "{refused:?}");
}
