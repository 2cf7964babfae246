//! Sentences and clauses of pasted text.

use std::collections::BTreeMap;
use std::ops::Range;

use super::codes::content_words;

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
        let before = part[..at].rsplit(' ').next().unwrap_or_default();
        let is_data = part[at + end.len()..].get(..4).is_some_and(|after| after.eq_ignore_ascii_case("data"));
        if is_data && ["message", "msg"].iter().any(|word| before.eq_ignore_ascii_case(word)) {
            continue;
        }
        found.push(start..sentence.start + at);
        start = sentence.start + at + end.len();
    }
    found.push(start..sentence.end);
    found.retain(|range| range.start < range.end && !text[range.clone()].trim().is_empty());
    found
}

/// Whether a sentence says that it names one more reason.
pub(super) fn adds(sentence: &str) -> bool {
    const WORDS: [&str; 16] = [
        "and",
        "also",
        "additionally",
        "addition",
        "furthermore",
        "besides",
        "too",
        "et",
        "aussi",
        "outre",
        "plus",
        "y",
        "adem\u{e1}s",
        "tambi\u{e9}n",
        "tampoco",
        "\u{e9}galement",
    ];
    let first = sentence.split(|letter: char| !letter.is_alphanumeric()).take(4);
    first.map(str::to_lowercase).any(|word| WORDS.contains(&word.as_str()))
}

/// Whether a line asks for what a list after it names, and says little else.
pub(super) fn asks(line: &str) -> bool {
    const WORDS: [&str; 18] = [
        "provide",
        "missing",
        "add",
        "send",
        "include",
        "need",
        "find",
        "supply",
        "attach",
        "fournir",
        "fournissez",
        "ajouter",
        "manque",
        "envoyer",
        "falta",
        "faltan",
        "agregue",
        "proporcione",
    ];
    let words = content_words(line);
    let mut asked = WORDS.iter().flat_map(|word| content_words(word));
    words.len() <= FEW_WORDS && asked.any(|word| words.contains(&word))
}

/// A line that only asks has at most as many words that say something.
const FEW_WORDS: usize = 4;
