//! The words of a text, for looking up alternatives of `reasons.yaml`.

use std::collections::HashSet;

use tollproof_data::text::words::word::Words;

/// A word of at least this length also matches longer words that start with it.
pub(super) const STEM: usize = 4;

/// The length of the longest alternative.
pub(super) const LONGEST: usize = 24;

/// The words of a text, prepared so that looking up an alternative does not depend on their number.
pub(super) struct Heard<'t> {
    words: Vec<&'t str>,
    /// The words, and their beginnings of [`STEM`] to [`LONGEST`] bytes.
    beginnings: HashSet<&'t str>,
}

impl<'t> Heard<'t> {
    pub(super) fn of(words: &'t Words, end: usize) -> Self {
        let words: Vec<&str> = (0..end).map(|at| words.word(at)).collect();
        let beginnings = |word: &&'t str| {
            let word = *word;
            let lengths = (STEM..word.len().min(LONGEST + 1)).filter(move |at| word.is_char_boundary(*at));
            lengths.map(move |at| &word[..at]).chain([word])
        };
        Self { beginnings: words.iter().flat_map(beginnings).collect(), words }
    }

    /// The words alone, without their beginnings.
    pub(super) fn whole(words: &'t Words) -> Self {
        let words: Vec<&str> = (0..words.len()).map(|at| words.word(at)).collect();
        Self { beginnings: words.iter().copied().collect(), words }
    }

    /// Whether one of some alternatives is there: a word, or words one after the other.
    pub(super) fn has(&self, alternatives: &str) -> bool {
        alternatives.split(' ').any(|alternative| {
            if alternative.contains('_') {
                self.has_in_order(alternative)
            } else {
                self.beginnings.contains(alternative)
            }
        })
    }

    fn has_in_order(&self, alternative: &str) -> bool {
        let parts: Vec<&str> = alternative.split('_').collect();
        let is = |(part, word): (&&str, &&str)| word == part || part.len() >= STEM && word.starts_with(part);
        parts.iter().all(|part| self.beginnings.contains(part))
            && self.words.windows(parts.len()).any(|words| parts.iter().zip(words).all(is))
    }
}
