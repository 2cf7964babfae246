//! An answer of a provider's API, and what in it is assumed.

use serde_json::Value;

use crate::assumptions::Assumption;

/// An answer before it is sent.
#[derive(Clone, Debug)]
pub(crate) struct ApiReply {
    pub(crate) status: u16,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) body: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) assumed: Vec<Assumption>,
}

impl ApiReply {
    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    pub(crate) fn text(status: u16, content_type: &'static str, body: String) -> Self {
        Self { content_type: Some(content_type), body, ..Self::empty(status) }
    }

    pub(crate) fn empty(status: u16) -> Self {
        Self { status, content_type: None, body: String::new(), headers: Vec::new(), assumed: Vec::new() }
    }

    /// Says that no source shows this about the answer.
    pub(crate) fn assumed(mut self, assumption: Assumption) -> Self {
        if !self.assumed.contains(&assumption) {
            self.assumed.push(assumption);
        }
        self
    }

    /// The answer as a refusal.
    pub(crate) fn refuse<T>(self) -> Result<T> {
        Err(self.into())
    }

    /// The same, where no source shows this about it.
    pub(crate) fn refused<T>(self, assumption: Assumption) -> Result<T> {
        self.assumed(assumption).refuse()
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// A result for a handler, or its refusal.
pub(crate) type Result<T, E = Refused> = std::result::Result<T, E>;

/// A handler's refusal of a request.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The provider's own answer.
    Answer(Box<ApiReply>),
    /// The store failed.
    Store(rusqlite::Error),
}

impl From<ApiReply> for Refused {
    fn from(reply: ApiReply) -> Self {
        Self::Answer(Box::new(reply))
    }
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error)
    }
}
