//! Public suffixes as data, for WebAssembly: the code that the crate `psl` makes of them is six times as large.

use std::sync::LazyLock;

use psl_types::{Domain, Info, List, Suffix, Type};
use tollproof_data::tables::PUBLIC_SUFFIXES;

/// The rules of the list, sorted by their labels from the last to the first, as if exceptions had no `!`.
static RULES: LazyLock<Vec<&str>> =
    LazyLock::new(|| PUBLIC_SUFFIXES.lines().filter(|line| !line.starts_with("//")).collect());

/// The public suffix of a host.
pub(crate) fn suffix(host: &[u8]) -> Option<Suffix<'_>> {
    PublicSuffixes.suffix(host)
}

/// The public suffix of a host and one label before it.
pub(crate) fn domain(host: &[u8]) -> Option<Domain<'_>> {
    PublicSuffixes.domain(host)
}

/// The list, which is searched as `psl` does it: a label that no rule has at its place is one for `*`.
struct PublicSuffixes;

impl List for PublicSuffixes {
    fn find<'a, T: Iterator<Item = &'a [u8]>>(&self, labels: T) -> Info {
        let mut rules = RULES.as_slice();
        let mut info = Info { len: 0, typ: None };
        let mut length = 0;
        for (depth, label) in labels.enumerate() {
            if depth == 0 {
                // The last label is a suffix even if no rule has it.
                info.len = label.len();
            }
            let below = with_label(rules, depth, label);
            rules = if below.is_empty() { with_label(rules, depth, b"*") } else { below };
            let Some(rule) = rules.first() else { break };
            let before = length;
            length += usize::from(depth > 0) + label.len();
            // The shortest of these rules is the first.
            if rule.split('.').count() == depth + 1 {
                let is_exception = rule.starts_with('!');
                // Nothing asks who runs a suffix, which the list does not say.
                info = Info { len: if is_exception { before } else { length }, typ: Some(Type::Icann) };
            }
        }
        info
    }
}

/// The rules that have a label at a place counted from their end, of rules with the same labels after it.
fn with_label<'r>(rules: &'r [&'static str], depth: usize, label: &[u8]) -> &'r [&'static str] {
    let label_of =
        |rule: &&'static str| rule.trim_start_matches('!').rsplit('.').nth(depth).map(str::as_bytes);
    let start = rules.partition_point(|rule| label_of(rule) < Some(label));
    let count = rules[start..].partition_point(|rule| label_of(rule) == Some(label));
    &rules[start..start + count]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares what both lists find in a host.
    fn compare(host: &str) {
        let found = |suffix: Option<Suffix<'_>>, domain: Option<Domain<'_>>| {
            let suffix = suffix.map(|it| (it.as_bytes().to_vec(), it.is_known()));
            (suffix, domain.map(|it| it.as_bytes().to_vec()))
        };
        let bytes = host.as_bytes();
        let expected = found(psl::suffix(bytes), psl::domain(bytes));
        assert_eq!(found(suffix(bytes), domain(bytes)), expected, "{host}");
    }

    #[test]
    fn every_rule_means_what_it_means_to_psl() {
        assert!(RULES.len() > 10_000);
        for rule in RULES.iter() {
            let rule = rule.trim_start_matches('!');
            let parent = rule.split_once('.').map_or("", |(_, parent)| parent);
            for name in [rule, parent, &rule.replace('*', "x")] {
                for before in ["", "a.", "b.a."] {
                    compare(&format!("{before}{name}"));
                }
            }
            // Names that only look like the rule.
            compare(&rule.chars().skip(1).collect::<String>());
            compare(&format!("x{rule}"));
        }
    }

    #[test]
    fn any_host_has_the_suffix_that_psl_finds() {
        let labels = [
            "", "com", "uk", "co", "ck", "www", "kawasaki", "jp", "city", "é", "*", "!www", "COM", "xn--p1ai",
        ];
        for (first, second) in labels.iter().flat_map(|first| labels.map(|second| (first, second))) {
            for third in labels {
                for host in [format!("{first}.{second}.{third}"), format!("a.{first}.{second}.{third}")] {
                    compare(&host);
                }
            }
        }
    }
}
