//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::entry::{Beginning, IS_GROUP, IS_PREFIX, LANGUAGE_SHIFT, NAMES_GROUPS, NEGATIVE, PhraseEntry};
use super::hit::{GroupId, Hit};
use super::matcher::{Matcher, alternative_matches};
use super::tokenize::{HASH_START, Words, hash_of, hash_on, is_contraction};
use super::vocabulary::{Language, Languages};
use super::work::PhraseWork;

/// The phrase table: one look-up for each word of a text, one for each two words in a row, and one for each beginning of
/// a word that is a prefix in some phrase. Built at compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// A hash table of the first words of phrases that are one word, or whose second element can be very different words.
    #[serde(borrow)]
    pub(super) words: Cow<'a, [u8]>,
    /// A hash table of the first two words of all other phrases.
    #[serde(borrow)]
    pub(super) pairs: Cow<'a, [u8]>,
    /// A hash table of the prefixes with which phrases begin.
    #[serde(borrow)]
    pub(super) prefixes: Cow<'a, [u8]>,
    /// A bit for each hash of a prefix, modulo [`FILTER`], so that most look-ups of prefixes are not needed.
    #[serde(borrow)]
    pub(super) filter: Cow<'a, [u8]>,
    /// For each group, the first entry (4) and the number (4) of the phrases that begin with it.
    #[serde(borrow)]
    pub(super) groups: Cow<'a, [u8]>,
    /// The encoded entries. Those with the same hash are adjacent.
    #[serde(borrow)]
    pub(super) entries: Cow<'a, [u8]>,
    /// What phrases with gaps or groups require after their beginning, as little-endian `u16`: the number of required
    /// elements, and for each of them the number of its alternatives, then the buckets of words, or [`BUCKETS`] and the
    /// number of a group. A sentence cannot contain the phrase if it has nothing in any bucket of some required element.
    #[serde(borrow)]
    pub(super) needs: Cow<'a, [u8]>,
    /// The first words of phrases, and their rests in the form of `matcher::encode`.
    #[serde(borrow)]
    pub(super) text: Cow<'a, [u8]>,
}

/// The number of buckets in `needs`.
pub(super) const BUCKETS: usize = 2048;

/// The number of bits in the filter of prefixes.
pub(super) const FILTER: usize = 1 << 16;

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
            let bucket = bucket(words.bytes(at));
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

/// An entry whose phrase names groups, to be matched when the terms of groups are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    entry: usize,
    /// The words of its first element.
    pub(crate) first: usize,
    last: usize,
}

/// A word of a text, and the one behind it in its sentence.
#[derive(Clone, Copy)]
struct Pair<'w> {
    at: usize,
    word: &'w [u8],
    hash: u32,
    next: Option<(u32, &'w [u8])>,
}

impl<'w> Pair<'w> {
    fn at(at: usize, sentence: &Sentence, words: &'w Words) -> Self {
        let next = (at + 1 < sentence.words.end).then(|| (words.hash(at + 1), words.bytes(at + 1)));
        Self { at, word: words.bytes(at), hash: words.hash(at), next }
    }
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
            let pair = Pair::at(at, sentence, words);
            let word = pair.word;
            let mut take = |beginning: Beginning<'_>, pair: Pair<'_>| {
                self.candidates(beginning, pair, sentence, matcher.work(), |found, entry| {
                    if entry.flags & NAMES_GROUPS != 0 {
                        matcher.work().take(PhraseWork::HIT / 4);
                        pending.push(found);
                    } else if let Some(hit) = self.matched_entry(found, entry, occurring, matcher) {
                        hits.push(hit);
                    }
                });
            };
            let mut hash = HASH_START;
            for (index, &byte) in word.iter().enumerate() {
                hash = hash_on(hash, byte);
                let bit = hash as usize % FILTER;
                if index >= 2 && self.filter.get(bit / 8).is_some_and(|bits| bits >> (bit % 8) & 1 == 1) {
                    take(Beginning::Prefix(&word[..=index]), Pair { hash, ..pair });
                }
            }
            take(Beginning::Word(word), pair);
            if is_contraction(words.word(at)) {
                take(Beginning::Word(b"not"), Pair { hash: hash_of(b"not"), ..pair });
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
        let Some(group) = hit.group else { return };
        let pair = Pair { hash: u32::from(group), word: b"", ..Pair::at(hit.last, sentence, words) };
        self.candidates(Beginning::Group(group), pair, sentence, work, |found, _| {
            work.take(PhraseWork::HIT / 4);
            pending.push(Pending { first: hit.first, ..found });
        });
    }

    /// Calls `take` with each entry that begins with a word, or with this word and the next one.
    fn candidates(
        &self,
        beginning: Beginning<'_>,
        pair: Pair<'_>,
        sentence: &Sentence,
        work: &PhraseWork,
        mut take: impl FnMut(Pending, PhraseEntry),
    ) {
        let alone = match beginning {
            Beginning::Word(_) => look_up(&self.words, pair.hash),
            Beginning::Prefix(_) => look_up(&self.prefixes, pair.hash),
            Beginning::Group(group) => self.of_group(group),
        };
        let both =
            pair.next.map_or(0..0, |(next, _)| look_up(&self.pairs, beginning.pair_hash(pair.hash, next)));
        for (entries, last) in [(alone, pair.at), (both, pair.at + 1)] {
            for index in entries {
                if !work.take(1) {
                    return;
                }
                let entry = PhraseEntry::at(&self.entries, index);
                if !is_spoken(&entry, sentence, pair.word) {
                    continue;
                }
                // Different words can have the same hash.
                let is_it = self.begins(&entry, beginning)
                    && (entry.second_length == 0
                        || pair
                            .next
                            .is_some_and(|(_, next)| alternative_matches(&self.text[entry.second()], next)));
                if is_it {
                    take(Pending { entry: index, first: pair.at, last }, entry);
                }
            }
        }
    }

    /// Whether the phrase of an entry begins so.
    fn begins(&self, entry: &PhraseEntry, beginning: Beginning<'_>) -> bool {
        entry.flags & (IS_PREFIX | IS_GROUP) == beginning.flag()
            && match beginning {
                Beginning::Word(word) | Beginning::Prefix(word) => &self.text[entry.first()] == word,
                Beginning::Group(group) => entry.first == u32::from(group),
            }
    }

    /// The hit of an entry whose first element is known to match.
    pub(crate) fn matched<'w>(
        &'w self,
        pending: Pending,
        occurring: &Occurring,
        matcher: &mut Matcher<'w>,
    ) -> Option<Hit> {
        self.matched_entry(pending, PhraseEntry::at(&self.entries, pending.entry), occurring, matcher)
    }

    fn matched_entry<'w>(
        &'w self,
        pending: Pending,
        entry: PhraseEntry,
        occurring: &Occurring,
        matcher: &mut Matcher<'w>,
    ) -> Option<Hit> {
        let list = entry.needs as usize;
        if list != 0 && !self.may_go_on(list, occurring, matcher.work()) {
            return None;
        }
        let first = pending.first;
        let last = if entry.rest_length > 0 {
            matcher.match_behind(&self.text[entry.rest()], pending.last)?
        } else {
            pending.last
        };
        matcher.work().take(PhraseWork::HIT);
        let negative = entry.flags & NEGATIVE != 0 && last > first + 1;
        Some(Hit { set: entry.set, group: None, first, last, negative })
    }

    /// The entries that begin with any term of a group.
    fn of_group(&self, group: GroupId) -> Range<usize> {
        let at = usize::from(group) * GROUP_SLOT;
        let Some(slot) = self.groups.get(at..at + GROUP_SLOT) else { return 0..0 };
        let (first, count) = (long(slot, 0), long(slot, 4));
        first..first + count
    }

    /// Whether a sentence can contain the rest of a phrase after its first element.
    fn may_go_on(&self, list: usize, occurring: &Occurring, work: &PhraseWork) -> bool {
        let number = |at: usize| {
            let bytes = self.needs.get(at * 2..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| usize::from(u16::from_le_bytes(*bytes)))
        };
        let mut at = list + 1;
        (0..number(list)).all(|_| {
            let alternatives = at + 1..at + 1 + number(at);
            at = alternatives.end;
            work.take(alternatives.len() / 16);
            alternatives.into_iter().any(|it| occurring.has(number(it)))
        })
    }
}

/// Whether the phrase of an entry is in a language of the sentence.
fn is_spoken(entry: &PhraseEntry, sentence: &Sentence, word: &[u8]) -> bool {
    match Language::ALL[usize::from(entry.flags >> LANGUAGE_SHIFT) % Language::ALL.len()] {
        Language::Any => true,
        // English terms such as "opt in" are used in other languages too, but not its shortest words.
        Language::English => {
            entry.goes_on() || sentence.languages.may_be(Language::English) || word.len() >= SHORT
        }
        language => sentence.languages.may_be(language),
    }
}

/// The entries with a hash in a hash table.
fn look_up(table: &[u8], hash: u32) -> Range<usize> {
    let slots = table.len() / SLOT;
    // A table has a power of two of slots, or none.
    let mut slot = hash as usize & slots.saturating_sub(1);
    while let Some(found) = table.get(slot * SLOT..(slot + 1) * SLOT) {
        let (first, count) = (long(found, 4), long(found, 8));
        if count == 0 {
            break;
        }
        if long(found, 0) == hash as usize {
            return first..first + count;
        }
        slot = (slot + 1) & (slots - 1);
    }
    0..0
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

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;
