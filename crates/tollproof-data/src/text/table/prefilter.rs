//! What a text must contain so that checks can find something in it, compared with the text for all checks at once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::text::table::number_set::NumberSet;
use crate::text::table::stored::{records, row};

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
    #[serde(borrow, with = "records")]
    satisfied: Cow<'a, [U64]>,
    #[serde(borrow, with = "records")]
    in_text: Cow<'a, [U64]>,
    #[serde(borrow, with = "records")]
    in_pair: Cow<'a, [U64]>,
    #[serde(borrow, with = "records")]
    in_sentence: Cow<'a, [U64]>,
}

/// For each group or set, the parts of patterns that it satisfies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PatternIndex<'a> {
    /// A bit for each number that satisfies something.
    #[serde(borrow, with = "records")]
    used: Cow<'a, [U64]>,
    /// For each number, where what it satisfies starts; then the number of all parts.
    #[serde(borrow, with = "records")]
    starts: Cow<'a, [U32]>,
    #[serde(borrow, with = "records")]
    parts: Cow<'a, [SatisfiedParts]>,
}

/// Parts of patterns that are in one word of the bit set of all parts.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
struct SatisfiedParts {
    word: U32,
    bits: U64,
}

impl PatternIndex<'_> {
    /// The index of words and bits by number.
    fn of(satisfied: impl Iterator<Item = (u16, u32, u64)>) -> Self {
        let mut by_number: BTreeMap<u16, BTreeMap<u32, u64>> = BTreeMap::new();
        for (number, word, bits) in satisfied {
            *by_number.entry(number).or_default().entry(word).or_default() |= bits;
        }
        let count = by_number.last_key_value().map_or(0, |(last, _)| usize::from(*last) + 1);
        let mut used = vec![0_u64; count.div_ceil(64)];
        let (mut starts, mut parts) = (vec![0.into()], Vec::new());
        for number in 0..count {
            for (word, bits) in by_number.get(&(number as u16)).into_iter().flatten() {
                used[number / 64] |= 1 << (number % 64);
                parts.push(SatisfiedParts { word: (*word).into(), bits: (*bits).into() });
            }
            starts.push((parts.len() as u32).into());
        }
        let used = used.into_iter().map(U64::new).collect();
        Self { used, starts: starts.into(), parts: parts.into() }
    }

    /// Adds what the numbers in a bit set satisfy.
    fn add(&self, present: &[u64], parts: &mut [u64]) {
        for (at, (present, used)) in present.iter().zip(&*self.used).enumerate() {
            for number in numbers(&[present & used.get()]) {
                for SatisfiedParts { word, bits } in row(&self.parts, &self.starts, at * 64 + number) {
                    parts[word.get() as usize] |= bits.get();
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
        let stored = |words: Vec<u64>| words.into_iter().map(U64::new).collect();
        let [in_text, in_pair, in_sentence] = [in_text, in_pair, in_sentence].map(stored);
        Self {
            width,
            groups: PatternIndex::of(groups.into_iter()),
            sets: PatternIndex::of(sets.into_iter()),
            satisfied: stored(satisfied),
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
        parts.iter_mut().zip(&*self.satisfied).for_each(|(part, satisfied)| *part = satisfied.get());
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
fn kept<'p>(scope: &'p [U64], parts: &'p [u64], width: usize) -> impl Iterator<Item = u64> + 'p {
    let (first, rest) = parts.split_at(width);
    let (second, third) = rest.split_at(width);
    let parts = first.iter().zip(second).zip(third).map(|((first, second), third)| first & second & third);
    scope.iter().zip(parts).map(|(scope, parts)| scope.get() & parts)
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
