//! Passages of a text: sentences that have the same words in every text, so that these can be kept.

use std::ops::Range;

use super::places::{Placed, hash_with};
use super::split_text::SplitText;

/// The sizes of passages that are kept: of shorter ones, reading costs little, and longer ones seldom occur twice.
const SIZES: Range<usize> = 16..512;

/// The byte ranges of the passages of a text. Each ends with the punctuation of a sentence before whitespace, or with the
/// text, and begins behind whitespace.
pub(super) fn passages(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut ends = memchr::memchr3_iter(b'.', b'!', b'?', bytes).filter_map(|at| end_at(bytes, at));
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &bytes[start..];
        start += rest.iter().position(|it| !it.is_ascii_whitespace())?;
        let begin = start;
        let end = ends.find(|end| *end > begin).unwrap_or(bytes.len());
        start = end;
        Some(begin..end)
    })
}

/// The end of the passage that the punctuation at a place ends, if it certainly ends a sentence. Marks that may belong to
/// an address, a number or an abbreviation do not.
fn end_at(bytes: &[u8], at: usize) -> Option<usize> {
    let before = |count: usize| at.checked_sub(count).map(|at| bytes[at]);
    let is_sentence = bytes[at] != b'.'
        || matches!(before(1), Some(b')' | b'"'))
        || [1, 2].into_iter().all(|count| before(count).is_some_and(|it| it.is_ascii_alphanumeric()));
    let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'"'));
    let is_last = bytes.get(end).is_none_or(u8::is_ascii_whitespace);
    (is_sentence && is_last).then_some(end)
}

/// Whether a text has enough bytes for a passage that can be kept.
pub(super) fn may_have_passage(text: &str) -> bool {
    text.len() >= SIZES.start
}

/// Whether a passage has a size to be kept.
pub(super) fn can_be_kept(bytes: &Range<usize>) -> bool {
    SIZES.contains(&bytes.len())
}

/// A hash of a passage, fast rather than safe: whoever finds a passage by it compares the text.
pub(super) fn hash_of_passage(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let rest = rest.iter().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    let hash = words.iter().fold(text.len() as u64, |hash, word| hash_with(hash, u64::from_le_bytes(*word)));
    hash_with(hash_with(hash, rest), 0)
}

/// A passage that was read; words and places count from its beginning.
#[derive(Debug)]
pub(super) struct KnownPassage {
    pub(super) text: Box<str>,
    pub(super) hash: u64,
    pub(super) split: SplitText,
    /// Whether what is behind it can be read on its own.
    pub(super) ends_sentence: bool,
}

impl Placed for KnownPassage {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.text.len() + self.split.size()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_end_with_sentences() {
        let of = |text| passages(text).map(|it| &text[it]).collect::<Vec<_>>();
        assert_eq!(of("Reply STOP. Or call?  Yes"), ["Reply STOP.", "Or call?", "Yes"]);
        assert_eq!(
            of("\"We text you.\" Rates apply (5 p.m. only)."),
            ["\"We text you.\"", "Rates apply (5 p.m. only)."]
        );
        assert_eq!(of("J. Smith at acme.com/a.b, 1.5 times. "), ["J. Smith at acme.com/a.b, 1.5 times."]);
        assert_eq!(of(" \n"), Vec::<&str>::new());
    }

    #[test]
    fn the_hash_depends_on_every_byte() {
        let text = b"Message and data rates may apply.";
        let changed = (0..text.len()).map(|at| {
            let mut text = text.to_vec();
            text[at] ^= 1;
            hash_of_passage(&text)
        });
        let mut hashes: Vec<u64> =
            changed.chain([hash_of_passage(text), hash_of_passage(&text[1..])]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), text.len() + 2);
    }
}
