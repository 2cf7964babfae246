//! Sentences and clauses of pasted text.

use std::collections::BTreeMap;
use std::ops::Range;

/// The sentences of a text. An empty line ends a sentence, a single line break does not.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1).copied().unwrap_or(b'\n');
        let ends = match byte {
            b'.' | b'!' | b'?' => next.is_ascii_whitespace(),
            b'\n' => text[at + 1..].split('\n').next().is_none_or(|line| line.trim().is_empty()),
            _ => false,
        };
        if ends || at + 1 == bytes.len() {
            let part = &text[start..=at];
            let bare = part.trim();
            if !bare.is_empty() {
                let first = start + part.len() - part.trim_start().len();
                found.push(first..first + bare.len());
            }
            start = at + 1;
        }
    }
    found
}

/// The clauses of a sentence, which end at a comma, a semicolon or a word for "and".
pub(super) fn clauses(text: &str, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    let part = &text[sentence.clone()];
    let ends = [", ", "; ", " and ", " et ", " y "];
    let found_ends: BTreeMap<_, _> = ends.iter().flat_map(|end| part.match_indices(end)).collect();
    for (at, end) in found_ends {
        // "Message and data rates" are one thing.
        let (before, after) = (part[..at].to_lowercase(), part[at + end.len()..].to_lowercase());
        if ["message", "msg"].iter().any(|word| before.ends_with(word)) && after.starts_with("data") {
            continue;
        }
        found.push(start..sentence.start + at);
        start = sentence.start + at + end.len();
    }
    found.push(start..sentence.end);
    found.retain(|range| range.start < range.end && !text[range.clone()].trim().is_empty());
    found
}
