//! Refusals of a request before anything is sent.

/// Refusal of a request before anything is sent: a mistake in settings or in the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address is neither https nor http to this machine.
    #[error("`{0}` is not an https address; only `localhost` and loopback addresses can use http")]
    NotHttps(String),
    /// The address contains a user or a password.
    #[error("the address of `{0}` contains a user or a password; remove them")]
    UserInfo(String),
    /// The address has characters that HTTP does not allow.
    #[error("the address of `{0}` cannot be used in a request")]
    InvalidAddress(String),
    /// A key of the sandbox, for a host that is not this machine.
    #[error("this is a key of the sandbox; `{0}` needs a real key")]
    SandboxKey(String),
    /// A real key, for this machine.
    #[error("this is a real key: the sandbox takes keys that begin with `sandbox-`")]
    RealKey,
    /// The key is empty.
    #[error("the key for `{0}` is empty")]
    EmptyKey(String),
    /// A key, or a name beside it, has characters that a header cannot have.
    #[error("the key for `{0}` contains characters that no key has; look for line breaks and quotes")]
    InvalidKey(String),
    /// A header that cannot be sent.
    #[error("invalid header `{0}`: a name has letters and hyphens, a value no control characters")]
    InvalidHeader(String),
    /// A header that the client sets itself.
    #[error("the header `{0}` is set by the client; remove it from the request")]
    ReservedHeader(String),
    /// The options allow no try.
    #[error("a client needs at least one try and time for it")]
    NoTry,
}
