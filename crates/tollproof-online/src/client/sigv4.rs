//! AWS Signature Version 4, for services other than S3.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use url::Url;

use super::authentication::Authentication;
use super::request::HttpRequest;

/// The algorithm, as the header `Authorization` begins.
pub(super) const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// The headers that sign a request at a time. All headers of the request are signed, besides its host.
pub(super) fn headers(
    request: &HttpRequest,
    authentication: &Authentication,
    now: Timestamp,
) -> Vec<(String, SecretString)> {
    let Authentication::SigV4 { access_key, secret, session_token, region, service } = authentication else {
        return Vec::new();
    };
    let now = now.to_zoned(TimeZone::UTC);
    let (time, date) = (now.strftime("%Y%m%dT%H%M%SZ").to_string(), now.strftime("%Y%m%d").to_string());
    let mut added: Vec<(String, SecretString)> = vec![("x-amz-date".to_owned(), time.clone().into())];
    if let Some(token) = session_token {
        added.push(("x-amz-security-token".to_owned(), token.clone()));
    }
    let (canonical, signed) = canonical(request, &added);
    let scope = format!("{date}/{region}/{service}/aws4_request");
    let text = format!("{ALGORITHM}\n{time}\n{scope}\n{}", hash(canonical.as_bytes()));
    let start = format!("AWS4{}", secret.expose_secret()).into_bytes();
    let key = [date.as_str(), region, service, "aws4_request"]
        .iter()
        .fold(start, |key, part| mac(&key, part.as_bytes()));
    let signature = hex(&mac(&key, text.as_bytes()));
    let value =
        format!("{ALGORITHM} Credential={access_key}/{scope}, SignedHeaders={signed}, Signature={signature}");
    added.push(("authorization".to_owned(), value.into()));
    added
}

/// The request in the form that is signed, and the names of the headers in it.
fn canonical(request: &HttpRequest, added: &[(String, SecretString)]) -> (String, String) {
    let HttpRequest { method, url, headers, body, .. } = request;
    let mut values: BTreeMap<String, String> = BTreeMap::from([("host".to_owned(), host(url))]);
    let content_type = body.iter().map(|it| ("content-type", it.content_type.as_str()));
    let own = headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let added = added.iter().map(|(name, value)| (name.as_str(), value.expose_secret()));
    for (name, value) in content_type.chain(own).chain(added) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let entry = values.entry(name.to_ascii_lowercase());
        entry.and_modify(|it| *it = format!("{it},{value}")).or_insert(value);
    }
    let signed = values.keys().map(String::as_str).collect::<Vec<_>>().join(";");
    let bytes = body.as_ref().map(|it| it.bytes.as_slice()).unwrap_or_default();
    // A path is encoded once for HTTP and a second time for the signature.
    let mut text = format!("{}\n{}\n{}\n", method.name(), encoded(url.path(), true), query(url));
    for (name, value) in &values {
        let _ = writeln!(text, "{name}:{value}");
    }
    let _ = write!(text, "\n{signed}\n{}", hash(bytes));
    (text, signed)
}

/// The host as the header has it: with its port unless that is the one of its scheme.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The parameters in the order of their encoded names and values.
fn query(url: &Url) -> String {
    let mut pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, value)| (encoded(&name, false), encoded(&value, false))).collect();
    pairs.sort_unstable();
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn encoded(text: &str, is_path: bool) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || (is_path && byte == b'/') {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::super::request::{Method, Repeat, RequestBody};
    use super::*;

    /// The header `Authorization` of a request of AWS's published test suite for Signature Version 4.
    fn authorization(
        method: Method,
        url: &str,
        headers: &[(&str, &str)],
        body: Option<(&str, &str)>,
    ) -> String {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let body = body.map(|(content_type, text)| RequestBody {
            content_type: content_type.to_owned(),
            bytes: text.as_bytes().to_vec(),
        });
        let url = format!("https://example.amazonaws.com{url}").parse().expect("it is valid");
        let request = HttpRequest { method, url, headers: headers.collect(), body, repeat: Repeat::Once };
        let authentication = Authentication::SigV4 {
            access_key: "AKIDEXAMPLE".to_owned(),
            secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".into(),
            session_token: None,
            region: "us-east-1".to_owned(),
            service: "service".to_owned(),
        };
        let now = "2015-08-30T12:36:00Z".parse().expect("it is a time");
        let headers = super::headers(&request, &authentication, now);
        assert_eq!((headers[0].0.as_str(), headers[0].1.expose_secret()), ("x-amz-date", "20150830T123600Z"));
        let (name, value) = headers.last().expect("there are two");
        assert_eq!(name, "authorization");
        value.expose_secret().to_owned()
    }

    fn expected(signed: &str, signature: &str) -> String {
        format!(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
             SignedHeaders={signed}, Signature={signature}"
        )
    }

    #[test]
    fn published_requests_have_their_published_signatures() {
        let plain = "host;x-amz-date";
        for (name, method, url, signature) in [
            (
                "get-vanilla",
                Method::Get,
                "/",
                "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            ),
            (
                "get-vanilla-query-order-key-case",
                Method::Get,
                "/?Param2=value2&Param1=value1",
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            ),
            (
                "post-vanilla",
                Method::Post,
                "/",
                "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            ),
            (
                "post-vanilla-query",
                Method::Post,
                "/?Param1=value1",
                "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
            ),
        ] {
            assert_eq!(authorization(method, url, &[], None), expected(plain, signature), "{name}");
        }
        // post-header-key-sort
        assert_eq!(
            authorization(Method::Post, "/", &[("My-Header1", "value1")], None),
            expected(
                "host;my-header1;x-amz-date",
                "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
            )
        );
        // get-header-value-trim
        assert_eq!(
            authorization(
                Method::Get,
                "/",
                &[("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
                None
            ),
            expected(
                "host;my-header1;my-header2;x-amz-date",
                "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
            )
        );
        // post-x-www-form-urlencoded
        assert_eq!(
            authorization(
                Method::Post,
                "/",
                &[],
                Some(("application/x-www-form-urlencoded", "Param1=value1"))
            ),
            expected(
                "content-type;host;x-amz-date",
                "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"
            )
        );
    }

    #[test]
    fn everything_that_is_sent_is_signed() {
        let one = |url: &str, header: &str, body: &str| {
            authorization(Method::Post, url, &[("X-Amz-Target", header)], Some(("text/plain", body)))
        };
        let plain = one("/", "A.B", "{}");
        assert!(plain.contains("SignedHeaders=content-type;host;x-amz-date;x-amz-target,"), "{plain}");
        assert_eq!(one("/", "A.B", "{}"), plain);
        for other in
            [one("/a", "A.B", "{}"), one("/?a", "A.B", "{}"), one("/", "A.C", "{}"), one("/", "A.B", "")]
        {
            assert_ne!(other, plain);
        }
        let url: Url = "http://127.0.0.1:8833/aws".parse().expect("it is valid");
        assert_eq!(host(&url), "127.0.0.1:8833");
        assert_eq!(encoded("/a%20b/é*", true), "/a%2520b/%C3%A9%2A");
    }
}
