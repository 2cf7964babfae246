//! Addresses in settings: one, or one for each server of a provider.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use url::Url;

use crate::client::check_address;

/// Reads addresses by the names of servers. One text is the address of the server with the empty name.
pub(super) fn hosts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, String>, D::Error> {
    deserializer.deserialize_any(OneOrNamed)
}

/// Reads the address of one server.
pub(super) fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let address = Option::<ServerAddress>::deserialize(deserializer)?;
    Ok(address.map(|it| it.0))
}

struct OneOrNamed;

impl<'de> Visitor<'de> for OneOrNamed {
    type Value = BTreeMap<String, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address, or addresses by the names of servers")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(BTreeMap::from([(String::new(), checked(text)?)]))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut hosts = BTreeMap::new();
        while let Some(name) = map.next_key()? {
            hosts.insert(name, map.next_value::<ServerAddress>()?.0);
        }
        Ok(hosts)
    }
}

/// An address that may be asked.
struct ServerAddress(String);

impl<'de> Deserialize<'de> for ServerAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        checked(&text).map(Self)
    }
}

/// Refuses what the client would refuse, so that the error has the place in the file.
fn checked<E: Error>(text: &str) -> Result<String, E> {
    let url: Url = filled(text).parse().map_err(|_| {
        E::custom(format_args!("`{text}` is not an address; write one such as `https://api.example.com`"))
    })?;
    check_address(&url).map_err(E::custom)?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(E::custom("an address of a server has no `?` and no `#`; remove that part"));
    }
    Ok(text.to_owned())
}

/// With a letter in place of each `{…}`.
fn filled(text: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, (_, after))) =
        rest.split_once('{').and_then(|(before, it)| Some((before, it.split_once('}')?)))
    {
        filled.push_str(before);
        filled.push('x');
        rest = after;
    }
    filled + rest
}
