//! The host whose numbers a history is about: the provider's own servers, or a server in their place.

use std::fmt;

/// A host. What is known of a number at one host says nothing about the number at another, so stores keep them apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host(String);

impl Host {
    /// The provider's own servers.
    #[must_use]
    pub fn provider() -> Self {
        Self::default()
    }

    /// The server with an address such as `127.0.0.1:8833`. Of a URL, the scheme and what follows the authority are
    /// left out. An empty name means the provider's own servers.
    #[must_use]
    pub fn named(address: &str) -> Self {
        let address = address.trim();
        let address = address.split_once("://").map_or(address, |(_, rest)| rest);
        let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
        // What comes before `@` may be a password.
        let authority = authority.rsplit('@').next().unwrap_or_default();
        Self(authority.to_ascii_lowercase())
    }

    /// Whether these are the provider's own servers.
    pub fn is_provider(&self) -> bool {
        self.0.is_empty()
    }

    /// The address as it is stored; empty for the provider's own servers.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_provider() { "the provider" } else { &self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_the_authority_of_an_address() {
        for (address, host) in [
            ("127.0.0.1:8833", "127.0.0.1:8833"),
            (" http://LocalHost:8833/twilio?x ", "localhost:8833"),
            ("https://ana:s3cret@[::1]:8833/", "[::1]:8833"),
        ] {
            assert_eq!(Host::named(address).as_str(), host);
            assert_eq!(Host::named(address).to_string(), host);
            assert!(!Host::named(address).is_provider());
        }
        assert_eq!(Host::named(""), Host::provider());
        assert_eq!(Host::provider().to_string(), "the provider");
    }
}
