//! A request's outcome.

use std::fmt;
use std::time::{Duration, SystemTime};

use super::authentication::Authentication;
use super::mask::masked;

/// A request's outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A whole answer, whatever its status. A redirect is one too, and is never followed.
    Answer(HttpAnswer),
    /// Not a byte of the request was sent, in any try: why, for people.
    NotSent(String),
    /// Bytes were sent, and no whole answer came: why, for people. The provider may have done what was asked.
    Lost(String),
}

/// A whole answer.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpAnswer {
    /// The status: 200.
    pub status: u16,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
    /// The media type, with its parameters.
    pub content_type: Option<String>,
    /// The time to wait before the next request, if the provider says so.
    pub retry_after: Option<Duration>,
    /// Whether an earlier try of this request was lost: the provider may have done twice what was asked, or answers here
    /// to what it has done already. Never with [`Repeat::Once`](super::Repeat::Once).
    pub after_lost: bool,
    headers: Vec<(String, String)>,
}

impl HttpAnswer {
    pub(super) fn new(status: u16, body: Vec<u8>, headers: Vec<(String, String)>) -> Self {
        let mut answer =
            Self { status, body, content_type: None, retry_after: None, after_lost: false, headers };
        answer.content_type = answer.header("content-type").map(str::to_owned);
        answer.retry_after =
            answer.header("retry-after").and_then(|value| retry_after(value, SystemTime::now()));
        answer
    }

    /// The first value of a header, if it is text. Case does not count.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The answer without the keys of its request, which a gateway may repeat.
    pub(super) fn without_keys(mut self, authentication: &Authentication) -> Self {
        self.body = masked(self.body, authentication);
        for (_, value) in &mut self.headers {
            let bytes = masked(std::mem::take(value).into_bytes(), authentication);
            *value = String::from_utf8_lossy(&bytes).into_owned();
        }
        self
    }

    /// Whether the status is one of success: 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Without headers and body, which may have personal data.
impl fmt::Debug for HttpAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpAnswer")
            .field("status", &self.status)
            .field("length", &self.body.len())
            .field("content_type", &self.content_type)
            .field("retry_after", &self.retry_after)
            .finish_non_exhaustive()
    }
}

/// The pause that `Retry-After` asks for: seconds, or a date. A date that has passed asks for none.
fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_seconds_or_dates() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").expect("it is a date");
        let pause = |value: &str| retry_after(value, now);
        assert_eq!(pause("120"), Some(Duration::from_secs(120)));
        assert_eq!(pause(" 0 "), Some(Duration::ZERO));
        assert_eq!(pause("Sun, 06 Nov 1994 08:50:37 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(pause("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(pause("99999999999999999999"), Some(Duration::from_secs(u64::MAX)));
        for other in ["", "-1", "1.5", "soon", "+3"] {
            assert_eq!(pause(other), None, "{other}");
        }
    }
}
