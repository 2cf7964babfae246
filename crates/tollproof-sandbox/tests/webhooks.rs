//! Webhooks, as a receiver on this machine gets them; signatures are computed again from what arrived.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tollproof_sandbox::{Sandbox, SandboxError, SandboxOptions};

use crate::client::ApiClient;
use crate::receiver::{Hook, HookReceiver};
use crate::{bandwidth, bird, infobip, plivo, telnyx, twilio};

/// HMAC with SHA-256 as RFC 2104 describes it, in base64.
fn hmac_sha256(key: &str, text: &[u8]) -> String {
    assert!(key.len() <= 64);
    let padded = |mark: u8| -> Vec<u8> {
        (0..64).map(|at| key.as_bytes().get(at).copied().unwrap_or_default() ^ mark).collect()
    };
    let inner = Sha256::digest([padded(0x36), text.to_vec()].concat());
    BASE64.encode(Sha256::digest([padded(0x5c), inner.to_vec()].concat()))
}

/// Options with a receiver of all webhooks.
fn options(receiver: &HookReceiver) -> SandboxOptions {
    SandboxOptions { webhook: Some(receiver.url.clone()), ..SandboxOptions::default() }
}

/// Makes a number the account's.
fn own(client: &ApiClient, provider: &str, account: &str, id: &str) {
    let number = json!({ "provider": provider, "account": account, "number": "+18335550000", "id": id });
    client.control("numbers", &number);
}

/// The calls of the ledger that are webhooks: status and fault.
fn sent(client: &ApiClient) -> Vec<(u64, String)> {
    let calls = client.get("/_sandbox/ledger?operation=webhook").json();
    let calls = calls["calls"].as_array().expect("it is a list").clone();
    let seen = |call: &Value| {
        (call["status"].as_u64().expect("a number"), call["fault"].as_str().expect("a text").to_owned())
    };
    calls.iter().map(seen).collect()
}

/// Waits until the ledger has this many webhooks.
fn wait_for(client: &ApiClient, count: usize) -> Vec<(u64, String)> {
    for _ in 0..400 {
        let all = sent(client);
        if all.len() >= count {
            return all;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("the ledger has only {:?}", sent(client));
}

const WORKSPACE: &str = "/bird/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b";

/// Submits a draft of Bird, and ends its review with a rejection.
fn reject_at_bird(client: &ApiClient) {
    let number = bird::buy(client);
    let path = format!("{WORKSPACE}/toll-free-verifications");
    assert_eq!(client.json("POST", &path, &bird::draft(&number)).status, 201);
    let all = client.get("/_sandbox/submissions").json();
    let decision = json!({ "provider": "bird", "id": all["submissions"][0]["id"], "reject": ["30513"] });
    client.control("decide", &decision);
}

fn subscribe_at_bird(client: &ApiClient, url: &str) {
    let path = "/bird/organizations/o/workspaces/b7d9e0a4-12c3-4f56-8a9b-0c1d2e3f4a5b/webhook-subscriptions";
    let body =
        json!({ "service": "numbers", "event": "tfn.verification", "url": url, "signingKey": "our-secret" });
    let answer = client.json("POST", path, &body);
    assert!(answer.status == 201 && answer.json()["id"].is_string(), "{answer:?}");
    assert_eq!(client.json("POST", path, &json!({ "service": "numbers" })).status, 422);
}

fn check_bird(hook: &Hook, url: &str, key: &str) {
    let at = hook.header("MessageBird-Request-Timestamp");
    let mut text = format!("{at}\n{url}\n").into_bytes();
    text.extend(Sha256::digest(&hook.body));
    assert_eq!(hook.header("MessageBird-Signature"), hmac_sha256(key, &text));
}

#[test]
fn bird_tells_its_subscribers() {
    let receiver = HookReceiver::start();
    let client = ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key");
    subscribe_at_bird(&client, &receiver.url);
    reject_at_bird(&client);
    let hook = receiver.next();
    check_bird(&hook, &receiver.url, "our-secret");
    let event = hook.json();
    assert_eq!((&event["status"], &event["phoneNumbers"][0]), (&json!("rejected"), &json!("+18335550000")));
    assert_eq!(event["statusMessage"]["resubmitAllowed"], "true");
    assert!(event["statusMessage"]["declineReasonDescription"].is_string(), "{event}");
    assert_eq!(hook.header("x-tollproof-sandbox-assumption"), "bird-events");
    assert_eq!(wait_for(&client, 1), [(204, String::new())]);
}

#[test]
fn a_setting_gets_the_events_of_all_and_reviews_end_by_themselves() {
    let receiver = HookReceiver::start();
    let client = ApiClient::start(options(&receiver)).with("authorization", "AccessKey sandbox-key");
    let number = bird::buy(&client);
    let path = format!("{WORKSPACE}/toll-free-verifications");
    assert_eq!(client.json("POST", &path, &bird::draft(&number)).status, 201);
    // Nothing reads the submission.
    let hook = receiver.next();
    check_bird(&hook, &receiver.url, "sandbox-key");
    let event = hook.json();
    assert_eq!(event["status"], "verified");
    assert_eq!(event.get("statusMessage"), None);
}

#[test]
fn twilio_signs_the_address_with_the_hash_of_the_body() {
    let receiver = HookReceiver::start();
    let client = twilio::start(options(&receiver));
    twilio::submit(&client);
    let hook = receiver.next();
    let hash: String = Sha256::digest(&hook.body).iter().map(|it| format!("{it:02x}")).collect();
    assert_eq!(hook.target, format!("/hook?bodySHA256={hash}"));
    let url = format!("{}?bodySHA256={hash}", receiver.url);
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, b"sandbox-key");
    let signature = BASE64.decode(hook.header("X-Twilio-Signature")).expect("it is base64");
    ring::hmac::verify(&key, url.as_bytes(), &signature).expect("it is signed");
    let event = hook.json()[0].clone();
    assert_eq!(event["type"], "com.twilio.messaging.compliance.toll-free-verification.approved");
    assert!(event["data"]["tollfreeverificationsid"].as_str().is_some_and(|it| it.starts_with("HH")));
}

#[test]
fn telnyx_signs_with_the_key_that_is_printed() {
    let receiver = HookReceiver::start();
    let client = ApiClient::start(SandboxOptions::default()).with("authorization", "Bearer sandbox-key");
    own(&client, "telnyx", "", "n");
    let mut draft = telnyx::draft("+18335550000");
    draft["webhookUrl"] = json!(receiver.url);
    let request = client.json("POST", telnyx::REQUESTS, &draft);
    assert_eq!(request.status, 200, "{request:?}");
    client
        .control("decide", &json!({ "provider": "telnyx", "id": request.json()["id"], "reject": ["30513"] }));
    let hook = receiver.next();
    let access = client.sandbox.access().find(|(name, _)| *name == "telnyx").expect("it is there").1;
    let printed = access.iter().find(|it| it.label == "webhooks").expect("it is printed").value.clone();
    let key = BASE64.decode(printed.split(' ').next().expect("a word")).expect("it is base64");
    let key = ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, key);
    let text = format!("{}|{}", hook.header("telnyx-timestamp"), hook.body);
    let signature = BASE64.decode(hook.header("telnyx-signature-ed25519")).expect("it is base64");
    key.verify(text.as_bytes(), &signature).expect("it is signed");
    key.verify(format!("{text} ").as_bytes(), &signature).expect_err("another text");
    let payload = hook.json()["data"]["payload"].clone();
    assert_eq!((&payload["id"], &payload["status"]), (&request.json()["id"], &json!("rejected")));
}

#[test]
fn bandwidth_tells_subscribers_with_their_login() {
    let receiver = HookReceiver::start();
    let client = bandwidth::start();
    let account = bandwidth::ACCOUNT;
    own(&client, "bandwidth", "9900001", "+18335550000");
    let all = format!("{account}/tollFreeVerification/webhooks/subscriptions");
    let subscription = json!({
        "callbackUrl": "http://127.0.0.1:1/", "sharedSecretKey": "sixteen letters.",
        "basicAuthentication": { "username": "us", "password": "word" },
    });
    let made = client.json("POST", &all, &subscription);
    assert_eq!(
        (made.status, &made.json()["type"]),
        (201, &json!("TOLLFREE_VERIFICATION_STATUS")),
        "{made:?}"
    );
    assert!(!made.text.contains("sixteen") && !made.text.contains("word"), "{made:?}");
    assert_eq!(client.json("POST", &all, &json!({})).status, 400);
    let one = format!("{all}/{}", made.json()["id"].as_str().expect("it is a text"));
    let mut changed = subscription;
    changed["callbackUrl"] = json!(receiver.url);
    assert_eq!(client.json("PUT", &one, &changed).status, 200);
    assert_eq!(client.get(&all).json()[0]["callbackUrl"], json!(receiver.url));
    let path = format!("{account}/tollFreeVerification");
    assert_eq!(client.json("POST", &path, &bandwidth::draft(&["+18335550000"])).status, 202);
    client.get(&bandwidth::verification("8335550000"));
    let hook = receiver.next();
    assert_eq!(hook.header("authorization"), "Basic dXM6d29yZA==");
    assert_eq!(hook.header("x-bandwidth-signature-hmac-sha256"), "", "its scheme is not known");
    let event = hook.json();
    assert_eq!((&event["status"], &event["accountId"]), (&json!("VERIFIED"), &json!("9900001")));
    assert_eq!(client.send("DELETE", &one, "", &[]).expect("it answers").status, 204);
    assert_eq!(client.send("DELETE", &one, "", &[]).expect("it answers").status, 404);
}

#[test]
fn infobip_sends_its_results_unsigned() {
    let receiver = HookReceiver::start();
    let client = infobip::start(options(&receiver));
    let id = infobip::register(&client);
    let content = receiver.next().json()["results"][0]["content"].clone();
    assert_eq!((&content["campaignId"], &content["campaignStatus"]), (&id, &json!("REGISTERED")));
}

#[test]
fn plivo_calls_back_with_a_form_or_a_query() {
    for method in ["POST", "GET"] {
        let receiver = HookReceiver::start();
        let client = plivo::start();
        own(&client, "plivo", "MASANDBOX00000000000", "+18335550000");
        let mut draft = plivo::draft("18335550000");
        draft["callback_url"] = json!(receiver.url);
        draft["callback_method"] = json!(method);
        let all = format!("{}/TollfreeVerification/", plivo::ACCOUNT);
        let submitted = client.json("POST", &all, &draft);
        assert_eq!(submitted.status, 202, "{submitted:?}");
        client.get(&all);
        let hook = receiver.next();
        let uuid = submitted.json()["uuid"].as_str().expect("it is a text").to_owned();
        let (fields, nonce) = (
            format!("uuid={uuid}&number=18335550000&status=APPROVED&error_message="),
            hook.header("x-plivo-signature-v3-nonce"),
        );
        let text = match method {
            "GET" => {
                assert_eq!(
                    (hook.target.as_str(), hook.body.as_str()),
                    (format!("/hook?{fields}").as_str(), "")
                );
                format!(
                    "{}?error_message=&number=18335550000&status=APPROVED&uuid={uuid}.{nonce}",
                    receiver.url
                )
            }
            _ => {
                assert_eq!((hook.target.as_str(), &hook.body), ("/hook", &fields));
                format!("{}?error_messagenumber18335550000statusAPPROVEDuuid{uuid}.{nonce}", receiver.url)
            }
        };
        assert_eq!(hook.method, method);
        assert_eq!(hook.header("x-plivo-signature-v3"), hmac_sha256("sandbox-key", text.as_bytes()));
    }
}

#[test]
fn nothing_is_sent_to_another_machine() {
    let client = ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key");
    for url in
        ["https://hooks.example.com/a?token=secret", "http://10.1.2.3/a", "http://0.0.0.0:80/a", "nonsense"]
    {
        subscribe_at_bird(&client, url);
    }
    reject_at_bird(&client);
    let refused = (0, "not-loopback".to_owned());
    assert_eq!(sent(&client), vec![refused; 4], "at once");
    assert!(!client.get("/_sandbox/ledger").text.contains("secret"), "the query is not shown");
    for url in ["http://hooks.example.com/", "https://127.0.0.1/", "127.0.0.1:80"] {
        let options = SandboxOptions { webhook: Some(url.to_owned()), ..SandboxOptions::default() };
        assert!(matches!(Sandbox::start(options), Err(SandboxError::Webhook(_))), "{url}");
    }
    // Whoever reaches an exposed sandbox must not reach services of its machine through it.
    let receiver = HookReceiver::start();
    let options = SandboxOptions { expose: true, ..SandboxOptions::default() };
    let client = ApiClient::start(options).with("authorization", "AccessKey sandbox-key");
    subscribe_at_bird(&client, &receiver.url);
    reject_at_bird(&client);
    assert_eq!(sent(&client), [(0, "not-loopback".to_owned())]);
}

#[test]
fn webhooks_are_doubled_lost_late_and_out_of_order_on_demand() {
    let receiver = HookReceiver::start();
    let client = ApiClient::start(options(&receiver)).with("authorization", "AccessKey sandbox-key");
    let number = bird::buy(&client);
    let path = format!("{WORKSPACE}/toll-free-verifications");
    client.control("review", &json!({ "after": "9d" }));
    assert_eq!(client.json("POST", &path, &bird::draft(&number)).status, 201);
    let id = client.get("/_sandbox/submissions").json()["submissions"][0]["id"].clone();
    let fault = |name: &str| client.control("faults", &json!({ "fault": name, "provider": "bird" }));
    let decide = |reject: &[&str]| {
        client.control("decide", &json!({ "provider": "bird", "id": id, "reject": reject }));
    };
    let status = || receiver.next().json()["status"].clone();

    fault("webhook-duplicate");
    decide(&[]);
    let (first, second) = (receiver.next(), receiver.next());
    assert_eq!(first.body, second.body);

    fault("webhook-lost");
    decide(&["30513"]);
    decide(&[]);
    assert_eq!(status(), "verified", "the rejection is lost");

    fault("webhook-out-of-order");
    decide(&["30513"]);
    decide(&[]);
    assert_eq!((status(), status()), (json!("verified"), json!("rejected")));

    fault("webhook-late=2");
    decide(&["30513"]);
    assert!(receiver.is_quiet(Duration::from_millis(500)));
    assert_eq!(status(), "rejected");

    let mut all = wait_for(&client, 7);
    all.sort();
    let faults: Vec<&str> = all.iter().map(|(_, fault)| fault.as_str()).collect();
    let names = [
        "webhook-lost",
        "",
        "",
        "webhook-duplicate",
        "webhook-duplicate",
        "webhook-late=2",
        "webhook-out-of-order",
    ];
    assert_eq!(faults, names);
    let answer = client.json("POST", "/_sandbox/faults", &json!({ "fault": "webhook-eaten" }));
    assert!(answer.status == 400 && answer.text.contains("webhook-lost"), "{answer:?}");
}

#[test]
fn a_receiver_that_is_gone_or_silent_is_tried_once() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let gone = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let url = |it: &std::net::TcpListener| format!("http://{}/", it.local_addr().expect("it is bound"));
    let urls = [url(&gone), url(&silent)];
    drop(gone);
    let client = ApiClient::start(SandboxOptions::default()).with("authorization", "AccessKey sandbox-key");
    urls.iter().for_each(|url| subscribe_at_bird(&client, url));
    reject_at_bird(&client);
    let unanswered = (0, "no-answer".to_owned());
    assert_eq!(wait_for(&client, 2), vec![unanswered; 2]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(sent(&client).len(), 2, "nothing is repeated");
}

#[test]
fn a_webhook_that_waits_is_kept_in_the_file() {
    let store = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("waiting.sqlite");
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", store.display()));
    }
    let receiver = HookReceiver::start();
    let options = SandboxOptions { store: Some(store), ..SandboxOptions::default() };
    let start = || ApiClient::start(options.clone()).with("authorization", "AccessKey sandbox-key");
    let client = start();
    subscribe_at_bird(&client, &receiver.url);
    client.control("faults", &json!({ "fault": "webhook-late=2" }));
    reject_at_bird(&client);
    drop(client);
    let _client = start();
    assert_eq!(receiver.next().json()["status"], "rejected");
}
