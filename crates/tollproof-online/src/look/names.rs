//! Names to addresses, and what the DNS says of mail domains.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, ResolveHosts};
use hickory_resolver::net::{DnsError, NetError, NoRecords};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::RData;
use tokio::runtime::{Builder, Runtime};

/// The time a name server has for an answer, and the number of tries.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(3);
const ATTEMPTS: usize = 2;

/// Looks up names. Tests have their own.
pub trait NameService: fmt::Debug + Send + Sync {
    /// The addresses of a host.
    ///
    /// # Errors
    ///
    /// Why there are none.
    fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, NameError>;

    /// Whether a domain has a mail server.
    ///
    /// # Errors
    ///
    /// Why that is not known, or that the domain does not exist.
    fn has_mail_server(&self, domain: &str) -> Result<bool, NameError>;
}

/// A failed lookup of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameError {
    /// An authoritative answer: the name does not exist.
    NoSuchName,
    /// The name exists, and has no address.
    NoAddress,
    /// No name server gave an answer that counts.
    NoAnswer,
}

/// The name servers of this system.
pub struct SystemNames {
    runtime: Runtime,
    resolver: TokioResolver,
}

impl SystemNames {
    /// Reads the settings of this system.
    ///
    /// # Errors
    ///
    /// The settings cannot be read or used: why, for people.
    pub fn new() -> Result<Self, String> {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let mut builder = TokioResolver::builder_tokio().map_err(|error| error.to_string())?;
        let options = builder.options_mut();
        options.timeout = LOOKUP_TIMEOUT;
        options.attempts = ATTEMPTS;
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        options.use_hosts_file = ResolveHosts::Auto;
        let resolver = {
            let _inside = runtime.enter();
            builder.build().map_err(|error| error.to_string())?
        };
        Ok(Self { runtime, resolver })
    }
}

/// Without the name servers, which are the user's.
impl fmt::Debug for SystemNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SystemNames")
    }
}

impl NameService for SystemNames {
    fn addresses(&self, host: &str) -> Result<Vec<IpAddr>, NameError> {
        if is_this_machine(host) {
            return Ok(vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]);
        }
        let found =
            self.runtime.block_on(self.resolver.lookup_ip(absolute(host))).map_err(|it| reason(&it))?;
        let addresses: Vec<IpAddr> = found.iter().collect();
        if addresses.is_empty() { Err(NameError::NoAddress) } else { Ok(addresses) }
    }

    fn has_mail_server(&self, domain: &str) -> Result<bool, NameError> {
        let found = match self.runtime.block_on(self.resolver.mx_lookup(absolute(domain))) {
            Ok(found) => found,
            Err(error) => {
                return match reason(&error) {
                    NameError::NoAddress => Ok(false),
                    other => Err(other),
                };
            }
        };
        // A record with the root alone says that the domain takes no mail (RFC 7505).
        let is_server = |data: &RData| matches!(data, RData::MX(mx) if !mx.exchange.is_root());
        Ok(found.answers().iter().any(|record| is_server(&record.data)))
    }
}

/// Whether a host is this machine by its name (RFC 6761), whatever a name server says.
fn is_this_machine(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    host == "localhost" || host.ends_with(".localhost")
}

/// With the final dot, so that no domain of this system is appended.
fn absolute(host: &str) -> String {
    format!("{}.", host.trim_end_matches('.'))
}

fn reason(error: &NetError) -> NameError {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(NoRecords { response_code, soa, .. })) => {
            match response_code {
                // Without the zone that says so, it is the word of a filter.
                ResponseCode::NXDomain if soa.is_some() => NameError::NoSuchName,
                ResponseCode::NoError => NameError::NoAddress,
                _ => NameError::NoAnswer,
            }
        }
        _ => NameError::NoAnswer,
    }
}
