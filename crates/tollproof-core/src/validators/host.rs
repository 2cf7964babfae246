//! Host names: registrable domains, reserved names and local names.

use std::borrow::Cow;
use std::net::IpAddr;

use tollproof_data::tables::web::{LOCAL, RESERVED};

use crate::prepared::PREPARED;

/// The registrable domain: the public suffix and one label before it, such as `acme.co.uk`.
pub(crate) fn registrable(host: &str) -> Option<&str> {
    let suffix = PREPARED.public_suffixes.suffix(host)?;
    let before = host.strip_suffix(suffix)?.strip_suffix('.').filter(|before| !before.is_empty())?;
    host.get(before.rfind('.').map_or(0, |at| at + 1)..)
}

/// A host in ASCII: non-ASCII labels are encoded as `xn--…`.
pub(crate) fn ascii(host: &str) -> Cow<'_, str> {
    if host.is_ascii() {
        return host.into();
    }
    url::Host::parse(host).map_or_else(|_| host.into(), |host| host.to_string().into())
}

/// The label before the public suffix: `acme` of `acme.co.uk`.
pub(crate) fn site_label(host: &str) -> Option<&str> {
    registrable(host)?.split('.').next()
}

/// Whether a host is below a known public suffix, or is itself one of several labels: storage providers serve content
/// at such names.
pub(crate) fn is_public(host: &str) -> bool {
    let is_suffix = || PREPARED.public_suffixes.suffix(host).is_some_and(|suffix| suffix.contains('.'));
    !host.split('.').any(str::is_empty) && (registrable(host).is_some() || is_suffix())
}

/// Whether a host is reserved for examples and tests.
pub(crate) fn is_reserved(host: &str) -> bool {
    RESERVED.iter().any(|name| is_under(host, name))
}

/// Whether a host is reachable only in a private network: a local name or a private IP address.
pub(crate) fn is_local(host: &str) -> bool {
    let private = |address| match address {
        IpAddr::V4(it) => it.is_private() || it.is_loopback() || it.is_link_local() || it.is_unspecified(),
        IpAddr::V6(it) => {
            it.is_loopback() || it.is_unspecified() || it.is_unique_local() || it.is_unicast_link_local()
        }
    };
    LOCAL.iter().any(|name| is_under(host, name)) || ip(host).is_some_and(private)
}

/// Whether a host is an IP address, public or private.
pub(crate) fn is_address(host: &str) -> bool {
    ip(host).is_some()
}

fn ip(host: &str) -> Option<IpAddr> {
    // Fast path: most hosts are names.
    let may_be_ip = matches!(host.as_bytes(), [.., b'0'..=b'9' | b']']);
    if !may_be_ip && memchr::memchr(b':', host.as_bytes()).is_none() {
        return None;
    }
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether a host is `domain` or a subdomain of it.
pub(crate) fn is_under(host: &str, domain: &str) -> bool {
    // Fast path: most names differ in their last letter.
    host.as_bytes().last() == domain.as_bytes().last()
        && host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
