//! Public suffixes: the names below which anyone can register a domain.

use serde::{Deserialize, Serialize};

use crate::tables::PUBLIC_SUFFIXES;
use crate::text::table::stored::BeginningTable;

/// The list, as data: the code that the crate `psl` makes of it is six times as large.
///
/// Each rule is stored from its end to its beginning, with a dot after its last label but without `*` or `!`. Its number
/// has the length of the suffix in front of two bits: hosts that are this name have the suffix (`EXACT`), and hosts below
/// it have one that is a label longer (`BELOW`).
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'static"))]
pub struct PublicSuffixes(BeginningTable<'static>);

const EXACT: u32 = 1;
const BELOW: u32 = 2;

/// The rules of the list.
fn rules() -> impl Iterator<Item = &'static str> {
    PUBLIC_SUFFIXES.lines().filter(|line| !line.is_empty() && !line.starts_with("//"))
}

impl PublicSuffixes {
    /// The list of `data/`.
    pub fn of_data() -> Self {
        let mut numbers: std::collections::BTreeMap<Vec<u8>, u32> = Default::default();
        for rule in rules() {
            let exception = rule.strip_prefix('!');
            let (name, bit) = match rule.strip_prefix("*.") {
                Some(above) => (above, BELOW),
                None => (exception.unwrap_or(rule), EXACT),
            };
            // An exception has the suffix that is left without its first label.
            let suffix = exception.and_then(|name| Some(name.split_once('.')?.1)).unwrap_or(name);
            let key = name.bytes().rev().chain([b'.']).collect();
            *numbers.entry(key).or_default() |= (suffix.len() as u32) << 2 | bit;
        }
        Self(BeginningTable::of(numbers))
    }

    /// The suffix of a host, if the list has it.
    pub fn suffix<'h>(&self, host: &'h str) -> Option<&'h str> {
        let name = host.strip_suffix('.').unwrap_or(host);
        let mut found = None;
        // The longest rule is the last.
        for number in self.0.find(name.bytes().rev().chain([b'.'])) {
            let length = (number >> 2) as usize;
            if number & EXACT != 0 {
                found = Some(name.len() - length);
            }
            if number & BELOW != 0
                && let Some(dot) = name.len().checked_sub(length + 1)
            {
                found = Some(name[..dot].rfind('.').map_or(0, |at| at + 1));
            }
        }
        host.get(found?..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hosts whose suffix `psl` does not find: it applies no `*` to a label that other rules have something below.
    fn not_found_by_psl(list: &PublicSuffixes) -> Vec<String> {
        let parents = rules().filter_map(|rule| rule.split_once('.')).map(|(_, parent)| parent);
        let known = |name: &str| psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix == name);
        parents.filter(|name| list.suffix(name) == Some(name) && !known(name)).map(str::to_owned).collect()
    }

    /// Compares what both lists find in a host.
    fn compare(list: &PublicSuffixes, host: &str) {
        let expected = psl::suffix(host.as_bytes()).filter(|suffix| suffix.is_known());
        let expected = expected.map(|suffix| suffix.as_bytes());
        assert_eq!(list.suffix(host).map(str::as_bytes), expected, "{host}");
    }

    #[test]
    fn every_rule_means_what_it_means_to_psl() {
        let list = PublicSuffixes::of_data();
        let other = not_found_by_psl(&list);
        assert!(rules().count() > 10_000 && other.len() < 100, "{other:?}");
        for rule in rules() {
            let rule = rule.trim_start_matches('!');
            let parent = rule.split_once('.').map_or("", |(_, parent)| parent);
            for name in [rule, parent, &rule.replace('*', "x")] {
                if other.iter().any(|other| name.ends_with(other)) {
                    continue;
                }
                for before in ["", "a.", "b.a."] {
                    compare(&list, &format!("{before}{name}"));
                }
                // Names that only look like the rule.
                compare(&list, &name.chars().skip(1).collect::<String>());
                compare(&list, &format!("x{name}"));
            }
        }
    }

    #[test]
    fn any_host_has_the_suffix_that_psl_finds() {
        let labels = [
            "", "com", "uk", "co", "ck", "www", "kawasaki", "jp", "city", "é", "*", "!www", "COM", "xn--p1ai",
        ];
        let list = PublicSuffixes::of_data();
        for (first, second) in labels.iter().flat_map(|first| labels.map(|second| (first, second))) {
            for third in labels {
                for host in [format!("{first}.{second}.{third}"), format!("a.{first}.{second}.{third}")] {
                    compare(&list, &host);
                }
            }
        }
    }
}
