//! Providers' webhook signing, as their documents and SDKs describe it.

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use sha2::{Digest as _, Sha256};

use super::{SignatureScheme, Webhook};
use crate::ids;

/// A webhook with its signature: where it goes, and the headers that prove who sent it.
pub(super) struct Signed {
    pub(super) url: String,
    pub(super) headers: Vec<(&'static str, String)>,
}

/// Signs a webhook that is sent at a time, in seconds since 1970. The nonce is what only this one has.
pub(super) fn sign(webhook: &Webhook, seconds: i64, nonce: &str) -> Signed {
    let (secret, body) = (webhook.secret.as_bytes(), webhook.body.as_bytes());
    let mut url = webhook.url.clone();
    let at = seconds.to_string();
    let headers = match webhook.scheme {
        SignatureScheme::Unsigned => Vec::new(),
        SignatureScheme::Bird => {
            let mut text = format!("{at}\n{url}\n").into_bytes();
            text.extend(Sha256::digest(body));
            vec![
                ("messagebird-signature", mac(hmac::HMAC_SHA256, secret, &text)),
                ("messagebird-request-timestamp", at),
            ]
        }
        SignatureScheme::Telnyx => {
            let text = [at.as_bytes(), b"|", body].concat();
            let signature = BASE64.encode(telnyx_key(&webhook.secret).sign(&text));
            vec![("telnyx-signature-ed25519", signature), ("telnyx-timestamp", at)]
        }
        SignatureScheme::Twilio => {
            let mark = if url.contains('?') { '&' } else { '?' };
            url = format!("{url}{mark}bodySHA256={}", ids::hash(body));
            let signature = mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret, url.as_bytes());
            vec![("x-twilio-signature", signature)]
        }
        SignatureScheme::Plivo => {
            if webhook.method == "GET" {
                let mark = if url.contains('?') { '&' } else { '?' };
                url = format!("{url}{mark}{}", webhook.body);
            }
            let text = format!("{}.{nonce}", plivo_text(&url, webhook));
            vec![
                ("x-plivo-signature-v3", mac(hmac::HMAC_SHA256, secret, text.as_bytes())),
                ("x-plivo-signature-v3-nonce", nonce.to_owned()),
            ]
        }
    };
    Signed { url, headers }
}

fn mac(algorithm: hmac::Algorithm, secret: &[u8], text: &[u8]) -> String {
    BASE64.encode(hmac::sign(&hmac::Key::new(algorithm, secret), text))
}

/// The address without its query, the sorted query, and with POST the sorted fields without anything between them.
fn plivo_text(url: &str, webhook: &Webhook) -> String {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    // An address without a path is sent with one.
    let base = match base.parse::<Uri>() {
        Ok(uri) if uri.path() == "/" && !base.ends_with('/') => format!("{base}/"),
        _ => base.to_owned(),
    };
    let sorted = |form: &str| {
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        pairs.sort();
        pairs
    };
    let query: Vec<String> =
        sorted(query).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    let query = query.join("&");
    if webhook.method == "GET" {
        return if query.is_empty() { base } else { format!("{base}?{query}") };
    }
    let fields: String = sorted(&webhook.body).into_iter().map(|(name, value)| name + &value).collect();
    match (query.is_empty(), fields.is_empty()) {
        (true, true) => base,
        (true, false) => format!("{base}?{fields}"),
        (false, true) => format!("{base}?{query}"),
        (false, false) => format!("{base}?{query}.{fields}"),
    }
}

/// The pair of keys that belongs to a key of the sandbox.
fn telnyx_key(key: &str) -> Ed25519KeyPair {
    let seed = Sha256::digest(format!("telnyx webhooks\n{key}"));
    Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed has 32 bytes, as the hash does")
}

/// The public key by which a receiver checks Telnyx's signature, in base64.
pub(crate) fn telnyx_public_key(key: &str) -> String {
    BASE64.encode(telnyx_key(key).public_key())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signed(scheme: SignatureScheme, method: &str, url: &str, body: &str) -> Signed {
        let (url, body, secret) = (url.to_owned(), body.to_owned(), "sandbox-key".to_owned());
        let (method, content_type) = (method.to_owned(), String::new());
        let webhook =
            Webhook { method, url, content_type, body, scheme, secret, login: None, assumed: Vec::new() };
        sign(&webhook, 1_764_132_889, "n-1")
    }

    /// Python's libraries and the SDKs of Twilio (9.13.0) and Plivo (4.63.0) sign the same values alike.
    #[test]
    fn signatures_are_those_of_the_vendors_sdks() {
        const URL: &str = "http://127.0.0.1:9000/hook";
        const BODY: &str = r#"{"status":"verified"}"#;
        const FORM: &str = "uuid=u+1&number=18335550000&status=APPROVED&error_message=";
        for (scheme, method, url, body, expected) in [
            (SignatureScheme::Bird, "POST", URL, BODY, "REsX4f6Oxri/xdimFm7zZDQQgguC/S8/S/WNxO5qFaw="),
            (SignatureScheme::Twilio, "POST", URL, BODY, "veL2vilksgJCw6uU/a0K4VL2nog="),
            (
                SignatureScheme::Telnyx,
                "POST",
                URL,
                BODY,
                "p3epXd0lhtqBUUcKxHG/NrlMKctqql07uDs/aFZxvWNHBqqOecKEYDOPxmJMHk0uewpWAfiKkR1npWSsiXPXCg==",
            ),
            (SignatureScheme::Plivo, "POST", URL, FORM, "OJ1mFC8170FdZnVsCb8JtzAhpbyMBf2KNFtrsUlhyzQ="),
            (
                SignatureScheme::Plivo,
                "POST",
                "http://127.0.0.1:9000/hook?b=2&a=1",
                FORM,
                "j+TnK7T3DGTiKd7alqjTn8rICdxxXsctwlZcpXWLJPE=",
            ),
            (
                SignatureScheme::Plivo,
                "GET",
                "http://127.0.0.1:9000/hook?b=2",
                FORM,
                "Srrubhx5Mn/BuGeoneOfP8hAf/TSgttHSRG5Gayni+4=",
            ),
        ] {
            let signed = signed(scheme, method, url, body);
            assert_eq!(signed.headers[0].1, expected, "{scheme:?} {method} {url}");
        }
        let twilio = signed(SignatureScheme::Twilio, "POST", URL, BODY).url;
        assert!(
            twilio.ends_with("?bodySHA256=9b4e774d9d6cdf1cf4731cfdf0240a39869c0c3b39404f41b220dbc86d91183c")
        );
        assert_eq!(telnyx_public_key("sandbox-key"), "HoYqVwLZoySko5CbTARE3JT/t11zmQ3QUkSn+Po0ohM=");
    }
}
