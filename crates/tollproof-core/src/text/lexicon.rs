//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::hit::{GroupId, Hit, SetId};
use super::phrase::Matcher;
use super::tokenize::{Words, is_contraction};
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
    /// The groups with which phrases begin, as the slots of a hash table whose hashes are their numbers.
    #[serde(borrow)]
    pub(super) groups: Cow<'a, [u8]>,
    /// Records of [`ENTRY`] bytes: offset (4) and length (2) of the phrase, its set (2), index of its list in `needs`
    /// (4), offset of its first element in the phrase (2), length of that element (1), [`NAMES_GROUPS`] and
    /// [`NEGATIVE`] (1). Those of one word are adjacent.
    #[serde(borrow)]
    pub(super) entries: Cow<'a, [u8]>,
    /// For each entry, eight bytes: a bit for each possible [`trace`] of the word that must follow the first one. This
    /// rejects most entries of a word at once.
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
        sentence: (Range<usize>, &Occurring),
        matcher: &mut Matcher<'w>,
        hits: &mut Vec<Hit>,
        pending: &mut Vec<Pending>,
    ) {
        let (range, occurring) = sentence;
        for at in range.clone() {
            let next = if at + 1 < range.end { 1 << trace(words.word(at + 1).as_bytes()) } else { 0 };
            let mut take = |entries: Range<usize>| {
                for entry in entries {
                    if !matcher.work().take(1) {
                        return;
                    }
                    if self.follower(entry) & next == 0 && self.follower(entry) != ANY {
                        continue;
                    }
                    if self.record(entry)[15] & NAMES_GROUPS != 0 {
                        matcher.work().take(PhraseWork::HIT / 4);
                        pending.push(Pending { entry, first: at, last: at });
                    } else {
                        hits.extend(self.matched(Pending { entry, first: at, last: at }, occurring, matcher));
                    }
                }
            };
            let word = words.word(at).as_bytes();
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
    pub(crate) fn begin_with(&self, hit: &Hit, pending: &mut Vec<Pending>, work: &PhraseWork) {
        let Some(group) = hit.group.filter(|_| !self.groups.is_empty()) else { return };
        let entries = self.slot(&self.groups, u32::from(group), |_| true);
        let entries = entries.take_while(|_| work.take(PhraseWork::HIT / 4));
        pending.extend(entries.map(|entry| Pending { entry, first: hit.first, last: hit.last }));
    }

    /// The hit of an entry whose first element is known to match.
    pub(crate) fn matched<'w>(
        &'w self,
        pending: Pending,
        occurring: &Occurring,
        matcher: &mut Matcher<'w>,
    ) -> Option<Hit> {
        let record = self.record(pending.entry);
        if !self.may_go_on(long(record, 8), occurring, matcher.work()) {
            return None;
        }
        let (offset, length) = (long(record, 0), wide(record, 4));
        let element_end = wide(record, 12) + usize::from(record[14]);
        let behind = &self.text[offset + element_end..offset + length];
        let last = matcher.match_behind(behind, pending.last)?;
        matcher.work().take(PhraseWork::HIT);
        let first = pending.first;
        let negative = record[15] & NEGATIVE != 0 && last > first + 1;
        Some(Hit { set: wide(record, 6) as SetId, group: None, first, last, negative })
    }

    /// The entries of a word in a hash table.
    fn look_up(&self, table: &[u8], hash: u32, word: &[u8]) -> Range<usize> {
        self.slot(table, hash, |first| self.first_word(first) == word)
    }

    /// The entries in the slot of a hash, if the first of them is the right one.
    fn slot(&self, table: &[u8], hash: u32, is_right: impl Fn(usize) -> bool) -> Range<usize> {
        let slots = table.len() / SLOT;
        let mut slot = hash as usize % slots.max(1);
        while let Some(found) = table.get(slot * SLOT..(slot + 1) * SLOT) {
            let (first, count) = (long(found, 4), long(found, 8));
            if count == 0 {
                break;
            }
            if long(found, 0) == hash as usize && is_right(first) {
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

    fn follower(&self, entry: usize) -> u64 {
        let bytes = &self.followers[entry * 8..entry * 8 + 8];
        u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
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

/// The hash of words is FNV-1a, which gives the hashes of all prefixes on the way.
pub(super) const HASH_START: u32 = 0x811c_9dc5;

pub(super) fn hash_of(word: &[u8]) -> u32 {
    word.iter().fold(HASH_START, |hash, &byte| hash_on(hash, byte))
}

pub(super) fn hash_on(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// The bucket of a word, computed from its first three bytes: the minimum length of a prefix before `*`.
pub(super) fn bucket(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or(0));
    (byte(0).wrapping_mul(961) ^ byte(1).wrapping_mul(31) ^ byte(2).wrapping_mul(7)) % BUCKETS
}

/// The set of all traces, for an entry that any word or none may follow.
pub(super) const ANY: u64 = u64::MAX;

/// A number below 64 for a word.
pub(super) fn trace(word: &[u8]) -> u32 {
    hash_of(word) >> 26
}
