//! The hosts that a check names: single hosts and lists of them.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::host_hash::host_hashes;

/// Hosts, and names of host lists.
#[derive(Clone, Debug, Default)]
pub struct HostNames(Vec<String>, OnceLock<Box<HostFilter>>);

/// What most hosts are not, so that they need no comparison with each name. Made on first use.
#[derive(Clone, Debug)]
struct HostFilter {
    /// The hashes of the single hosts, sorted.
    hashes: Vec<u32>,
    /// Whether one of the names is that of a list.
    has_lists: bool,
}

impl PartialEq for HostNames {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for HostNames {}

impl HostNames {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names, in the order of the file.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether one of these may be a host or a parent domain of it, by their hashes. `is_listed` says whether a list may
    /// contain it.
    pub fn may_have(&self, hashes: &[u32], is_listed: impl FnOnce(&[u32]) -> bool) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let filter = self.1.get_or_init(|| {
            // Only hosts have a dot.
            let hosts = self.0.iter().filter(|name| name.contains('.'));
            let mut hashes: Vec<u32> = hosts.filter_map(|host| host_hashes(host).last()).collect();
            hashes.sort_unstable();
            Box::new(HostFilter { has_lists: self.0.iter().any(|name| !name.contains('.')), hashes })
        });
        filter.has_lists && is_listed(hashes)
            || !filter.hashes.is_empty()
                && hashes.iter().any(|hash| filter.hashes.binary_search(hash).is_ok())
    }
}

impl Serialize for HostNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HostNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Vec::deserialize(deserializer)?, OnceLock::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hosts_that_are_not_named_are_ruled_out() {
        let names: HostNames = serde_json::from_str(r#"["acme.com", "x.co.uk"]"#).expect("it is a list");
        let may_have = |names: &HostNames, host: &str, listed: bool| {
            names.may_have(&host_hashes(host).collect::<Vec<_>>(), |_| listed)
        };
        for host in ["acme.com", "www.acme.com", "a.b.x.co.uk"] {
            assert!(may_have(&names, host, false), "{host}");
        }
        for host in ["com", "wacme.com", "co.uk", "acme.com.au"] {
            assert!(!may_have(&names, host, true), "{host}");
        }
        let list: HostNames = serde_json::from_str(r#"["free-mail"]"#).expect("it is a list");
        assert!(may_have(&list, "acme.com", true) && !may_have(&list, "acme.com", false));
        assert!(!may_have(&HostNames::default(), "acme.com", true));
        assert_eq!(serde_json::to_string(&names).expect("it has JSON"), r#"["acme.com","x.co.uk"]"#);
    }
}
