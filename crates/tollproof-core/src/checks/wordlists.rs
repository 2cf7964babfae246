//! The lists that rules name, and the regular expressions of rules.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tollproof_data::checks::pattern::Regex;
use tollproof_data::text::phrases::interner::list_title;
use tollproof_data::text::words::hit::SetId;

use crate::prepared::PREPARED;
use crate::syntax::message::{Message, message};
use crate::validators::host;
use crate::validators::url::Address;

/// The built-in lists by name: each file of `rules/lists/` without its ending.
pub(crate) fn lists() -> &'static [(&'static str, &'static str)] {
    &PREPARED.lists
}

/// The titles of lexicon lists, and compiled regular expressions.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The title of the list of a lexicon set, for messages.
    pub(crate) titles: Vec<(SetId, String)>,
    patterns: Mutex<BTreeMap<String, Arc<Regex>>>,
}

impl Lists {
    pub(crate) fn new(titles: Vec<(SetId, String)>) -> Self {
        Self { titles, patterns: Mutex::default() }
    }

    /// The title of the list of a lexicon set.
    pub(crate) fn title(&self, set: SetId) -> Option<&str> {
        self.titles.iter().find(|(known, _)| *known == set).map(|(_, title)| title.as_str())
    }

    /// The content of a built-in list.
    pub(crate) fn text(name: &str) -> Option<&'static str> {
        lists().iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The entry that matches the host of an address, with the description of its list: "`bit.ly` is a public URL
    /// shortener".
    pub(crate) fn host_reason(&self, hosts: &[String], address: &Address) -> Option<Message> {
        hosts.iter().find_map(|name| {
            let entry = self.host_entry(std::slice::from_ref(name), &address.host)?;
            let title = Self::text(name).and_then(list_title);
            Some(match title {
                Some(title) => message!("`{}` is {}", entry, Message::own(title)),
                None => message!("`{}`", entry),
            })
        })
    }

    /// The entry that matches a host or one of its parent domains: a host in `hosts`, or an entry of a list that
    /// `hosts` names.
    pub(crate) fn host_entry<'h>(&self, hosts: &'h [impl AsRef<str>], wanted: &str) -> Option<&'h str> {
        hosts.iter().map(AsRef::as_ref).find_map(|name| {
            match PREPARED.hosts.iter().find(|(known, _)| *known == name) {
                Some((_, sorted)) => listed(sorted, wanted),
                None => host::is_under(wanted, name).then_some(name),
            }
        })
    }

    /// A regular expression, compiled on first use. It was validated when its rule was loaded.
    pub(crate) fn pattern(&self, pattern: &str) -> Arc<Regex> {
        let mut patterns = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        let compile =
            || Arc::new(Regex::new(pattern).expect("the pattern was compiled once when its rule was loaded"));
        Arc::clone(patterns.entry(pattern.to_owned()).or_insert_with(compile))
    }
}

/// The entry of a sorted host list that matches a host or one of its parent domains.
fn listed<'t>(sorted: &'t str, wanted: &str) -> Option<&'t str> {
    let mut host = wanted;
    loop {
        if let Some(entry) = find_line(sorted, host) {
            return Some(entry);
        }
        host = host.split_once('.')?.1;
        // Lists do not contain top-level domains such as `com`.
        host.split_once('.')?;
    }
}

/// Finds the line `wanted` in a sorted text by binary search.
fn find_line<'t>(sorted: &'t str, wanted: &str) -> Option<&'t str> {
    let bytes = sorted.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &bytes[..middle]).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        match bytes[start..end].cmp(wanted.as_bytes()) {
            Ordering::Equal => return Some(&sorted[start..end]),
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_host_is_found_under_its_entry() {
        let sorted = "a.com\nbit.ly\nd.net\nz.co.uk";
        for (host, entry) in
            [("a.com", "a.com"), ("x.bit.ly", "bit.ly"), ("d.net", "d.net"), ("a.b.z.co.uk", "z.co.uk")]
        {
            assert_eq!(listed(sorted, host), Some(entry), "{host}");
        }
        for host in ["com", "ly", "xbit.ly", "e.net", "", "zz.com", "0.com"] {
            assert_eq!(listed(sorted, host), None, "{host}");
        }
    }
}
