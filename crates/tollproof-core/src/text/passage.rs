//! Passages of a text: sentences that mean the same in every text, so that what was found in them can be kept.

use std::ops::Range;

use smallvec::SmallVec;

use super::hit::Hit;
use super::split_text::SplitText;
use super::vocabulary::Languages;

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
    let mix = |hash: u64, bits: u64| {
        let mixed = (hash ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    let hash = words.iter().fold(text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    mix(mix(hash, rest), 0)
}

/// What of the text around it a passage depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PassageContext {
    /// The languages of its sentences.
    pub(super) languages: SmallVec<[Languages; 4]>,
    /// Whether the text has no small letter.
    pub(super) is_shouted: bool,
    /// The long quotations that begin in it, which may end behind it.
    pub(super) quotations: SmallVec<[(usize, usize); 1]>,
}

/// What was found in a passage in one context.
#[derive(Debug)]
pub(super) struct PassageTerms {
    pub(super) context: PassageContext,
    /// Sorted by their first words.
    pub(super) hits: Vec<Hit>,
    /// For each word, the index of its first hit.
    pub(super) starts: Vec<u32>,
    /// The groups of each sentence, as bit sets.
    pub(super) groups: Vec<u64>,
    /// The steps that the search took.
    pub(super) steps: usize,
}

/// A passage and what is known of it; words and places count from its beginning.
#[derive(Debug)]
pub(super) struct KnownPassage {
    pub(super) text: Box<str>,
    pub(super) hash: u64,
    pub(super) split: SplitText,
    /// Whether what is behind it can be read on its own.
    pub(super) ends_sentence: bool,
    pub(super) terms: SmallVec<[PassageTerms; 1]>,
}

/// In how many contexts what was found is kept.
const CONTEXTS: usize = 2;

impl KnownPassage {
    /// What was found in a context.
    pub(super) fn terms_in(&self, context: &PassageContext) -> Option<&PassageTerms> {
        self.terms.iter().find(|it| it.context == *context)
    }

    /// Keeps what was found in another context.
    pub(super) fn add(&mut self, terms: PassageTerms) {
        if self.terms.len() == CONTEXTS {
            self.terms.remove(0);
        }
        self.terms.push(terms);
    }

    /// About how many bytes it takes.
    pub(super) fn size(&self) -> usize {
        let of_terms = |it: &PassageTerms| {
            size_of_val(it)
                + size_of_val(it.hits.as_slice())
                + size_of_val(it.starts.as_slice())
                + size_of_val(it.groups.as_slice())
        };
        size_of_val(self)
            + self.text.len()
            + self.split.size()
            + self.terms.iter().map(of_terms).sum::<usize>()
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
