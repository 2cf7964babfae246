//! The lists that rules name, and the regular expressions of users' rules.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex::Regex;

use crate::plausible::host;
use crate::rule::phrases::{list_lines, list_title};
use crate::text::lexicon::SetId;

/// The built-in lists by name: each file of `rules/lists/` without its ending.
pub(crate) static LISTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/lists.rs"));

/// Lists and patterns, looked up by name.
#[derive(Debug)]
pub(crate) struct Lists {
    /// What the list of a lexicon set is called inside a sentence.
    pub(crate) titles: BTreeMap<SetId, String>,
    patterns: Mutex<BTreeMap<String, Arc<Regex>>>,
}

impl Lists {
    /// Lists whose sets have these titles.
    pub(crate) fn new(titles: BTreeMap<SetId, String>) -> Self {
        Self { titles, patterns: Mutex::default() }
    }

    /// The text of a built-in list.
    pub(crate) fn text(name: &str) -> Option<&'static str> {
        LISTS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The entry that a host lies under, with what its list says of it: "`bit.ly` is a public URL shortener".
    pub(crate) fn host_reason(&self, hosts: &[String], wanted: &str) -> Option<String> {
        hosts.iter().find_map(|name| {
            let entry = self.host_entry(std::slice::from_ref(name), wanted)?;
            let title = Self::text(name).and_then(list_title);
            Some(title.map_or_else(|| format!("`{entry}`"), |title| format!("`{entry}` is {title}")))
        })
    }

    /// The entry that a host lies under: a host of `hosts` itself, or one in a list that it names.
    pub(crate) fn host_entry<'h>(&self, hosts: &'h [String], wanted: &str) -> Option<&'h str> {
        hosts.iter().map(String::as_str).find_map(|name| match Self::text(name) {
            Some(text) => listed(text, wanted),
            None => host::is_under(wanted, name).then_some(name),
        })
    }

    /// A regular expression that was checked when its rule was loaded; compiled when first needed.
    pub(crate) fn pattern(&self, pattern: &str) -> Arc<Regex> {
        let mut patterns = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        let compile =
            || Arc::new(Regex::new(pattern).expect("the pattern was compiled once when its rule was loaded"));
        Arc::clone(patterns.entry(pattern.to_owned()).or_insert_with(compile))
    }
}

/// The line of a list of hosts that a host lies under.
fn listed<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    let last = wanted.rsplit('.').nth(1).unwrap_or(wanted);
    // The label before the ending is in the text if the host is: a cheap test that most hosts fail.
    text.contains(last).then(|| list_lines(text).find(|line| host::is_under(wanted, line))).flatten()
}
