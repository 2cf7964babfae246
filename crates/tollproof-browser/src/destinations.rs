//! The decision about what a page may reach, which the user of this crate makes.

use std::fmt::Debug;
use std::net::SocketAddr;

use url::Url;

/// Decides where the connections of pages go. The proxy asks it about every connection, and opens no other.
pub trait Destinations: Debug + Send + Sync {
    /// The addresses to which a connection for this URL may be opened, the first that answers is taken. `None`: it is refused.
    ///
    /// A name must be looked up here, and the addresses checked after that: the proxy looks up nothing.
    fn of(&self, url: &Url) -> Option<Vec<SocketAddr>>;
}
