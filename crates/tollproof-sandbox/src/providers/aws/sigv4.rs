//! AWS Signature Version 4, checked as the service would.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::api::Received;
use crate::ids::hash;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What `Authorization` says about a signature.
struct Signature<'h> {
    /// `key/date/region/service/aws4_request`.
    credential: &'h str,
    signed_headers: &'h str,
    signature: &'h str,
}

fn header<'r>(received: &'r Received, name: &str) -> Option<&'r str> {
    received.headers.get(name)?.to_str().ok()
}

fn signature(received: &Received) -> Option<Signature<'_>> {
    let fields = header(received, "authorization")?.strip_prefix(ALGORITHM)?;
    let field = |name: &str| fields.split(',').find_map(|it| it.trim().strip_prefix(name)?.strip_prefix('='));
    Some(Signature {
        credential: field("Credential")?,
        signed_headers: field("SignedHeaders")?,
        signature: field("Signature")?,
    })
}

/// The access key, and the region of the request.
pub(super) fn access_key(received: &Received) -> Option<(String, String)> {
    let mut parts = signature(received)?.credential.split('/');
    Some((parts.next()?.to_owned(), parts.nth(1)?.to_owned()))
}

/// Whether a request is signed with a secret. The time of the signature is not checked, because the clock can be moved.
pub(super) fn is_signed_with(received: &Received, secret: &str) -> bool {
    expected(received, secret).is_some_and(|(given, expected)| given == expected)
}

/// The signature of a request, and what it must be.
fn expected<'r>(received: &'r Received, secret: &str) -> Option<(&'r str, String)> {
    let Signature { credential, signed_headers, signature } = signature(received)?;
    let (_, scope) = credential.split_once('/')?;
    // The body, the operation and the host cannot be exchanged if these headers are signed.
    let is_signed = |name: &str| signed_headers.split(';').any(|it| it == name);
    if !is_signed("host") || received.headers.contains_key("x-amz-target") && !is_signed("x-amz-target") {
        return None;
    }
    let mut headers = String::new();
    for name in signed_headers.split(';') {
        let value = header(received, name)?.split_whitespace().collect::<Vec<_>>().join(" ");
        headers += &format!("{name}:{value}\n");
    }
    let body = hash(&received.body);
    let Received { method, path, query, .. } = received;
    let request = format!("{method}\n{path}\n{query}\n{headers}\n{signed_headers}\n{body}");
    let date = header(received, "x-amz-date")?;
    let text = format!("{ALGORITHM}\n{date}\n{scope}\n{}", hash(request.as_bytes()));
    let key = scope.split('/').fold(format!("AWS4{secret}").into_bytes(), |key, part| mac(&key, part));
    let expected = mac(&key, &text).iter().map(|byte| format!("{byte:02x}")).collect();
    Some((signature, expected))
}

fn mac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::http::HeaderMap;

    use super::*;

    /// `get-vanilla` of the test suite that AWS publishes.
    #[test]
    fn the_published_example_is_signed() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("host", "example.amazonaws.com"),
            ("x-amz-date", "20150830T123600Z"),
            (
                "authorization",
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
                 SignedHeaders=host;x-amz-date, \
                 Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            ),
        ] {
            headers.insert(name, value.parse().expect("it is printable"));
        }
        let received = Received {
            method: "GET".to_owned(),
            path: "/".to_owned(),
            query: String::new(),
            params: Vec::new(),
            headers,
            body: Bytes::new(),
        };
        assert!(is_signed_with(&received, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"));
        assert!(!is_signed_with(&received, "sandbox-key"));
        assert_eq!(access_key(&received), Some(("AKIDEXAMPLE".to_owned(), "us-east-1".to_owned())));
        let other = Received { body: Bytes::from_static(b"{}"), ..received };
        assert!(!is_signed_with(&other, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"));
    }
}
