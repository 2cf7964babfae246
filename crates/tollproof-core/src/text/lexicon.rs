//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::hit::{GroupId, Hit, SetId};
use super::phrase::Matcher;
use super::tokenize::{HASH_START, Words, hash_of, hash_on, is_contraction};
use super::vocabulary::{Language, Languages};
use super::work::PhraseWork;

/// The phrase table: one look-up for each word of a text, and one for each beginning of it that is a prefix in some
/// phrase. Built at compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// A hash table of the first words of phrases.
    #[serde(borrow)]
    pub(super) words: Cow<'a, [u8]>,
    /// A hash table of the prefixes with which phrases begin.
    #[serde(borrow)]
    pub(super) prefixes: Cow<'a, [u8]>,
    /// A bit for each hash of a prefix, modulo [`FILTER`], so that most look-ups of prefixes are not needed.
    #[serde(borrow)]
    pub(super) filter: Cow<'a, [u8]>,
    /// For each group, the first entry (4) and the number (4) of the phrases that begin with it.
    #[serde(borrow)]
    pub(super) groups: Cow<'a, [u8]>,
    /// Records of [`ENTRY`] bytes: offset (4) and length (2) of the phrase, its set (2), index of its list in `needs`
    /// (4), offset of its first element in the phrase (2), length of that element (1), [`NAMES_GROUPS`],
    /// [`NEGATIVE`] and its language (1). Those of one word are adjacent.
    #[serde(borrow)]
    pub(super) entries: Cow<'a, [u8]>,
    /// For each entry, the [`Followers`] of its first element, which reject most entries of a word at once.
    #[serde(borrow)]
    pub(super) followers: Cow<'a, [u8]>,
    /// What phrases require after their first word, as little-endian `u16`: the number of required elements, and for
    /// each of them the number of its alternatives, then the buckets of words, or [`BUCKETS`] and the number of a group.
    /// A sentence cannot contain the phrase if it has nothing in any bucket of some required element.
    #[serde(borrow)]
    pub(super) needs: Cow<'a, [u8]>,
    /// All phrases in normal form, as bytes to avoid a UTF-8 check at each start.
    #[serde(borrow)]
    pub(super) text: Cow<'a, [u8]>,
}

/// The number of buckets in `needs`.
pub(super) const BUCKETS: usize = 2048;

/// The number of bits in the filter of prefixes.
pub(super) const FILTER: usize = 1 << 16;

pub(super) const ENTRY: usize = 16;

/// In an entry: the phrase names groups.
pub(super) const NAMES_GROUPS: u8 = 1;

/// In an entry: the phrase requires a negation behind its first element.
pub(super) const NEGATIVE: u8 = 2;

/// In an entry: where its language begins.
pub(super) const LANGUAGE_SHIFT: u8 = 2;

/// The size of an entry in [`Lexicon::groups`].
pub(super) const GROUP_SLOT: usize = 8;

/// A slot of a hash table: the hash of a word (4), its first entry (4) and the number of its entries (4); an empty slot
/// has none.
pub(super) const SLOT: usize = 12;

/// What a sentence has: a bit for each bucket of its words, and for each group of its terms.
#[derive(Clone, Debug)]
pub(crate) struct Occurring(Vec<u64>);

impl Occurring {
    /// What a range of words has, without groups.
    pub(crate) fn of(words: &Words, range: Range<usize>, groups: usize) -> Self {
        let mut bits = vec![0; (BUCKETS + groups).div_ceil(64)];
        for at in range {
            let bucket = bucket(words.word(at).as_bytes());
            bits[bucket / 64] |= 1 << (bucket % 64);
        }
        Self(bits)
    }

    pub(crate) fn add_group(&mut self, group: GroupId) {
        let bit = BUCKETS + usize::from(group);
        if let Some(bits) = self.0.get_mut(bit / 64) {
            *bits |= 1 << (bit % 64);
        }
    }

    fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }
}

/// A sentence, and what is known of it before its phrases.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Range<usize>,
    pub(crate) languages: Languages,
}

impl Sentence {
    /// The trace of the word behind another; empty at the end.
    fn next_trace(&self, words: &Words, at: usize) -> Followers {
        if at + 1 < self.words.end { Followers::of(words.hash(at + 1)) } else { Followers::default() }
    }
}

/// An entry whose phrase names groups, to be matched when the terms of groups are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    entry: usize,
    /// The words of its first element.
    pub(crate) first: usize,
    last: usize,
}

impl Lexicon<'_> {
    /// Finds the phrases without groups in a sentence, and those with groups that begin with one of its words.
    pub(crate) fn scan<'w>(
        &'w self,
        words: &'w Words,
        (sentence, occurring): (&Sentence, &Occurring),
        matcher: &mut Matcher<'w>,
        hits: &mut Vec<Hit>,
        pending: &mut Vec<Pending>,
    ) {
        for at in sentence.words.clone() {
            let next = sentence.next_trace(words, at);
            let word = words.word(at).as_bytes();
            let mut take = |entries: Range<usize>| {
                for entry in entries {
                    if !matcher.work().take(1) {
                        return;
                    }
                    if !self.followers(entry).have(next) || !self.is_spoken(entry, sentence, word) {
                        continue;
                    }
                    let found = Pending { entry, first: at, last: at };
                    if self.record(entry)[15] & NAMES_GROUPS != 0 {
                        matcher.work().take(PhraseWork::HIT / 4);
                        pending.push(found);
                    } else if let Some(hit) = self.matched(found, occurring, matcher) {
                        hits.push(hit);
                    }
                }
            };
            let mut hash = HASH_START;
            for (index, &byte) in word.iter().enumerate() {
                hash = hash_on(hash, byte);
                let bit = hash as usize % FILTER;
                if index >= 2 && self.filter.get(bit / 8).is_some_and(|bits| bits >> (bit % 8) & 1 == 1) {
                    take(self.look_up(&self.prefixes, hash, &word[..=index]));
                }
            }
            take(self.look_up(&self.words, hash, word));
            if is_contraction(words.word(at)) {
                take(self.look_up(&self.words, hash_of(b"not"), b"not"));
            }
        }
    }

    /// Finds the phrases that begin with a term of a group.
    pub(crate) fn begin_with(
        &self,
        hit: &Hit,
        (words, sentence): (&Words, &Sentence),
        pending: &mut Vec<Pending>,
        work: &PhraseWork,
    ) {
        let Some(group) = hit.group.map(usize::from) else { return };
        let Some(slot) = self.groups.get(group * GROUP_SLOT..(group + 1) * GROUP_SLOT) else { return };
        let (first, count) = (long(slot, 0), long(slot, 4));
        let next = sentence.next_trace(words, hit.last);
        for entry in first..first + count {
            if !work.take(1) {
                return;
            }
            if self.followers(entry).have(next) && self.is_spoken(entry, sentence, b"") {
                work.take(PhraseWork::HIT / 4);
                pending.push(Pending { entry, first: hit.first, last: hit.last });
            }
        }
    }

    /// Whether the phrase of an entry is in a language of the sentence.
    fn is_spoken(&self, entry: usize, sentence: &Sentence, word: &[u8]) -> bool {
        let record = self.record(entry);
        match Language::ALL[usize::from(record[15] >> LANGUAGE_SHIFT) % Language::ALL.len()] {
            Language::Any => true,
            // English terms such as "opt in" are used in other languages too, but not its shortest words.
            Language::English => {
                let is_phrase = wide(record, 4) > wide(record, 12) + usize::from(record[14]);
                sentence.languages.may_be(Language::English) || is_phrase || word.len() >= SHORT
            }
            language => sentence.languages.may_be(language),
        }
    }

    /// The hit of an entry whose first element is known to match.
    pub(crate) fn matched<'w>(
        &'w self,
        pending: Pending,
        occurring: &Occurring,
        matcher: &mut Matcher<'w>,
    ) -> Option<Hit> {
        let record = self.record(pending.entry);
        let list = long(record, 8);
        if list != 0 && !self.may_go_on(list, occurring, matcher.work()) {
            return None;
        }
        let (offset, length) = (long(record, 0), wide(record, 4));
        let element_end = wide(record, 12) + usize::from(record[14]);
        let first = pending.first;
        let last = if element_end == length {
            pending.last
        } else {
            matcher.match_behind(&self.text[offset + element_end..offset + length], pending.last)?
        };
        matcher.work().take(PhraseWork::HIT);
        let negative = record[15] & NEGATIVE != 0 && last > first + 1;
        Some(Hit { set: wide(record, 6) as SetId, group: None, first, last, negative })
    }

    /// The entries of a word in a hash table.
    fn look_up(&self, table: &[u8], hash: u32, word: &[u8]) -> Range<usize> {
        let slots = table.len() / SLOT;
        let mut slot = hash as usize % slots.max(1);
        while let Some(found) = table.get(slot * SLOT..(slot + 1) * SLOT) {
            let (first, count) = (long(found, 4), long(found, 8));
            if count == 0 {
                break;
            }
            if long(found, 0) == hash as usize && self.first_word(first) == word {
                return first..first + count;
            }
            slot = (slot + 1) % slots;
        }
        0..0
    }

    /// The first word of the phrase of an entry.
    fn first_word(&self, entry: usize) -> &[u8] {
        let record = self.record(entry);
        let start = long(record, 0) + wide(record, 12);
        &self.text[start..start + usize::from(record[14])]
    }

    fn followers(&self, entry: usize) -> Followers {
        let bytes = &self.followers[entry * FOLLOWERS..(entry + 1) * FOLLOWERS];
        let bits = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        Followers(bits(0), bits(8))
    }

    fn record(&self, entry: usize) -> &[u8] {
        &self.entries[entry * ENTRY..(entry + 1) * ENTRY]
    }

    /// Whether a sentence can contain the rest of a phrase after its first element.
    fn may_go_on(&self, list: usize, occurring: &Occurring, work: &PhraseWork) -> bool {
        let mut rest =
            self.needs[list * 2..].chunks_exact(2).map(|it| usize::from(u16::from_le_bytes([it[0], it[1]])));
        let mut next = || rest.next().unwrap_or_default();
        (0..next()).all(|_| {
            // All alternatives must be read to reach the next element.
            let count = next();
            work.take(count / 16);
            (0..count).fold(false, |occurs, _| occurs | occurring.has(next()))
        })
    }
}

/// Two bytes of a record as an integer.
fn wide(record: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes([record[at], record[at + 1]]))
}

/// Four bytes of a record as an integer.
fn long(record: &[u8], at: usize) -> usize {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]) as usize
}

/// The bucket of a word, computed from its first three bytes: the minimum length of a prefix before `*`.
pub(super) fn bucket(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
    (byte(0).wrapping_mul(961) ^ byte(1).wrapping_mul(31) ^ byte(2).wrapping_mul(7)) % BUCKETS
}

/// The size of [`Followers`] in bytes.
pub(super) const FOLLOWERS: usize = 16;

/// The words that can follow another: a bit for each of two hashes of each word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Followers(pub(super) u64, pub(super) u64);

impl Followers {
    /// Any word, or none.
    pub(super) const ANY: Self = Self(u64::MAX, u64::MAX);

    /// A word with this hash.
    pub(super) fn of(hash: u32) -> Self {
        Self(1 << (hash >> 26), 1 << (hash >> 20 & 63))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0, self.1 | other.1)
    }

    /// Whether a word may be one of these.
    fn have(self, word: Self) -> bool {
        self.0 & word.0 != 0 && self.1 & word.1 != 0 || self == Self::ANY
    }
}

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;
