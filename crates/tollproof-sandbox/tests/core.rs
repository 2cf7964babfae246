//! Parts common to all providers: faults, the ledger, limits, and storage.

use serde_json::json;
use tollproof_sandbox::{ASSUMPTIONS, Sandbox, SandboxError, SandboxOptions};

use crate::bird::{buy, draft};
use crate::client::ApiClient;

pub(crate) const VERIFICATIONS: &str =
    "/bird/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b/toll-free-verifications";

pub(crate) fn bird() -> ApiClient {
    ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key")
}

/// Counts the submissions.
fn submissions(client: &ApiClient) -> usize {
    client.get("/_sandbox/submissions").json()["submissions"].as_array().expect("it is a list").len()
}

#[test]
fn faults_have_their_effect_or_none() {
    let client = bird();
    for (fault, status, has_effect) in [
        ("lost-answer", None, true),
        ("cut-body", None, true),
        ("500-after", Some(500), true),
        ("500-before", Some(500), false),
        ("429", Some(429), false),
        ("slow=0", Some(201), true),
        ("typo", Some(400), false),
    ] {
        let number = buy(&client);
        let before = submissions(&client);
        let body = draft(&number).to_string();
        let answer = client.send("POST", VERIFICATIONS, &body, &[("x-sandbox-fault", fault)]);
        assert_eq!(answer.as_ref().map(|it| it.status), status, "{fault}: {answer:?}");
        assert_eq!(submissions(&client) - before, usize::from(has_effect), "{fault}");
        if fault == "429" {
            assert_eq!(answer.expect("it answers").header("retry-after"), "1");
        }
    }
    // A planned fault is for clients that cannot send the header.
    client.control("faults", &json!({ "fault": "lost-answer", "provider": "bird", "operation": "submit" }));
    let number = buy(&client);
    let body = draft(&number).to_string();
    assert!(client.send("POST", VERIFICATIONS, &body, &[]).is_none());
    assert_eq!(client.send("POST", VERIFICATIONS, &body, &[]).expect("it answers").status, 422, "it arrived");
}

#[test]
fn the_ledger_says_what_arrived_and_how_often() {
    let client = bird();
    let number = buy(&client);
    let body = draft(&number).to_string();
    for _ in 0..2 {
        client.send("POST", VERIFICATIONS, &body, &[]).expect("it answers");
    }
    client.send("GET", VERIFICATIONS, "", &[("x-sandbox-fault", "lost-answer")]);
    let ledger = client.ledger();
    let of = |operation: &str| ledger.iter().filter(|it| it["operation"] == operation).collect::<Vec<_>>();
    let submits = of("submit");
    let seen = |call: &serde_json::Value| (call["status"].clone(), call["times"].clone());
    assert_eq!(
        submits.iter().map(|it| seen(it)).collect::<Vec<_>>(),
        [(json!(201), json!(1)), (json!(422), json!(2))]
    );
    assert_eq!(submits[0]["body"], submits[1]["body"]);
    assert_eq!(submits[0]["key"].as_str().map(str::len), Some(12));
    assert_eq!(of("list")[0]["fault"], "lost-answer");
    let text = client.get("/_sandbox/ledger").text;
    assert!(!text.contains("sandbox-key") && !text.contains("Quillback"), "neither keys nor bodies");
    let filtered = client.get("/_sandbox/ledger?operation=buy").json();
    assert_eq!(filtered["calls"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_reset_begins_anew() {
    let client = bird();
    let number = buy(&client);
    client.json("POST", VERIFICATIONS, &draft(&number));
    client.control("clock", &json!({ "advance": "30d" }));
    client.control("review", &json!({ "review": "reject 30513", "after": "1d" }));
    client.control("reset", &json!({}));
    assert_eq!((submissions(&client), client.ledger().len()), (0, 0));
    let number = buy(&client);
    client.json("POST", VERIFICATIONS, &draft(&number));
    assert_eq!(client.get(VERIFICATIONS).json()["results"][0]["status"], "Verified");
}

#[test]
fn a_person_decides() {
    let client = bird();
    client.control("review", &json!({ "after": "9d" }));
    let number = buy(&client);
    client.json("POST", VERIFICATIONS, &draft(&number));
    let record = client.get(VERIFICATIONS).json()["results"][0].clone();
    assert_eq!(record["status"], "submitted");
    client.control("decide", &json!({ "provider": "bird", "id": record["id"], "reject": ["30513"] }));
    let record = client.get(VERIFICATIONS).json()["results"][0].clone();
    assert_eq!(record["status"], "Rejected");
    let history = client.get("/_sandbox/submissions").json()["submissions"][0]["history"].clone();
    assert_eq!(history.as_array().map(Vec::len), Some(2), "{history}");
}

#[test]
fn what_was_answered_is_kept_in_the_file() {
    let store = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept.sqlite");
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", store.display()));
    }
    let options = SandboxOptions { store: Some(store.clone()), ..SandboxOptions::default() };
    let start = || ApiClient::start(options.clone()).with("authorization", "AccessKey sandbox-key");
    let client = start();
    let number = buy(&client);
    assert_eq!(client.json("POST", VERIFICATIONS, &draft(&number)).status, 201);
    assert!(Sandbox::start(options.clone()).is_err(), "one sandbox at a time uses the file");
    drop(client);
    let client = start();
    assert_eq!(submissions(&client), 1);
    assert_eq!(client.json("POST", VERIFICATIONS, &draft(&number)).status, 422, "the review is still open");
    drop(client);
    std::fs::write(&store, "no database").expect("it can be written");
    assert!(Sandbox::start(options).is_err(), "other files are not touched");
}

#[test]
fn only_this_machine_and_no_web_page_is_answered() {
    let listen = "0.0.0.0:0".parse().expect("it is an address");
    let error =
        Sandbox::start(SandboxOptions { listen, ..SandboxOptions::default() }).expect_err("it is refused");
    assert!(matches!(error, SandboxError::Exposed(_)), "{error}");
    let client = bird();
    for header in [("host", "rebound.example"), ("origin", "https://page.example")] {
        for path in [VERIFICATIONS, "/_sandbox/ledger"] {
            assert_eq!(
                client.send("GET", path, "", &[header]).expect("it answers").status,
                403,
                "{header:?}"
            );
        }
    }
}

#[test]
fn bodies_that_no_schema_accepts_are_refused_in_the_shape_of_the_provider() {
    let basic = "Basic dXNlcjpzYW5kYm94LWtleQ==";
    for (provider, key, member, calls) in [
        (
            "bird",
            "AccessKey sandbox-key",
            "code",
            &["workspaces/w/numbers", "workspaces/w/toll-free-verifications"][..],
        ),
        (
            "twilio",
            basic,
            "code",
            &["api/2010-04-01/Accounts/AC1/IncomingPhoneNumbers.json", "messaging/v1/Tollfree/Verifications"],
        ),
        (
            "telnyx",
            "Bearer sandbox-key",
            "errors",
            &["v2/number_orders", "v2/messaging_tollfree/verification/requests"],
        ),
        ("bandwidth", basic, "type", &["api/v1/oauth2/token", "api/v2/accounts/1/tollFreeVerification"]),
        (
            "infobip",
            "App sandbox-key",
            "requestError",
            &["numbers/1/numbers", "number-registration/1/campaigns/toll-free"],
        ),
        ("plivo", basic, "error", &["v1/Account/MA/PhoneNumber/1/", "v1/Account/MA/TollfreeVerification/"]),
    ] {
        let client = ApiClient::start(SandboxOptions::default()).with("authorization", key);
        let bodies = [
            "",
            "{",
            "[]",
            "[[]]",
            "null",
            "0",
            "\"a\"",
            "{}",
            "{\"phoneNumbers\":{}}",
            "{\"numbers\":[0]}",
            "{\"phoneNumbers\":[[],{},null]}",
            "{\"phone_numbers\":7}",
            "a=b&a",
            "%zz",
            "\u{0}\u{7f}",
            "{\"a\":1e999}",
        ];
        for call in calls {
            for body in bodies {
                let answer =
                    client.send("POST", &format!("/{provider}/{call}"), body, &[]).expect("it answers");
                assert!((400..500).contains(&answer.status), "{provider} {call} {body}: {answer:?}");
                assert!(answer.json().get(member).is_some(), "{provider} {call} {body}: {answer:?}");
            }
        }
        let unknown = client.get(&format!("/{provider}/nowhere"));
        assert!(unknown.status == 404 && unknown.json().get(member).is_some(), "{unknown:?}");
        let orders =
            client.send("POST", "/bandwidth/api/v2/accounts/1/orders", "<Order>", &[]).expect("it answers");
        assert!(orders.status == 400 || orders.status == 401, "{orders:?}");
    }
}

#[test]
fn many_connections_wait_and_none_doubles_a_submission() {
    let client = bird();
    client.control("review", &json!({ "after": "1d" }));
    let number = buy(&client);
    let body = draft(&number).to_string();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let send = || client.send("POST", VERIFICATIONS, &body, &[]).expect("it answers").status;
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(send)).collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert_eq!(statuses.iter().filter(|it| **it == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|it| **it == 422).count(), 15, "{statuses:?}");
    assert_eq!(submissions(&client), 1);
}

#[test]
fn assumptions_have_ids_of_their_own() {
    let mut ids: Vec<&str> = ASSUMPTIONS.iter().map(|it| it.id).collect();
    assert!(ASSUMPTIONS.iter().all(|it| it.id.starts_with(it.provider)), "{ids:?}");
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), ASSUMPTIONS.len());
}

#[test]
fn the_openapi_documents_have_the_bodies_of_the_schemas() {
    let client = ApiClient::start(SandboxOptions::default());
    for (provider, path, kind) in [
        ("bird", "/workspaces/{workspaceId}/toll-free-verifications", "application/json"),
        ("twilio", "/messaging/v1/Tollfree/Verifications", "application/x-www-form-urlencoded"),
    ] {
        let document = client.get(&format!("/_sandbox/openapi?provider={provider}")).json();
        let schema = &document["paths"][path]["post"]["requestBody"]["content"][kind]["schema"];
        assert!(schema["required"].as_array().is_some_and(|it| it.len() > 5), "{provider}: {schema}");
        assert_eq!(document["servers"][0]["url"], json!(format!("{}/{provider}", client.sandbox.url())));
    }
    assert_eq!(client.get("/_sandbox/openapi").status, 400);
    assert_eq!(client.get("/_sandbox/openapi?provider=aws").status, 400, "its operations have one path");
}
