//! Public suffixes as data: the code that the crate `psl` makes of them is six times as large.

use std::cmp::Ordering;
use std::sync::LazyLock;

use psl_types::{Domain, Info, List, Suffix, Type};
use tollproof_data::tables::PUBLIC_SUFFIXES;

/// The rules of the list, a line each, sorted by their labels from the last to the first, as if exceptions had no `!`.
fn rules() -> &'static [u8] {
    static RULES: LazyLock<&[u8]> = LazyLock::new(|| {
        PUBLIC_SUFFIXES.split_once("\n\n").map_or_else(Default::default, |(_, rules)| rules.as_bytes())
    });
    &RULES
}

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
        let mut rules = rules();
        let mut info = Info { len: 0, typ: None };
        let (mut length, mut known) = (0, 0);
        for (depth, label) in labels.enumerate() {
            if depth == 0 {
                // The last label is a suffix even if no rule has it.
                info.len = label.len();
            }
            let mut matched = label;
            let mut below = with_label(rules, known, label);
            if below.is_empty() {
                matched = b"*";
                below = with_label(rules, known, matched);
            }
            rules = below;
            // The shortest of these rules is the first.
            let rule = first_line(rules);
            if rule.is_empty() {
                break;
            }
            known += usize::from(depth > 0) + matched.len();
            let before = length;
            length += usize::from(depth > 0) + label.len();
            if rule.iter().filter(|byte| **byte == b'.').count() == depth {
                let is_exception = rule.starts_with(b"!");
                // Nothing asks who runs a suffix, which the list does not say.
                info = Info { len: if is_exception { before } else { length }, typ: Some(Type::Icann) };
            }
        }
        info
    }
}

/// The rules that have a label before `known` bytes that all of them end with.
fn with_label<'r>(rules: &'r [u8], known: usize, label: &[u8]) -> &'r [u8] {
    let compared = |rule: &[u8]| -> Ordering {
        let rule = rule.strip_prefix(b"!").unwrap_or(rule);
        let rest = &rule[..rule.len().saturating_sub(known)];
        let rest = if known == 0 { Some(rest) } else { rest.strip_suffix(b".") };
        rest.map(|rest| &rest[rest.iter().rposition(|byte| *byte == b'.').map_or(0, |at| at + 1)..])
            .cmp(&Some(label))
    };
    let rules = &rules[lines_before(rules, |rule| compared(rule).is_lt())..];
    // Most labels have no rule.
    if !compared(first_line(rules)).is_eq() {
        return &[];
    }
    &rules[..lines_before(rules, |rule| compared(rule).is_eq())]
}

fn first_line(lines: &[u8]) -> &[u8] {
    lines.split(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// The length of the first of some lines, those of which something is true.
fn lines_before(lines: &[u8], is_before: impl Fn(&[u8]) -> bool) -> usize {
    let (mut start, mut end) = (0, lines.len());
    while start < end {
        let middle = start + (end - start) / 2;
        let first =
            lines[start..middle].iter().rposition(|byte| *byte == b'\n').map_or(start, |at| start + at + 1);
        let last = lines[middle..end].iter().position(|byte| *byte == b'\n').map_or(end, |at| middle + at);
        if is_before(&lines[first..last]) {
            start = last + 1;
        } else {
            end = first;
        }
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares what both lists find in a host.
    fn compare(host: &str) {
        let found = |suffix: Option<Suffix<'_>>, domain: Option<Domain<'_>>| {
            let suffix = suffix.map(|suffix| (suffix.as_bytes().to_vec(), suffix.is_known()));
            (suffix, domain.map(|domain| domain.as_bytes().to_vec()))
        };
        let bytes = host.as_bytes();
        let expected = found(psl::suffix(bytes), psl::domain(bytes));
        assert_eq!(found(suffix(bytes), domain(bytes)), expected, "{host}");
    }

    #[test]
    fn every_rule_means_what_it_means_to_psl() {
        let rules = std::str::from_utf8(rules()).expect("it is text");
        assert!(rules.lines().count() > 10_000);
        for rule in rules.lines() {
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
