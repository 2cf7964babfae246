//! Signature Version 4, checked: who signed which parts of a request.

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

use super::super::token;
use crate::api::Received;
use crate::ids;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// The most a request's time may differ from the current time.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

/// Data in the header `Authorization`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Authorization<'h> {
    pub(super) access_key: &'h str,
    /// The day, as eight digits.
    date: &'h str,
    pub(super) region: &'h str,
    service: &'h str,
    /// The names of the headers that are signed, in the order of the alphabet.
    signed: Vec<&'h str>,
    signature: Vec<u8>,
}

/// Fault of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignatureError {
    /// The request is not signed completely.
    Incomplete,
    /// The time of the request is too far from the current time.
    Expired,
    /// It is not the signature of this request by this key.
    Mismatch,
}

impl<'h> Authorization<'h> {
    /// The header, if it has all of its parts.
    pub(super) fn of(headers: &'h HeaderMap) -> Option<Self> {
        let parts = token(headers, ALGORITHM)?;
        let part =
            |name: &str| parts.split(',').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
        let mut scope = part("Credential")?.rsplitn(5, '/');
        let [end, service, region, date, access_key] =
            std::array::from_fn(|_| scope.next().unwrap_or_default());
        let signature = from_hex(part("Signature")?)?;
        let signed = part("SignedHeaders")?.split(';').collect();
        let is_whole = end == "aws4_request" && !access_key.is_empty();
        is_whole.then_some(Self { access_key, date, region, service, signed, signature })
    }

    /// Checks that the holder of the secret signed this request for the service, a short time ago.
    pub(super) fn verify(
        &self,
        received: &Received,
        secret: &str,
        service: &str,
        now: Timestamp,
    ) -> Result<(), SignatureError> {
        let headers = &received.headers;
        let names = headers.keys().map(|it| it.as_str());
        let must = names.filter(|name| *name == "host" || name.starts_with("x-amz-"));
        let time = headers.get("x-amz-date").and_then(|value| value.to_str().ok());
        let (true, Some(time)) = (must.into_iter().all(|it| self.signed.contains(&it)), time) else {
            return Err(SignatureError::Incomplete);
        };
        if self.service != service {
            return Err(SignatureError::Mismatch);
        }
        let signed_at = DateTime::strptime("%Y%m%dT%H%M%SZ", time).ok();
        let signed_at = signed_at.and_then(|datetime| TimeZone::UTC.to_timestamp(datetime).ok());
        let signed_at =
            signed_at.filter(|_| time.starts_with(self.date)).ok_or(SignatureError::Incomplete)?;
        if now.duration_since(signed_at).abs() > TOLERANCE {
            return Err(SignatureError::Expired);
        }
        let scope = format!("{}/{}/{}/aws4_request", self.date, self.region, self.service);
        let request = ids::hash(self.canonical(received)?.as_bytes());
        let text = format!("{ALGORITHM}\n{time}\n{scope}\n{request}");
        let key = [self.date, self.region, self.service, "aws4_request"]
            .iter()
            .fold(format!("AWS4{secret}").into_bytes(), |key, part| {
                mac(&key, part.as_bytes()).finalize().into_bytes().to_vec()
            });
        let expected = mac(&key, text.as_bytes());
        expected.verify_slice(&self.signature).map_err(|_| SignatureError::Mismatch)
    }

    /// The request in the form that is signed.
    fn canonical(&self, received: &Received) -> Result<String, SignatureError> {
        let hash = ids::hash(&received.body);
        if received
            .headers
            .get("x-amz-content-sha256")
            .is_some_and(|value| value.as_bytes() != hash.as_bytes())
        {
            return Err(SignatureError::Mismatch);
        }
        let mut query: Vec<&str> = received.query.split('&').filter(|it| !it.is_empty()).collect();
        query.sort_unstable();
        let mut text = format!("{}\n{}\n{}\n", received.method, encoded(&received.path), query.join("&"));
        for name in &self.signed {
            let values =
                received.headers.get_all(*name).iter().map(|value| value.to_str().unwrap_or_default());
            let values: Vec<String> =
                values.map(|value| value.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
            text.push_str(&format!("{name}:{}\n", values.join(",")));
        }
        text.push_str(&format!("\n{}\n{hash}", self.signed.join(";")));
        Ok(text)
    }
}

/// A path as it is signed: what was encoded once for HTTP is encoded again.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(byte.into());
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

fn mac(key: &[u8], text: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(text);
    mac
}

/// The bytes of hexadecimal digits.
fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).ok());
    pairs.map(|pair| u8::from_str_radix(pair.filter(|it| it.len() == 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example `get-vanilla` or `post-vanilla` of AWS's test suite for Signature Version 4.
    fn vanilla(method: &str, signature: &str) -> Received {
        let authorization = format!(
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, \
             SignedHeaders=host;x-amz-date, Signature={signature}"
        );
        let mut headers = HeaderMap::new();
        headers.insert("host", "example.amazonaws.com".parse().expect("it is valid"));
        headers.insert("x-amz-date", "20150830T123600Z".parse().expect("it is valid"));
        headers.insert("authorization", authorization.parse().expect("it is valid"));
        Received {
            method: method.to_owned(),
            path: "/".to_owned(),
            query: String::new(),
            params: Vec::new(),
            headers,
            body: Vec::new().into(),
        }
    }

    fn verify(received: &Received, now: &str) -> Result<(), SignatureError> {
        let authorization = Authorization::of(&received.headers).expect("it is whole");
        assert_eq!((authorization.access_key, authorization.region), ("AKIDEXAMPLE", "us-east-1"));
        let now = now.parse().expect("it is a time");
        authorization.verify(received, "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "service", now)
    }

    const GET: &str = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";
    const POST: &str = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b";
    const NOW: &str = "2015-08-30T12:36:00Z";

    #[test]
    fn signatures_that_aws_publishes_are_accepted() {
        assert_eq!(verify(&vanilla("GET", GET), NOW), Ok(()));
        assert_eq!(verify(&vanilla("POST", POST), NOW), Ok(()));
    }

    #[test]
    fn everything_that_is_signed_counts() {
        assert_eq!(verify(&vanilla("GET", POST), NOW), Err(SignatureError::Mismatch));
        assert_eq!(verify(&vanilla("GET", "00"), NOW), Err(SignatureError::Mismatch));
        for change in [
            (|it| it.path = "/other".to_owned()) as fn(&mut Received),
            |it| it.query = "a=b".to_owned(),
            |it| it.body = "{}".into(),
            |request| drop(request.headers.insert("host", "example.com".parse().expect("it is valid"))),
        ] {
            let mut changed = vanilla("GET", GET);
            change(&mut changed);
            assert_eq!(verify(&changed, NOW), Err(SignatureError::Mismatch), "{changed:?}");
        }
        assert_eq!(verify(&vanilla("GET", GET), "2015-08-30T12:42:00Z"), Err(SignatureError::Expired));
        let mut more = vanilla("GET", GET);
        more.headers.insert("x-amz-target", "A.B".parse().expect("it is valid"));
        assert_eq!(verify(&more, NOW), Err(SignatureError::Incomplete));
        for broken in
            ["", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 Credential=a/b/c, SignedHeaders=host, Signature=00"]
        {
            let mut headers = HeaderMap::new();
            headers.insert("authorization", broken.parse().expect("it is valid"));
            assert_eq!(Authorization::of(&headers), None);
        }
    }
}
