//! Hosts to the addresses that are connected to: each host is looked up once in a run.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use tollproof_browser::Destinations;
use url::{Host, Url};

use super::names::{NameError, NameService};
use super::reach::{NetworkScope, RefusedAddress};

/// A name that exists as long as the DNS does (RFC 2606).
const CONTROL: &str = "example.com";

/// Obstacle to connecting to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreached {
    /// The address must not be asked.
    Refused(RefusedAddress),
    /// The name has no addresses.
    Name(NameError),
}

impl Unreached {
    /// Reason, as in facts.
    pub(super) fn why(self) -> &'static str {
        match self {
            Self::Refused(RefusedAddress::Private) => "private-address",
            Self::Refused(RefusedAddress::Port) => "other-port",
            Self::Refused(RefusedAddress::Scheme) => "not-a-web-address",
            Self::Name(NameError::NoSuchName) => "no-such-name",
            Self::Name(NameError::NoAddress) => "no-address",
            Self::Name(NameError::NoAnswer) => "no-name-server",
        }
    }
}

/// Knowledge of one host.
type KnownHost = Arc<OnceLock<Result<Vec<IpAddr>, NameError>>>;

/// The hosts of a run.
#[derive(Debug)]
pub(super) struct Directory {
    names: Arc<dyn NameService>,
    reach: NetworkScope,
    known: Mutex<HashMap<String, KnownHost>>,
    /// Whether any name has an address.
    resolved: AtomicBool,
    /// Connection targets in tests.
    #[cfg(test)]
    pub(super) detours: HashMap<SocketAddr, SocketAddr>,
}

impl Directory {
    pub(super) fn new(names: Arc<dyn NameService>, reach: NetworkScope) -> Self {
        Self {
            names,
            reach,
            known: Mutex::default(),
            resolved: AtomicBool::new(false),
            #[cfg(test)]
            detours: HashMap::new(),
        }
    }

    /// Addresses to connect to for a page.
    pub(super) fn places(&self, url: &Url) -> Result<Vec<SocketAddr>, Unreached> {
        let port = self.reach.check(url).map_err(Unreached::Refused)?;
        let addresses = match url.host() {
            Some(Host::Ipv4(it)) => vec![it.into()],
            Some(Host::Ipv6(it)) => vec![it.into()],
            Some(Host::Domain(name)) => self.addresses(name).map_err(Unreached::Name)?,
            None => return Err(Unreached::Refused(RefusedAddress::Scheme)),
        };
        let allowed = self.reach.allowed(&addresses);
        if allowed.is_empty() {
            return Err(Unreached::Refused(RefusedAddress::Private));
        }
        let places = allowed.into_iter().map(|it| SocketAddr::new(it, port));
        #[cfg(test)]
        let places = places.map(|place| self.detours.get(&place).copied().unwrap_or(place));
        Ok(places.collect())
    }

    /// The addresses of a host, as they were when it was first asked for.
    pub(super) fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, NameError> {
        let host = host.trim_end_matches('.');
        let known = {
            let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(host.to_owned()).or_default())
        };
        let found = known.get_or_init(|| self.names.addresses(host)).clone();
        if found.is_ok() {
            self.resolved.store(true, Ordering::Relaxed);
        }
        found
    }

    /// Whether a domain has a mail server.
    pub(super) fn has_mail_server(&self, domain: &str) -> Result<bool, NameError> {
        let found = self.names.has_mail_server(domain);
        if found == Ok(true) {
            self.resolved.store(true, Ordering::Relaxed);
        }
        found
    }

    /// Whether names can be looked up here at all. If none of the run had an address, one that always exists is asked for.
    pub(super) fn resolves(&self) -> bool {
        self.resolved.load(Ordering::Relaxed) || self.names.addresses(CONTROL).is_ok()
    }
}

/// The pages in a browser reach what the looker itself may reach.
impl Destinations for Directory {
    fn of(&self, url: &Url) -> Option<Vec<SocketAddr>> {
        self.places(url).ok()
    }
}
