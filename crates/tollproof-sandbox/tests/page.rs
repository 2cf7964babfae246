//! The page for people: what it shows, and what its forms do.

use serde_json::json;
use tollproof_sandbox::SandboxOptions;

use crate::bird::{buy, draft};
use crate::client::{Answered, ApiClient};

const VERIFICATIONS: &str = "/bird/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b/toll-free-verifications";

fn form(client: &ApiClient, body: &str) -> Answered {
    let headers = [("content-type", "application/x-www-form-urlencoded"), ("origin", &client.sandbox.url())];
    client.send("POST", "/", body, &headers).expect("it answers")
}

#[test]
fn a_person_ends_a_review_and_moves_the_clock() {
    let client = ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key");
    assert!(client.get("/").text.contains("None yet."));
    assert_eq!(form(&client, "call=review&review=rules&after=9d").status, 303);
    let number = buy(&client);
    client.json("POST", VERIFICATIONS, &draft(&number));
    let id = client.get(VERIFICATIONS).json()["results"][0]["id"].as_str().expect("it is a text").to_owned();
    let page = client.get("/");
    assert!(page.text.contains(&id) && page.text.contains("<td>open</td>"), "{page:?}");
    assert!(page.header("content-security-policy").starts_with("default-src 'none'"));
    let moved = form(&client, &format!("call=decide&provider=bird&id={id}&reject=30513+30446"));
    assert_eq!((moved.status, moved.header("location")), (303, "/"), "{moved:?}");
    let page = client.get("/").text;
    assert!(page.contains("<td>rejected</td>") && page.contains("30446"), "{page}");
    assert_eq!(form(&client, "call=faults&fault=429&provider=bird&operation=").status, 303);
    assert_eq!(client.get(VERIFICATIONS).status, 429);
    assert_eq!(form(&client, "call=clock&advance=2d").status, 303);
    let wrong = form(&client, "call=clock&advance=soon");
    assert!(wrong.status == 400 && wrong.text.contains("use a time such as 7d"), "{wrong:?}");
    assert_eq!(form(&client, "call=reset").status, 303);
    assert!(client.get("/").text.contains("None yet."));
}

#[test]
fn what_arrived_is_text_and_no_markup() {
    let client = ApiClient::start(SandboxOptions::default());
    client.get("/bird/%3Cscript%3E'\"&");
    client.json("POST", "/_sandbox/numbers", &json!({ "provider": "<b>", "number": "+18335550000" }));
    let page = client.get("/").text;
    assert!(!page.contains("<script") && !page.contains("'\"&"), "{page}");
    let foreign = [("origin", "https://page.example")];
    let refused = client.send("POST", "/", "call=reset", &foreign).expect("it answers");
    assert_eq!(refused.status, 403, "a page elsewhere cannot use the forms");
}
