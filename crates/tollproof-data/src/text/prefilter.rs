//! What a text must contain so that checks can find something in it, compared with the text for all checks at once.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::number_set::NumberSet;

/// Terms and phrases without which a check finds nothing in a text.
#[derive(Clone, Debug)]
pub struct PrefilterPattern<'c> {
    /// The text must contain one of each.
    pub all: SmallVec<[PatternTerms<'c>; 4]>,
    /// How near to each other they must be.
    pub scope: PatternScope,
}

impl<'c> PrefilterPattern<'c> {
    /// A pattern with one part.
    pub fn of(terms: PatternTerms<'c>) -> Self {
        Self { all: smallvec![terms], scope: PatternScope::Text }
    }
}

/// Numbers of which one must be in a text.
#[derive(Clone, Copy, Debug)]
pub enum PatternTerms<'c> {
    /// Groups of the vocabulary.
    Groups(&'c NumberSet),
    /// Sets of phrases, anywhere in the text.
    Phrases(&'c NumberSet),
}

/// Where the terms of a pattern must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternScope {
    Text,
    /// In a sentence and the next one.
    Pair,
    Sentence,
}

/// As many parts of a pattern are compared; further ones are left to its check.
const PARTS: usize = 3;

/// A bit for each pattern.
pub type PatternBits = SmallVec<[u64; 8]>;

/// The patterns of all checks. Built at compile time and used without decoding.
///
/// What a sentence contains is added up group by group: for each part of a pattern, a bit says whether it is there. As most
/// groups are in few patterns, that takes a few operations a group, however many patterns there are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Prefilter<'a> {
    /// The length of a [`PatternBits`].
    width: usize,
    #[serde(borrow)]
    groups: PatternIndex<'a>,
    #[serde(borrow)]
    sets: PatternIndex<'a>,
    /// For each part, the patterns that do not have it, so that every text satisfies it.
    #[serde(borrow)]
    satisfied: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_text: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_pair: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_sentence: Cow<'a, [u8]>,
}

/// For each group or set, the parts of patterns that it satisfies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PatternIndex<'a> {
    /// A bit for each number that has entries (8 bytes a word).
    #[serde(borrow)]
    used: Cow<'a, [u8]>,
    /// For each number, where its entries begin; then the number of all entries (4 each).
    #[serde(borrow)]
    starts: Cow<'a, [u8]>,
    /// Entries of [`ENTRY`] bytes: the place in the words of all parts (4), and the bits there (8).
    #[serde(borrow)]
    entries: Cow<'a, [u8]>,
}

/// The size of an entry in [`PatternIndex::entries`].
const ENTRY: usize = 12;

impl PatternIndex<'_> {
    /// The index of places and bits by number.
    fn of(satisfied: impl Iterator<Item = (u16, u32, u64)>) -> Self {
        let mut of_number: Vec<SmallVec<[(u32, u64); 4]>> = Vec::new();
        for (number, place, bits) in satisfied {
            let number = usize::from(number);
            if of_number.len() <= number {
                of_number.resize(number + 1, SmallVec::new());
            }
            let entries = &mut of_number[number];
            match entries.iter_mut().find(|(known, _)| *known == place) {
                Some((_, known)) => *known |= bits,
                None => entries.push((place, bits)),
            }
        }
        let (mut starts, mut bytes) = (vec![0; 4], Vec::new());
        let mut used = vec![0_u64; of_number.len().div_ceil(64)];
        for (number, entries) in of_number.into_iter().enumerate() {
            used[number / 64] |= u64::from(!entries.is_empty()) << (number % 64);
            for (place, bits) in entries {
                bytes.extend(place.to_le_bytes());
                bytes.extend(bits.to_le_bytes());
            }
            starts.extend(((bytes.len() / ENTRY) as u32).to_le_bytes());
        }
        let used = used.into_iter().flat_map(u64::to_le_bytes).collect();
        Self { used, starts: starts.into(), entries: bytes.into() }
    }

    /// Adds what the numbers in a bit set satisfy.
    fn add(&self, present: &[u64], parts: &mut [u64]) {
        let (starts, entries) = (self.starts.as_chunks::<4>().0, self.entries.as_chunks::<ENTRY>().0);
        for (at, (present, used)) in present.iter().zip(self.used.as_chunks().0).enumerate() {
            let mut left = present & u64::from_le_bytes(*used);
            while left != 0 {
                let number = at * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let Some(&[start, end]) = starts.get(number..number + 2) else { return };
                let range = u32::from_le_bytes(start) as usize..u32::from_le_bytes(end) as usize;
                for &[a, b, c, d, ref bits @ ..] in &entries[range] {
                    parts[u32::from_le_bytes([a, b, c, d]) as usize] |= u64::from_le_bytes(*bits);
                }
            }
        }
    }
}

impl Prefilter<'_> {
    /// A table of patterns, whose numbers are their places in the list.
    pub fn of(patterns: &[PrefilterPattern<'_>]) -> Self {
        let width = patterns.len().div_ceil(64);
        let mut satisfied = vec![0; width * PARTS];
        let [mut in_text, mut in_pair, mut in_sentence] = [(); 3].map(|()| vec![0; width]);
        let (mut groups, mut sets) = (Vec::new(), Vec::new());
        for (at, pattern) in patterns.iter().enumerate() {
            let (word, bits) = (at / 64, 1 << (at % 64));
            for part in 0..PARTS {
                let place = part * width + word;
                let satisfies = |number: u16| (number, place as u32, bits);
                match pattern.all.get(part) {
                    Some(PatternTerms::Groups(terms)) => groups.extend(terms.iter().map(satisfies)),
                    Some(PatternTerms::Phrases(terms)) if pattern.scope == PatternScope::Text => {
                        sets.extend(terms.iter().map(satisfies));
                    }
                    // Of a sentence, only its groups are known.
                    Some(PatternTerms::Phrases(_)) | None => satisfied[place] |= bits,
                }
            }
            let scope = match pattern.scope {
                PatternScope::Text => &mut in_text,
                PatternScope::Pair => &mut in_pair,
                PatternScope::Sentence => &mut in_sentence,
            };
            scope[word] |= bits;
        }
        let bytes = |words: Vec<u64>| words.into_iter().flat_map(u64::to_le_bytes).collect();
        let [in_text, in_pair, in_sentence] = [in_text, in_pair, in_sentence].map(bytes);
        Self {
            width,
            groups: PatternIndex::of(groups.into_iter()),
            sets: PatternIndex::of(sets.into_iter()),
            satisfied: bytes(satisfied),
            in_text,
            in_pair,
            in_sentence,
        }
    }

    /// The length of a bit set of parts.
    pub fn parts_width(&self) -> usize {
        self.width * PARTS
    }

    /// The length of a bit set of patterns.
    pub fn patterns_width(&self) -> usize {
        self.width
    }

    /// Sets the parts of patterns that every text satisfies.
    pub fn begin(&self, parts: &mut [u64]) {
        for (part, bytes) in parts.iter_mut().zip(self.satisfied.as_chunks().0) {
            *part = u64::from_le_bytes(*bytes);
        }
    }

    /// Adds the parts of patterns that some groups satisfy.
    pub fn add_groups(&self, groups: &[u64], parts: &mut [u64]) {
        self.groups.add(groups, parts);
    }

    /// Sets the patterns in a sentence that satisfies some parts, of those that one sentence must have.
    pub fn find_in_sentence(&self, parts: &[u64], found: &mut [u64]) {
        found.iter_mut().zip(kept(&self.in_sentence, parts, self.width)).for_each(|(it, bits)| *it = bits);
    }

    /// Adds the patterns in a text to those in its sentences. It has some sets of phrases, and its `sentences` and itself
    /// satisfy some parts.
    pub fn find_in_text<'s>(
        &self,
        sets: &[u64],
        sentences: impl Iterator<Item = &'s [u64]>,
        parts: &mut [u64],
        found: &mut [u64],
    ) {
        self.sets.add(sets, parts);
        found.iter_mut().zip(kept(&self.in_text, parts, self.width)).for_each(|(all, bits)| *all |= bits);
        // What the text does not have, two of its sentences do not have either.
        if kept(&self.in_pair, parts, self.width).any(|bits| bits != 0) {
            self.find_in_pairs(sentences, found);
        }
    }

    /// Adds the patterns that a sentence has by itself or with the next one.
    fn find_in_pairs<'s>(&self, sentences: impl Iterator<Item = &'s [u64]>, found: &mut [u64]) {
        let mut before: &[u64] = &[];
        let mut pair: SmallVec<[u64; 32]> = SmallVec::new();
        for sentence in sentences {
            pair.clear();
            pair.extend_from_slice(sentence);
            pair.iter_mut().zip(before).for_each(|(pair, before)| *pair |= before);
            found.iter_mut().zip(kept(&self.in_pair, &pair, self.width)).for_each(|(all, bits)| *all |= bits);
            before = sentence;
        }
    }
}

/// The patterns of a scope that have all parts, as the words of a bit set.
fn kept<'p>(scope: &'p [u8], parts: &'p [u64], width: usize) -> impl Iterator<Item = u64> + 'p {
    let (first, rest) = parts.split_at(width);
    let (second, third) = rest.split_at(width);
    let parts = first.iter().zip(second).zip(third).map(|((first, second), third)| first & second & third);
    scope.as_chunks().0.iter().zip(parts).map(|(scope, parts)| u64::from_le_bytes(*scope) & parts)
}

/// The numbers of the bits of a set.
pub fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    })
}

/// Sets the bits of a range of patterns.
pub fn set_range(bits: &mut PatternBits, patterns: Range<usize>) {
    for pattern in patterns {
        if bits.len() <= pattern / 64 {
            bits.resize(pattern / 64 + 1, 0);
        }
        bits[pattern / 64] |= 1 << (pattern % 64);
    }
}
