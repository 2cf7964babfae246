//! A text as words, with the phrases and web addresses in it.

use std::cell::OnceCell;
use std::ops::Range;

use crate::text::lexicon::Hit;
use crate::text::phrases::Phrases;
use crate::text::tokenize::Words;
use crate::validators::url::{self, Address};

/// A text as words, with the matches of the phrases of all rules.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) words: Words,
    /// Sorted by their first words.
    pub(crate) hits: Vec<Hit>,
    /// A bit set of the phrase sets that have a hit.
    sets: Vec<u64>,
    addresses: OnceCell<Vec<(Range<usize>, Address)>>,
}

impl Scan {
    pub(crate) fn new(words: Words, hits: Vec<Hit>) -> Self {
        let last = hits.iter().map(|hit| usize::from(hit.set)).max();
        let mut sets = vec![0; last.map_or(0, |last| last / 64 + 1)];
        for set in hits.iter().map(|hit| usize::from(hit.set)) {
            sets[set / 64] |= 1 << (set % 64);
        }
        Self { words, hits, sets, addresses: OnceCell::new() }
    }

    /// Whether the text contains one of the phrases.
    pub(crate) fn has(&self, phrases: &Phrases) -> bool {
        let has = |set: usize| self.sets.get(set / 64).is_some_and(|bits| bits >> (set % 64) & 1 == 1);
        phrases.sets.iter().any(|&set| has(usize::from(set)))
    }

    /// The web addresses in the text that was scanned, with their byte ranges; they are searched for on first use.
    pub(crate) fn addresses(&self, text: &str) -> &[(Range<usize>, Address)] {
        self.addresses.get_or_init(|| url::in_text(text))
    }
}
