//! Addresses that a look may connect to: public ones, unless the user allows others.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::Url;

/// The ports of websites.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// The reach of a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NetworkScope {
    /// Public addresses, on the ports of websites.
    #[default]
    Public,
    /// Also this machine and private networks, on any port: for tests and intranets.
    Private,
}

/// Fault of a refused address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedAddress {
    /// It is neither http nor https.
    Scheme,
    /// The port is not that of a website.
    Port,
    /// The host is not public.
    Private,
}

impl NetworkScope {
    /// Checks what an address says itself, before its host is looked up. Returns the port.
    pub(super) fn check(self, url: &Url) -> Result<u16, RefusedAddress> {
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(RefusedAddress::Scheme);
        }
        let port = url.port_or_known_default().ok_or(RefusedAddress::Scheme)?;
        if self == Self::Private || PORTS.contains(&port) { Ok(port) } else { Err(RefusedAddress::Port) }
    }

    /// The IP addresses that may be connected to; one that is not public is left out, also beside public ones.
    pub(super) fn allowed(self, addresses: &[IpAddr]) -> Vec<IpAddr> {
        addresses.iter().copied().filter(|address| self == Self::Private || is_public(*address)).collect()
    }
}

/// Whether an IP address belongs to the public internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => is_public_v4(it),
        IpAddr::V6(it) => is_public_v6(it),
    }
}

/// The IANA registry of special-purpose addresses, RFC 6890.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        // This network, private, loopback, link-local with the metadata of clouds, multicast, reserved and broadcast.
        (0 | 10 | 127 | 224..=255, _, _) | (169, 254, _) | (192, 168, _) => false,
        // Carriers (RFC 6598), private, benchmarks.
        (100, 64..=127, _) | (172, 16..=31, _) | (198, 18 | 19, _) => false,
        // Protocol assignments, documentation, the relay of 6to4.
        (192, 0, 0 | 2) | (192, 88, 99) | (198, 51, 100) | (203, 0, 113) => false,
        _ => true,
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let embedded = || {
        let [.., high, low] = segments;
        is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
    };
    match segments {
        // NAT64 (RFC 6052): networks without IPv4 reach public IPv4 addresses so.
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] => embedded(),
        // Teredo, ORCHID and other protocols; documentation; 6to4.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [0x2002, ..] => false,
        [0x3fff, second, ..] if second < 0x1000 => false,
        // All other global unicast. Loopback, mapped IPv4, unique local, link-local and multicast addresses are outside.
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_allowed() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:93.184.216.34",
            "64:ff9b::127.0.0.1",
            "64:ff9b::169.254.169.254",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:a9fe:a9fe::",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            let address: IpAddr = text.parse().expect(text);
            assert!(!is_public(address), "{text}");
            assert_eq!(NetworkScope::Private.allowed(&[address]), [address]);
        }
        for text in [
            "1.1.1.1",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "192.169.0.1",
            "198.17.0.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "64:ff9b::93.184.216.34",
        ] {
            assert!(is_public(text.parse().expect(text)), "{text}");
        }
    }

    #[test]
    fn only_ports_of_websites_are_allowed() {
        let check = |reach: NetworkScope, text: &str| reach.check(&text.parse().expect(text));
        assert_eq!(check(NetworkScope::Public, "https://acme.com/"), Ok(443));
        assert_eq!(check(NetworkScope::Public, "http://acme.com:8080/"), Ok(8080));
        for port in [22, 25, 6379, 9200] {
            let text = format!("http://acme.com:{port}/");
            assert_eq!(check(NetworkScope::Public, &text), Err(RefusedAddress::Port));
            assert_eq!(check(NetworkScope::Private, &text), Ok(port));
        }
        for text in ["ftp://acme.com/", "file:///etc/passwd", "mailto:a@acme.com", "javascript:alert(1)"] {
            assert_eq!(check(NetworkScope::Private, text), Err(RefusedAddress::Scheme), "{text}");
        }
    }
}
