//! A request, before anything is sent.

use std::fmt;

use url::Url;

/// The name of the client.
pub(super) const USER_AGENT: &str = concat!("tollproof/", env!("CARGO_PKG_VERSION"));

/// A method of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads, and changes nothing.
    Get,
    /// Creates, or whatever the provider does with it.
    Post,
    /// Replaces.
    Put,
    /// Changes a part.
    Patch,
    /// Deletes.
    Delete,
}

impl Method {
    /// Whether a request changes nothing.
    pub fn is_read(self) -> bool {
        self == Self::Get
    }

    /// The name in a request: `GET`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// Condition for sending it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The request changes nothing: again after no answer, 429 and 5xx.
    Read,
    /// Again only if not a byte was sent, or after 429, with which the provider says that it did nothing.
    Once,
    /// The vendor's idempotency makes repeats safe: again as [`Repeat::Read`].
    Keyed,
}

/// A request without its key.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// The address, with its query.
    pub url: Url,
    /// Names and values of headers. The client adds those of the body, of the key, of the connection, and `User-Agent`.
    pub headers: Vec<(String, String)>,
    /// The body, if there is one.
    pub body: Option<RequestBody>,
    /// Rule for resending it.
    pub repeat: Repeat,
}

/// The body of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestBody {
    /// The media type: `application/json`.
    pub content_type: String,
    /// The bytes, as they are sent.
    pub bytes: Vec<u8>,
}

/// Without query, headers and body, which may have personal data.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("body", &self.body)
            .field("repeat", &self.repeat)
            .finish_non_exhaustive()
    }
}

/// Only type and length: a body has personal data.
impl fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { content_type, bytes } = self;
        write!(f, "RequestBody({content_type}, {} bytes)", bytes.len())
    }
}
