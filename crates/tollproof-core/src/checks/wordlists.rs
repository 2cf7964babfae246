//! The lists that rules name, and the regular expressions of rules.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tollproof_data::checks::pattern::Regex;
use tollproof_data::text::phrases::interner::list_title;
use tollproof_data::text::table::stored::WordTable;
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
    pub(crate) fn host_entry<'h>(&self, hosts: &'h [impl AsRef<str>], wanted: &'h str) -> Option<&'h str> {
        hosts.iter().map(AsRef::as_ref).find_map(|name| {
            match PREPARED.hosts.iter().find(|(known, _)| *known == name) {
                Some((_, list)) => listed(list, wanted),
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

/// The longest name of a host in the DNS.
const LONGEST_HOST: usize = 253;

/// The entry of a host list that matches a host or one of its parent domains.
fn listed<'w>(list: &WordTable<'_>, wanted: &'w str) -> Option<&'w str> {
    let mut domains = std::iter::successors(Some(wanted), |host| Some(host.split_once('.')?.1));
    domains.find(|host| host.len() <= LONGEST_HOST && list.find(host.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::{WordTable, listed};

    #[test]
    fn a_host_is_found_under_its_entry() {
        let (list, _) = WordTable::of(&["a.com", "bit.ly", "d.net", "z.co.uk"]);
        for (host, entry) in
            [("a.com", "a.com"), ("x.bit.ly", "bit.ly"), ("d.net", "d.net"), ("a.b.z.co.uk", "z.co.uk")]
        {
            assert_eq!(listed(&list, host), Some(entry), "{host}");
        }
        for host in ["com", "ly", "xbit.ly", "e.net", "", "zz.com", "0.com"] {
            assert_eq!(listed(&list, host), None, "{host}");
        }
    }
}
