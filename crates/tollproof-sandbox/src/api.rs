//! A provider's API: its routes, its errors, and a call as handlers see it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue};
use jiff::SignedDuration;
use serde_json::{Map, Value};
use tollproof_core::{KindRole, Provider};

use crate::options::SandboxOptions;
use crate::reply::{ApiReply, Result};
use crate::review::{self, FieldProblem, Judged, ReviewReason, Reviewer};
use crate::store::{Filing, FilingState, NewFiling, OwnedNumber, StateTables};

/// A handler's answer.
pub(crate) type Handled = Result<ApiReply>;

/// A client's request, read completely.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) method: String,
    /// The path without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    /// The parameters of the route.
    pub(crate) params: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Received {
    /// The operation in `X-Amz-Target`.
    pub(crate) fn target(&self) -> Option<&str> {
        self.headers.get("x-amz-target")?.to_str().ok()
    }
}

/// The API of one provider.
pub(crate) struct ApiSurface {
    /// The name of the provider; its paths begin with it.
    pub(crate) name: &'static str,
    /// The routes, with the paths below the name.
    pub(crate) routes: fn(&SandboxOptions) -> Vec<ApiRoute>,
    /// The key that a request has.
    pub(crate) key_of: fn(&Received) -> Option<String>,
    /// The proof that a request is allowed.
    pub(crate) allows: Allows,
    /// An error that does not depend on the operation.
    pub(crate) error: fn(ApiError<'_>) -> ApiReply,
    /// Client access data, for the address and the key of the sandbox.
    pub(crate) access: fn(&str, &str) -> Vec<AccessRow>,
}

/// The proof that a request is allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Allows {
    /// It has the key in `Authorization`.
    Key,
    /// It is signed with the key, or else this is the answer.
    Signature(fn(&Received, &str) -> Result<(), ApiReply>),
}

/// One operation of an API.
#[derive(Clone, Debug)]
pub(crate) struct ApiRoute {
    /// The operation, in the ledger.
    pub(crate) operation: &'static str,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    /// The operation in `X-Amz-Target`, which other routes have with the same path.
    pub(crate) target: Option<&'static str>,
    pub(crate) handle: fn(&ApiCall<'_>) -> Handled,
    /// Kind of its body, if tollproof has a schema of it.
    pub(crate) body: Option<KindRole>,
}

impl ApiRoute {
    /// The same route, whose body is of this kind.
    pub(crate) fn takes(self, role: KindRole) -> Self {
        Self { body: Some(role), ..self }
    }

    /// Whether a request with these headers, to this path, is for this operation.
    pub(crate) fn is_for(&self, headers: &HeaderMap) -> bool {
        let named = headers.get("x-amz-target").map(HeaderValue::as_bytes);
        self.target.is_none_or(|target| named == Some(target.as_bytes()))
    }

    /// Whether the operation only reads; reviews without a length of their own end then.
    pub(crate) fn is_reading(&self) -> bool {
        self.method == "GET" || self.target.is_some_and(|it| it.contains(".Describe"))
    }
}

/// An error that does not depend on the operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ApiError<'a> {
    BadBody(&'a str),
    Credentials,
    UnknownPath,
    TooLarge,
    TooSlow,
    TooMany,
    Server,
}

impl ApiError<'_> {
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::BadBody(_) => 400,
            Self::Credentials => 401,
            Self::UnknownPath => 404,
            Self::TooLarge => 413,
            Self::TooSlow => 408,
            Self::TooMany => 429,
            Self::Server => 500,
        }
    }

    pub(crate) fn message(&self) -> &str {
        match self {
            Self::BadBody(what) => what,
            Self::Credentials => "the credentials are missing or wrong",
            Self::UnknownPath => "no operation has this method and path",
            Self::TooLarge => "the body is too large",
            Self::TooSlow => "the body did not arrive in time",
            Self::TooMany => "too many requests",
            Self::Server => "internal error",
        }
    }
}

/// One thing that a client needs to reach a provider in the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessRow {
    /// Its label.
    pub label: &'static str,
    /// Its value.
    pub value: String,
}

/// The settings of the state that change how submissions are reviewed, and how long that takes in milliseconds.
pub(crate) const REVIEW: &str = "review";
pub(crate) const REVIEW_AFTER: &str = "review-after";

impl ApiSurface {
    /// Refuses a request that may not be made.
    pub(crate) fn admit(&self, received: &Received, key: &str) -> Result<(), ApiReply> {
        match self.allows {
            Allows::Signature(verify) => verify(received, key),
            Allows::Key if (self.key_of)(received).as_deref() == Some(key) => Ok(()),
            Allows::Key => Err((self.error)(ApiError::Credentials)),
        }
    }
}

/// A call inside of its transaction.
pub(crate) struct ApiCall<'c> {
    pub(crate) surface: &'static ApiSurface,
    pub(crate) received: &'c Received,
    pub(crate) tables: StateTables<'c>,
    pub(crate) reviewer: &'c Reviewer,
}

impl ApiCall<'_> {
    /// A parameter of the path.
    pub(crate) fn param(&self, name: &str) -> &str {
        let found = self.received.params.iter().find(|(key, _)| key == name);
        found.map_or("", |(_, value)| value)
    }

    /// A parameter of the query.
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let mut pairs = form_urlencoded::parse(self.received.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// A number of the query, at most `most`.
    pub(crate) fn query_number(&self, name: &str, default: u32, most: u32) -> u32 {
        self.query(name).and_then(|value| value.parse().ok()).unwrap_or(default).min(most)
    }

    /// The body as a JSON object.
    pub(crate) fn object(&self) -> Result<Map<String, Value>> {
        match serde_json::from_slice(&self.received.body) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(self.error(ApiError::BadBody("the body is not a JSON object")).into()),
            Err(_) => Err(self.error(ApiError::BadBody("the body is not valid JSON")).into()),
        }
    }

    /// An error in the provider's shape.
    pub(crate) fn error(&self, error: ApiError<'_>) -> ApiReply {
        (self.surface.error)(error)
    }

    /// Judges a body of a kind by the rules.
    pub(crate) fn judge(&self, role: KindRole, body: &Value) -> Judged {
        let kind = self.provider().kind(role);
        kind.map(|kind| review::judge(&self.reviewer.linter, kind, &body.to_string())).unwrap_or_default()
    }

    /// The same, or the provider's answer about the values that it refuses before any review.
    pub(crate) fn judged(
        &self,
        role: KindRole,
        body: &Value,
        invalid: impl Fn(&[FieldProblem]) -> ApiReply,
    ) -> Result<Judged> {
        let judged = self.judge(role, body);
        if judged.refused.is_empty() { Ok(judged) } else { Err(invalid(&judged.refused).into()) }
    }

    /// The body as a form, as pairs of names and values.
    pub(crate) fn form(&self) -> Vec<(String, String)> {
        form_urlencoded::parse(&self.received.body).into_owned().collect()
    }

    /// A number that an account owns, by its E.164 or id.
    pub(crate) fn owned(&self, account: &str, number_or_id: &str) -> Result<Option<OwnedNumber>> {
        let owned = self.tables.owned(self.surface.name, number_or_id)?;
        Ok(owned.filter(|it| it.account == account))
    }

    /// Whether a review of a number has not ended.
    pub(crate) fn is_in_review(&self, number: &str) -> Result<bool> {
        let filings = self.tables.filings_of(self.surface.name, number)?;
        Ok(filings.iter().any(|it| it.state == FilingState::Open))
    }

    /// Whether a submission was rejected longer ago than this.
    pub(crate) fn is_rejected_since(&self, filing: &Filing, time: SignedDuration) -> bool {
        let is_long = |at| self.tables.now.duration_since(at) > time;
        filing.state == FilingState::Rejected && filing.decided_at.is_some_and(is_long)
    }

    /// The address of the sandbox, as the client names it.
    pub(crate) fn address(&self) -> String {
        let host = self.received.headers.get("host").and_then(|value| value.to_str().ok());
        format!("http://{}/{}", host.unwrap_or_default(), self.surface.name)
    }

    /// Stores a submission and starts its review. `body` is what was judged.
    pub(crate) fn file(
        &self,
        account: &str,
        id: &str,
        numbers: &[String],
        body: &Value,
        judged: Judged,
    ) -> Result<Filing> {
        let (verdict, after) = self.review(judged, 0)?;
        let (provider, state) = (self.surface.name, FilingState::Open);
        let verdict = &verdict;
        self.tables.file(&NewFiling { provider, account, id, numbers, body, state, verdict, after })?;
        Ok(self.tables.filing(provider, id)?.expect("it was stored just now"))
    }

    /// Stores a submission that is not sent to review yet.
    pub(crate) fn draft(&self, id: &str, numbers: &[String], body: &Value) -> Result<Filing> {
        let (provider, state, after) = (self.surface.name, FilingState::Draft, SignedDuration::ZERO);
        let (account, verdict) = ("", &[][..]);
        self.tables.file(&NewFiling { provider, account, id, numbers, body, state, verdict, after })?;
        Ok(self.tables.filing(provider, id)?.expect("it was stored just now"))
    }

    /// Sends a submission again, with what was changed, and starts its review again.
    pub(crate) fn refile(&self, filing: &Filing, body: &Value, judged: Judged) -> Result<Filing> {
        let (verdict, after) = self.review(judged, self.tables.times_sent(filing)?)?;
        self.tables.refile(filing, body, &verdict, after)?;
        Ok(self.tables.filing(self.surface.name, &filing.id)?.expect("it was stored just now"))
    }

    /// The review's result, and its duration.
    fn review(&self, judged: Judged, nth: u32) -> Result<(Vec<ReviewReason>, SignedDuration)> {
        let mode = self.tables.setting(REVIEW)?.and_then(|value| value.parse().ok());
        let after = self.tables.setting(REVIEW_AFTER)?.and_then(|value| value.parse().ok());
        let verdict = judged.verdict(mode.as_ref().unwrap_or(&self.reviewer.mode), nth, self.provider());
        Ok((verdict, after.map_or(self.reviewer.after, SignedDuration::from_millis)))
    }

    /// The provider whose payloads and codes these are.
    pub(crate) fn provider(&self) -> Provider {
        provider_of(self.surface)
    }
}

/// The provider of a surface, with its payloads and codes.
pub(crate) fn provider_of(surface: &ApiSurface) -> Provider {
    Provider::named(surface.name).expect("each surface has the name of a built-in provider")
}
