//! What a text must contain so that checks can find something in it, compared with the text for all checks at once.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::number_set::NumberSet;

/// Terms and phrases without which a check finds nothing in a text.
#[derive(Clone, Debug)]
pub(crate) struct TextClue<'c> {
    /// The text must contain one of each.
    pub(crate) all: SmallVec<[ClueTerms<'c>; 4]>,
    /// How near to each other they must be.
    pub(crate) scope: ClueScope,
}

impl<'c> TextClue<'c> {
    /// A clue with one part.
    pub(crate) fn of(terms: ClueTerms<'c>) -> Self {
        Self { all: smallvec![terms], scope: ClueScope::Text }
    }
}

/// Numbers of which one must be in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClueTerms<'c> {
    /// Groups of the vocabulary.
    Groups(&'c NumberSet),
    /// Sets of phrases, anywhere in the text.
    Phrases(&'c NumberSet),
}

/// Where the terms of a clue must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClueScope {
    Text,
    /// In a sentence and the next one.
    Pair,
    Sentence,
}

/// As many parts of a clue are compared; further ones are left to its check.
const PARTS: usize = 3;

/// A bit for each clue.
pub(crate) type ClueBits = SmallVec<[u64; 8]>;

/// The clues of all checks. Built at compile time and used without decoding.
///
/// What a sentence contains is added up group by group: for each part of a clue, a bit says whether it is there. As most
/// groups are in few clues, that takes a few operations a group, however many clues there are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ClueTable<'a> {
    /// The length of a [`ClueBits`].
    width: usize,
    #[serde(borrow)]
    groups: ClueIndex<'a>,
    #[serde(borrow)]
    sets: ClueIndex<'a>,
    /// For each part, the clues that do not have it, so that every text satisfies it.
    #[serde(borrow)]
    satisfied: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_text: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_pair: Cow<'a, [u8]>,
    #[serde(borrow)]
    in_sentence: Cow<'a, [u8]>,
}

/// For each group or set, the parts of clues that it satisfies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ClueIndex<'a> {
    /// For each number, where its entries begin; then the number of all entries (4 each).
    #[serde(borrow)]
    starts: Cow<'a, [u8]>,
    /// Entries of [`ENTRY`] bytes: the place in the words of all parts (4), and the bits there (8).
    #[serde(borrow)]
    entries: Cow<'a, [u8]>,
}

/// The size of an entry in [`ClueIndex::entries`].
const ENTRY: usize = 12;

impl ClueIndex<'_> {
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
        for entries in of_number {
            for (place, bits) in entries {
                bytes.extend(place.to_le_bytes());
                bytes.extend(bits.to_le_bytes());
            }
            starts.extend(((bytes.len() / ENTRY) as u32).to_le_bytes());
        }
        Self { starts: starts.into(), entries: bytes.into() }
    }

    /// Adds what the numbers in a bit set satisfy.
    fn add(&self, present: &[u64], parts: &mut [u64]) {
        let (starts, entries) = (self.starts.as_chunks::<4>().0, self.entries.as_chunks::<ENTRY>().0);
        for (at, &word) in present.iter().enumerate() {
            let mut left = word;
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

impl ClueTable<'_> {
    /// A table of clues, whose numbers are their places in the list.
    pub(crate) fn of(clues: &[TextClue<'_>]) -> Self {
        let width = clues.len().div_ceil(64);
        let mut satisfied = vec![0; width * PARTS];
        let [mut in_text, mut in_pair, mut in_sentence] = [(); 3].map(|()| vec![0; width]);
        let (mut groups, mut sets) = (Vec::new(), Vec::new());
        for (at, clue) in clues.iter().enumerate() {
            let (word, bits) = (at / 64, 1 << (at % 64));
            for part in 0..PARTS {
                let place = part * width + word;
                let satisfies = |number: u16| (number, place as u32, bits);
                match clue.all.get(part) {
                    Some(ClueTerms::Groups(terms)) => groups.extend(terms.iter().map(satisfies)),
                    Some(ClueTerms::Phrases(terms)) => sets.extend(terms.iter().map(satisfies)),
                    None => satisfied[place] |= bits,
                }
            }
            let scope = match clue.scope {
                ClueScope::Text => &mut in_text,
                ClueScope::Pair => &mut in_pair,
                ClueScope::Sentence => &mut in_sentence,
            };
            scope[word] |= bits;
        }
        let bytes = |words: Vec<u64>| words.into_iter().flat_map(u64::to_le_bytes).collect();
        let [in_text, in_pair, in_sentence] = [in_text, in_pair, in_sentence].map(bytes);
        Self {
            width,
            groups: ClueIndex::of(groups.into_iter()),
            sets: ClueIndex::of(sets.into_iter()),
            satisfied: bytes(satisfied),
            in_text,
            in_pair,
            in_sentence,
        }
    }

    /// The clues in a text with these sets of phrases, whose sentences have these groups: bit sets.
    pub(crate) fn found_in<'t>(&self, sets: &[u64], sentences: impl Iterator<Item = &'t [u64]>) -> ClueBits {
        let (width, length) = (self.width, self.width * PARTS);
        let mut found: ClueBits = smallvec![0; width];
        let mut keep = |parts: &[u64], scope: &[u8]| {
            for (at, scope) in scope.as_chunks().0.iter().enumerate() {
                let scope = u64::from_le_bytes(*scope);
                found[at] |= (0..PARTS).fold(scope, |all, part| all & parts[part * width + at]);
            }
        };
        let mut words: SmallVec<[u64; 96]> = smallvec![0; length * 4];
        let (anywhere, rest) = words.split_at_mut(length);
        let (text, rest) = rest.split_at_mut(length);
        let (pair, here) = rest.split_at_mut(length);
        for (word, bytes) in anywhere.iter_mut().zip(self.satisfied.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        self.sets.add(sets, anywhere);
        text.copy_from_slice(anywhere);
        for groups in sentences {
            // What the sentence before contains is in `here`.
            pair.copy_from_slice(here);
            here.copy_from_slice(anywhere);
            self.groups.add(groups, here);
            for ((text, pair), here) in text.iter_mut().zip(&mut *pair).zip(&*here) {
                *text |= here;
                *pair |= here;
            }
            keep(here, &self.in_sentence);
            keep(pair, &self.in_pair);
        }
        keep(text, &self.in_text);
        found
    }
}

/// The numbers of the bits of a set.
pub(crate) fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(at * 64 + bit)
        })
    })
}

/// Sets the bits of a range of clues.
pub(crate) fn set_range(bits: &mut ClueBits, clues: Range<usize>) {
    for clue in clues {
        if bits.len() <= clue / 64 {
            bits.resize(clue / 64 + 1, 0);
        }
        bits[clue / 64] |= 1 << (clue % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_are_found_where_their_parts_are() {
        let set = |numbers: &[u16]| numbers.iter().copied().collect::<NumberSet>();
        let [one, other, third, far] = [&[1, 70], &[2, 3][..], &[4], &[900]].map(set);
        let clue = |parts: &[&'static str], scope| -> TextClue<'_> {
            let named = |name: &&str| match *name {
                "one" => ClueTerms::Groups(&one),
                "other" => ClueTerms::Groups(&other),
                "third" => ClueTerms::Groups(&third),
                _ => ClueTerms::Phrases(&far),
            };
            TextClue { all: parts.iter().map(named).collect(), scope }
        };
        let mut clues = vec![
            clue(&["one", "other"], ClueScope::Sentence),
            clue(&["one", "other"], ClueScope::Pair),
            clue(&["one", "other", "third", "third"], ClueScope::Text),
            clue(&["phrase"], ClueScope::Text),
        ];
        // More than one word of bits.
        clues.extend((0..70).map(|_| clue(&["third"], ClueScope::Sentence)));
        let table = ClueTable::of(&clues);
        let of = |sets: &[u16], sentences: &[&[u16]]| -> Vec<usize> {
            let bits = |numbers: &[u16]| {
                let mut bits = vec![0; 16];
                numbers.iter().for_each(|it| bits[usize::from(*it) / 64] |= 1 << (it % 64));
                bits
            };
            let sentences: Vec<Vec<u64>> = sentences.iter().map(|it| bits(it)).collect();
            let found = table.found_in(&bits(sets), sentences.iter().map(Vec::as_slice));
            numbers(&found).collect()
        };
        assert_eq!(of(&[], &[]), Vec::<usize>::new());
        assert_eq!(of(&[], &[&[1, 3]]), [0, 1]);
        assert_eq!(of(&[], &[&[70], &[2]]), [1]);
        assert_eq!(of(&[], &[&[70], &[5], &[2]]), Vec::<usize>::new());
        assert_eq!(of(&[900], &[&[2, 900], &[5]]), [3]);
        let third = (4..74).collect::<Vec<_>>();
        assert_eq!(of(&[], &[&[70], &[4], &[2]]), [vec![2], third.clone()].concat());
        assert_eq!(of(&[900], &[&[4]]), [vec![3], third].concat());
    }
}
