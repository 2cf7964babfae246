//! What was found in a sentence, kept by all that phrases can tell of it: sentences that differ only in names, addresses or
//! amounts are the same to them.

use std::ops::Range;

use super::found_terms::{FoundTerms, note_sets};
use super::hit::{GroupId, Hit};
use super::own_name::NamePlace;
use super::places::{Placed, hash_with};
use super::split_text::SplitText;
use super::vocabulary::Languages;

/// A sentence of a text, before the search for terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sentence<'t> {
    /// The range of its words.
    pub(super) words: &'t Range<usize>,
    pub(super) languages: Languages,
    /// The words that are terms by themselves, with their groups.
    pub(super) tokens: &'t [(usize, GroupId)],
    /// The long quotations that begin in it, as ranges of words.
    pub(super) quotations: &'t [Range<usize>],
    /// Where it names the business.
    pub(super) names: &'t [NamePlace<'t>],
}

/// All that the terms and phrases in a sentence depend on: what the codes of its words say, and what is computed.
#[derive(Debug, Default)]
pub(super) struct SentenceKey {
    parts: Vec<u32>,
    /// For each lexicon, where the codes of the words end.
    ends: Vec<usize>,
    /// Where the codes of the words begin.
    begin: usize,
}

impl SentenceKey {
    /// Sets it to a sentence of a text that was split.
    pub(super) fn set(&mut self, split: &SplitText, sentence: &Sentence<'_>) {
        let Sentence { words, languages, tokens, quotations, names } = *sentence;
        let Self { parts, ends, begin } = self;
        parts.clear();
        ends.clear();
        // The counts say where each of the lists ends.
        parts.reserve(4 + 2 * (tokens.len() + quotations.len() + words.len()));
        parts.extend_from_slice(&[
            u32::from(languages.bits()),
            words.len() as u32,
            tokens.len() as u32,
            quotations.len() as u32,
        ]);
        for (at, group) in tokens {
            parts.extend_from_slice(&[(at - words.start) as u32, u32::from(*group)]);
        }
        for quotation in quotations {
            parts.extend_from_slice(&[(quotation.start - words.start) as u32, quotation.len() as u32]);
        }
        *begin = parts.len();
        for (lexicon, codes) in split.codes.iter().enumerate() {
            // A user's own phrases may name the business.
            let names = if lexicon == 0 { names } else { &[] };
            codes.copy(words, names, parts);
            ends.push(parts.len());
        }
    }

    /// The codes of the words for each lexicon.
    pub(super) fn codes(&self) -> impl Iterator<Item = &[u32]> {
        let begin = |lexicon: usize| if lexicon == 0 { self.begin } else { self.ends[lexicon - 1] };
        self.ends.iter().enumerate().map(move |(lexicon, end)| &self.parts[begin(lexicon)..*end])
    }

    /// The hash of the key.
    pub(super) fn hash(&self) -> u64 {
        let (pairs, rest) = self.parts.as_chunks::<2>();
        let hash = pairs.iter().fold(0, |hash, [a, b]| hash_with(hash, u64::from(*a) << 32 | u64::from(*b)));
        let hash = rest.iter().fold(hash, |hash, part| hash_with(hash, u64::from(*part)));
        hash_with(hash, self.parts.len() as u64)
    }
}

/// What was found in a sentence; words count from its beginning.
#[derive(Debug)]
pub(super) struct KnownSentence {
    key: Box<[u32]>,
    hash: u64,
    /// Sorted by their first words.
    hits: Box<[Hit]>,
    /// For each word, the index of its first hit.
    starts: Box<[u32]>,
    /// Its groups and patterns, as [`BitRows`](super::bit_rows::BitRows) has them.
    row: Box<[u64]>,
    /// A bit set of the phrase sets that have a hit.
    sets: Box<[u64]>,
    /// The steps that the search took.
    pub(super) steps: usize,
}

impl KnownSentence {
    /// What was found by `steps` in the last sentence of a text, which begins with the word `first`; its hits begin at an
    /// index.
    pub(super) fn of(
        (key, hash): (&SentenceKey, u64),
        (first, begun): (usize, usize),
        found: &FoundTerms,
        steps: usize,
    ) -> Self {
        let moved = |hit: &Hit| Hit { first: hit.first - first, last: hit.last - first, ..*hit };
        let hits = &found.hits[begun..];
        let mut sets = Vec::new();
        note_sets(hits, &mut sets);
        Self {
            key: key.parts.as_slice().into(),
            hash,
            hits: hits.iter().map(moved).collect(),
            starts: found.starts[first..].iter().map(|start| start - begun as u32).collect(),
            row: found.rows.last().into(),
            sets: sets.into(),
            steps,
        }
    }

    /// Adds it to what was found in the sentences of a text before, where the sentence begins with the word `first`.
    pub(super) fn add_to(&self, found: &mut FoundTerms, first: usize) {
        let before = found.hits.len();
        // Copied as they are and then moved, which takes few operations a hit.
        found.hits.extend_from_slice(&self.hits);
        for hit in &mut found.hits[before..] {
            hit.first += first;
            hit.last += first;
        }
        found.starts.extend(self.starts.iter().map(|start| start + before as u32));
        found.rows.push(&self.row);
        if found.sets.len() < self.sets.len() {
            found.sets.resize(self.sets.len(), 0);
        }
        found.sets.iter_mut().zip(&self.sets).for_each(|(all, bits)| *all |= bits);
    }

    /// Whether it is what was found in a sentence with a key.
    pub(super) fn has(&self, key: &SentenceKey) -> bool {
        *self.key == *key.parts
    }
}

impl Placed for KnownSentence {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn size(&self) -> usize {
        size_of_val(self)
            + size_of_val(&*self.key)
            + size_of_val(&*self.hits)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.row)
            + size_of_val(&*self.sets)
    }
}
