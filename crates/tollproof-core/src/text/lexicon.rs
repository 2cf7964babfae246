//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::entry::{ENTRY, GOES_ON, LANGUAGE_SHIFT, NAMES_GROUPS, PhraseEntry, WordId, number};
use super::hit::{GroupId, Hit};
use super::matcher::Matcher;
use super::tokenize::Words;
use super::vocabulary::{Language, Languages};
use super::word_ids::WordIds;
use super::work::PhraseWork;

/// The phrase table. Every word that a phrase names has a number, as have the beginnings and endings of words that
/// phrases name; the numbers of each word of a text are looked up once ([`WordIds`]), and only they are compared. Built at
/// compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lexicon<'a> {
    /// A hash table of the words that phrases name, in slots of [`WORD_SLOT`] bytes.
    #[serde(borrow)]
    pub(super) words: Cow<'a, [u8]>,
    /// The same of the beginnings of words.
    #[serde(borrow)]
    pub(super) stems: Cow<'a, [u8]>,
    /// A bit for each hash of a beginning, modulo [`FILTER`], so that most look-ups of beginnings are not needed.
    #[serde(borrow)]
    pub(super) filter: Cow<'a, [u8]>,
    /// The endings of words: for each, its number (4), its flags (1), its length (1) and its letters.
    #[serde(borrow)]
    pub(super) endings: Cow<'a, [u8]>,
    /// Numbers of words (4 each).
    #[serde(borrow)]
    pub(super) ids: Cow<'a, [u8]>,
    /// For each number of a word, the phrases that begin with it and can go on with many words, in slots of [`RANGE_SLOT`]
    /// bytes.
    #[serde(borrow)]
    pub(super) beginnings: Cow<'a, [u8]>,
    /// The same for the numbers of groups, in slots of [`GROUP_SLOT`] bytes.
    #[serde(borrow)]
    pub(super) groups: Cow<'a, [u8]>,
    /// A hash table of the first two words of all other phrases, in slots of [`PAIR_SLOT`] bytes.
    #[serde(borrow)]
    pub(super) pairs: Cow<'a, [u8]>,
    /// The encoded entries. Those with the same beginning are adjacent.
    #[serde(borrow)]
    pub(super) entries: Cow<'a, [u8]>,
    /// The elements of phrases behind the words that are looked up.
    #[serde(borrow)]
    pub(super) elements: Cow<'a, [u8]>,
    /// The words and groups of which elements need one.
    #[serde(borrow)]
    pub(super) choices: Cow<'a, [u8]>,
    /// What phrases with gaps or groups require after their beginning, as little-endian `u16`: the number of required
    /// elements, and for each of them the number of its alternatives, then the bits of [`Occurring`]. A sentence
    /// cannot contain the phrase if it has none of the bits of some required element.
    #[serde(borrow)]
    pub(super) needs: Cow<'a, [u8]>,
    /// The letters of words and beginnings.
    #[serde(borrow)]
    pub(super) text: Cow<'a, [u8]>,
}

/// The number of bits in [`Occurring`] for words.
pub(super) const BUCKETS: usize = 2048;

/// The number of bits in the filter of beginnings.
pub(super) const FILTER: usize = 1 << 16;

/// A word in a hash table: its hash (4), where it begins in the text (4), where its numbers begin (4), its own number (4),
/// how many numbers it has (2), its length (1), its flags (1), a bit for each number (8). The length is 0 in an empty slot.
pub(super) const WORD_SLOT: usize = 28;

/// The first entry (4) and the number of entries (4).
pub(super) const RANGE_SLOT: usize = 8;

/// A range of entries, and the flags of the group (1).
pub(super) const GROUP_SLOT: usize = RANGE_SLOT + 1;

/// The number of the first word, or of a group with [`IS_GROUP`] (4), that of the second word (4), the first entry (4), and
/// the number of entries (4), which is 0 in an empty slot.
pub(super) const PAIR_SLOT: usize = 16;

/// A flag of a word: phrases begin with it that are looked up by it alone.
pub(super) const BEGINS: u8 = 1;

/// Phrases begin with it and another word.
pub(super) const BEGINS_PAIR: u8 = 1 << 1;

/// It is the second word of such phrases.
pub(super) const IS_SECOND: u8 = 1 << 2;

/// A bit beside the number of a group in a pair.
pub(super) const IS_GROUP: u32 = 1 << 31;

/// What is known of a word that phrases name.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownWord {
    /// Where its numbers begin, and how many there are.
    pub(super) ids: u32,
    pub(super) count: u16,
    pub(super) own: WordId,
    pub(super) flags: u8,
    /// A bit for each number, modulo 64.
    pub(super) bits: u64,
}

/// What a sentence has: a bit for each number of its words, modulo [`BUCKETS`], and for each group of its terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occurring(Vec<u64>);

impl Occurring {
    /// Sets it to what a range of words has, with the groups of some terms.
    pub(super) fn set(&mut self, ids: &WordIds<'_>, words: Range<usize>, terms: &[Hit]) {
        let last = terms.iter().filter_map(|hit| hit.group).max().map_or(0, usize::from);
        self.0.clear();
        self.0.resize((BUCKETS + last) / 64 + 1, 0);
        for id in words.flat_map(|at| ids.of_word(at)) {
            let bit = u32::from_le_bytes(*id) as usize % BUCKETS;
            self.0[bit / 64] |= 1 << (bit % 64);
        }
        for group in terms.iter().filter_map(|hit| hit.group) {
            let bit = BUCKETS + usize::from(group);
            self.0[bit / 64] |= 1 << (bit % 64);
        }
    }

    fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }
}

/// A sentence, and what is known of it before its phrases.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) words: Range<usize>,
    /// A bit for each language that it may be in.
    languages: u8,
}

impl Sentence {
    pub(crate) fn of(words: Range<usize>, languages: Languages) -> Self {
        let may_be = |language: &&Language| **language == Language::Any || languages.may_be(**language);
        let spoken = Language::ALL.iter().filter(may_be);
        Self { words, languages: spoken.fold(0, |bits, language| bits | 1 << *language as u8) }
    }

    /// Whether the phrase of an entry is in a language of the sentence.
    fn speaks(&self, flags: u8, is_long: bool) -> bool {
        let language = flags >> LANGUAGE_SHIFT;
        // English terms such as "opt in" are used in other languages too, but not its shortest words.
        let is_borrowed = || language == Language::English as u8 && (is_long || flags & GOES_ON != 0);
        self.languages >> language & 1 == 1 || is_borrowed()
    }
}

/// A phrase that names groups, to be matched when the terms of groups are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(super) entry: PhraseEntry,
    /// The words with which it was looked up.
    pub(crate) first: usize,
    pub(super) last: usize,
}

impl Lexicon<'_> {
    /// Finds the phrases without groups in a sentence, and those with groups that begin with one of its words.
    pub(crate) fn scan(
        &self,
        (words, ids): (&Words, &WordIds<'_>),
        sentence: &Sentence,
        matcher: &mut Matcher<'_>,
        hits: &mut Vec<Hit>,
        pending: &mut Vec<Pending>,
    ) {
        matcher.enter(&sentence.words);
        for at in sentence.words.clone() {
            if !ids.has_flag(at, BEGINS | BEGINS_PAIR) {
                continue;
            }
            let is_long = words.bytes(at).len() >= SHORT;
            let pairs = at + 1 < sentence.words.end
                && ids.has_flag(at, BEGINS_PAIR)
                && ids.has_flag(at + 1, IS_SECOND);
            let seconds = if pairs { ids.of_word(at + 1) } else { &[] };
            for id in ids.of_word(at) {
                let id = WordId::from_le_bytes(*id);
                let mut take = |entries: Range<usize>, last: usize| {
                    if entries.is_empty() {
                        return;
                    }
                    let next = ids.bits_within(last + 1, &sentence.words);
                    for record in self.candidates(entries, next, matcher.work()) {
                        if !sentence.speaks(PhraseEntry::flags(record), is_long) {
                            continue;
                        }
                        let entry = PhraseEntry::decode(record);
                        let candidate = Pending { entry, first: at, last };
                        if entry.has(NAMES_GROUPS) {
                            matcher.work().take(PhraseWork::HIT / 4);
                            pending.push(candidate);
                        } else if entry.rest_length == 0 {
                            hits.push(matcher.found(candidate, last));
                        } else {
                            hits.extend(matcher.matched(candidate));
                        }
                    }
                };
                take(range_at(&self.beginnings, id as usize), at);
                for second in seconds {
                    take(self.pair(id, WordId::from_le_bytes(*second)), at + 1);
                }
            }
        }
    }

    /// Finds the phrases that begin with a term of a group.
    pub(crate) fn begin_with(
        &self,
        hit: &Hit,
        ids: &WordIds<'_>,
        sentence: &Sentence,
        matcher: &mut Matcher<'_>,
        found: &mut Vec<Hit>,
    ) {
        let Some(group) = hit.group else { return };
        let next = hit.last + 1;
        let (alone, flags) = self.of_group(group);
        let pairs = flags & BEGINS_PAIR != 0 && next < sentence.words.end && ids.has_flag(next, IS_SECOND);
        if alone.is_empty() && !pairs {
            return;
        }
        let mut take = |entries: Range<usize>, last: usize| {
            let next = ids.bits_within(last + 1, &sentence.words);
            for record in self.candidates(entries, next, matcher.work()) {
                if sentence.speaks(PhraseEntry::flags(record), false) {
                    matcher.work().take(PhraseWork::HIT / 4);
                    let entry = PhraseEntry::decode(record);
                    found.extend(matcher.matched(Pending { entry, first: hit.first, last }));
                }
            }
        };
        take(alone, hit.last);
        for second in if pairs { ids.of_word(next) } else { &[] } {
            take(self.pair(u32::from(group) | IS_GROUP, WordId::from_le_bytes(*second)), next);
        }
    }

    /// The entries in a range that can go on with a word that has these bits.
    fn candidates(
        &self,
        entries: Range<usize>,
        next: u64,
        work: &PhraseWork,
    ) -> impl Iterator<Item = &[u8; ENTRY]> {
        let entries = if work.take(entries.len()) { entries } else { 0..0 };
        let records = PhraseEntry::records(&self.entries, entries);
        records.iter().filter(move |record| PhraseEntry::may_go_on_with(record, next))
    }

    /// The entries that begin with a term of a group, and whether they do with another word.
    fn of_group(&self, group: GroupId) -> (Range<usize>, u8) {
        let slot = self.groups.as_chunks::<GROUP_SLOT>().0.get(usize::from(group));
        slot.map_or((0..0, 0), |slot| (range_of(slot), slot[GROUP_SLOT - 1]))
    }

    /// The entries that begin with two numbers.
    fn pair(&self, first: u32, second: u32) -> Range<usize> {
        let slots = self.pairs.as_chunks::<PAIR_SLOT>().0;
        let mut slot = hash_of_pair(first, second) as usize;
        // A table has a power of two of slots, or none.
        while let Some(found) = slots.get(slot & slots.len().wrapping_sub(1)) {
            let count = number(found, 12) as usize;
            if count == 0 {
                break;
            }
            if number(found, 0) == first && number(found, 4) == second {
                let start = number(found, 8) as usize;
                return start..start + count;
            }
            slot += 1;
        }
        0..0
    }

    /// A word that phrases name.
    pub(super) fn word(&self, hash: u32, word: &[u8]) -> Option<KnownWord> {
        self.look_up(&self.words, hash, word)
    }

    /// A beginning of words that phrases name.
    pub(super) fn stem(&self, hash: u32, stem: &[u8]) -> Option<KnownWord> {
        let bit = hash as usize % FILTER;
        let may_be = self.filter.get(bit / 8).is_some_and(|bits| bits >> (bit % 8) & 1 == 1);
        if may_be { self.look_up(&self.stems, hash, stem) } else { None }
    }

    fn look_up(&self, table: &[u8], hash: u32, word: &[u8]) -> Option<KnownWord> {
        let slots = table.as_chunks::<WORD_SLOT>().0;
        let mut slot = hash as usize;
        loop {
            let found = slots.get(slot & slots.len().wrapping_sub(1))?;
            let (&[.., low, high, length, flags], bits) = found.split_first_chunk::<20>()?;
            if length == 0 {
                return None;
            }
            let start = number(found, 4) as usize;
            if number(found, 0) == hash
                && usize::from(length) == word.len()
                && self.text.get(start..start + word.len()) == Some(word)
            {
                let (ids, own) = (number(found, 8), number(found, 12));
                let bits = bits.first_chunk().map_or(0, |it| u64::from_le_bytes(*it));
                return Some(KnownWord { ids, own, count: u16::from_le_bytes([low, high]), flags, bits });
            }
            slot += 1;
        }
    }

    /// The numbers of the endings of a word and of digits at its beginning, with their flags.
    pub(super) fn endings_of(&self, word: &[u8]) -> impl Iterator<Item = (WordId, u8)> {
        let mut rest = &*self.endings;
        let next = move || {
            let (&[a, b, c, d, flags, length], behind) = rest.split_first_chunk()?;
            let (ending, behind) = behind.split_at_checked(usize::from(length))?;
            rest = behind;
            Some((WordId::from_le_bytes([a, b, c, d]), flags, ending))
        };
        let has = |ending: &[u8]| match ending {
            // The number of what begins with a digit has no letters.
            [] => word.first().is_some_and(u8::is_ascii_digit),
            _ => word.len() > ending.len() && word.ends_with(ending),
        };
        std::iter::from_fn(next).filter(move |(_, _, ending)| has(ending)).map(|(id, flags, _)| (id, flags))
    }

    pub(super) fn known_ids(&self) -> &[[u8; 4]] {
        self.ids.as_chunks().0
    }

    /// Whether a sentence can contain the rest of a phrase after its beginning.
    pub(super) fn may_go_on(&self, list: u32, occurring: &Occurring, work: &PhraseWork) -> bool {
        let lists = self.needs.as_chunks::<2>().0.get(list as usize..).unwrap_or_default();
        let number = |bytes: &[u8; 2]| usize::from(u16::from_le_bytes(*bytes));
        let Some((count, mut rest)) = lists.split_first() else { return true };
        for _ in 0..number(count) {
            let Some((count, behind)) = rest.split_first() else { return true };
            let Some((bits, behind)) = behind.split_at_checked(number(count)) else { return true };
            work.take(bits.len() / 16);
            if !bits.iter().any(|bit| occurring.has(number(bit))) {
                return false;
            }
            rest = behind;
        }
        true
    }
}

/// The entries of a slot.
fn range_at(table: &[u8], index: usize) -> Range<usize> {
    table.as_chunks::<RANGE_SLOT>().0.get(index).map_or(0..0, |slot| range_of(slot))
}

fn range_of(slot: &[u8]) -> Range<usize> {
    let start = number(slot, 0) as usize;
    start..start + number(slot, 4) as usize
}

/// Where a pair of numbers is looked for.
pub(super) fn hash_of_pair(first: u32, second: u32) -> u32 {
    let mixed = (u64::from(first) << 32 | u64::from(second)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;
