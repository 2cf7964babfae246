//! Requests that the sandbox of AWS verifies.

use tollproof_sandbox::{Sandbox, SandboxOptions};

use super::*;

#[test]
fn the_sandbox_accepts_what_is_signed_and_nothing_else() {
    let sandbox = Sandbox::start(SandboxOptions::default()).expect("there is a free port");
    let url = sandbox.base_url("aws").expect("the sandbox has AWS");
    let target = "PinpointSMSVoiceV2.DescribeRegistrations".to_owned();
    let body = RequestBody { content_type: "application/x-amz-json-1.0".to_owned(), bytes: b"{}".to_vec() };
    let request = HttpRequest {
        headers: vec![("X-Amz-Target".to_owned(), target)],
        body: Some(body),
        ..post(&format!("{url}/"), Repeat::Once)
    };
    let signed = |secret: &str, service: &str| {
        let authentication = Authentication::SigV4 {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret: secret.into(),
            session_token: Some("token".into()),
            region: "us-east-1".to_owned(),
            service: service.to_owned(),
        };
        answer(client().send(&request, &authentication).expect("it may be sent"))
    };
    let accepted = signed("sandbox-key", "sms-voice");
    assert_eq!(accepted.status, 200, "{}", String::from_utf8_lossy(&accepted.body));
    assert!(accepted.is_success());
    assert_eq!(signed("sandbox-other", "sms-voice").status / 100, 4);
    assert_eq!(signed("sandbox-key", "sns").status / 100, 4);
}
