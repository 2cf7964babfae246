//! Names of hosts to addresses; `localhost` is this machine, whatever a name server says.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::{Error, http::uri::Scheme};

/// Looks names up as the system does, except `localhost`.
#[derive(Debug, Default)]
pub(super) struct HostResolver(DefaultResolver);

impl Resolver for HostResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        if uri.host() != Some("localhost") {
            return self.0.resolve(uri, config, timeout);
        }
        let default = if uri.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
        let port = uri.port_u16().unwrap_or(default);
        let mut addresses = self.empty();
        addresses.push(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        addresses.push(SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
        Ok(addresses)
    }
}
