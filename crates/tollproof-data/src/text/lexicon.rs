//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::entry::{ELEMENT, ENTRY, PhraseEntry, WordId, number};
use super::hit::GroupId;

/// The phrase table. Every word that a phrase names has a number, as have the beginnings and endings of words that
/// phrases name; the numbers of each word of a text are looked up once (`WordIds`), and only they are compared. Built at
/// compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lexicon<'a> {
    /// A hash table of the words that phrases name, in slots of [`WORD_SLOT`] bytes.
    #[serde(borrow)]
    pub words: Cow<'a, [u8]>,
    /// The same of the beginnings of words.
    #[serde(borrow)]
    pub stems: Cow<'a, [u8]>,
    /// A bit for each hash of a beginning, modulo [`FILTER`], so that most look-ups of beginnings are not needed.
    #[serde(borrow)]
    pub filter: Cow<'a, [u8]>,
    /// The endings of words: for each, its number (4), its flags (1), its length (1) and its letters.
    #[serde(borrow)]
    pub endings: Cow<'a, [u8]>,
    /// Numbers of words with their flags (4 each).
    #[serde(borrow)]
    pub ids: Cow<'a, [u8]>,
    /// For each number of a word, the phrases that begin with it and can go on with many words, in slots of [`RANGE_SLOT`]
    /// bytes.
    #[serde(borrow)]
    pub beginnings: Cow<'a, [u8]>,
    /// The same for the numbers of groups, in slots of [`GROUP_SLOT`] bytes.
    #[serde(borrow)]
    pub groups: Cow<'a, [u8]>,
    /// A hash table of the first two words of all other phrases, in slots of [`PAIR_SLOT`] bytes.
    #[serde(borrow)]
    pub pairs: Cow<'a, [u8]>,
    /// The encoded entries. Those with the same beginning are adjacent.
    #[serde(borrow)]
    pub entries: Cow<'a, [u8]>,
    /// The elements of phrases behind the words that are looked up.
    #[serde(borrow)]
    pub elements: Cow<'a, [u8]>,
    /// The words and groups of which elements need one.
    #[serde(borrow)]
    pub choices: Cow<'a, [u8]>,
    /// What phrases with gaps or groups require after their beginning, as little-endian `u16`: the number of required
    /// elements, and for each of them the number of its alternatives, then the bits of `Occurring`. A sentence
    /// cannot contain the phrase if it has none of the bits of some required element.
    #[serde(borrow)]
    pub needs: Cow<'a, [u8]>,
    /// The letters of words and beginnings.
    #[serde(borrow)]
    pub text: Cow<'a, [u8]>,
}

/// The number of bits in `Occurring` for words.
pub const BUCKETS: usize = 2048;

/// The number of bits in the filter of beginnings.
pub const FILTER: usize = 1 << 16;

/// A word in a hash table: its hash (4), where it begins in the text (4), where its numbers begin (4), its own number (4),
/// how many numbers it has (2), its length (1), its flags (1), a bit for each number (8). The length is 0 in an empty slot.
pub const WORD_SLOT: usize = 28;

/// The first entry (4) and the number of entries (4).
pub const RANGE_SLOT: usize = 8;

/// A range of entries, and the flags of the group (1).
pub const GROUP_SLOT: usize = RANGE_SLOT + 1;

/// The number of the first word, or of a group with [`IS_GROUP`] (4), that of the second word (4), the first entry (4), and
/// the number of entries (4), which is 0 in an empty slot.
pub const PAIR_SLOT: usize = 16;

/// A flag of a word: phrases begin with it that are looked up by it alone.
pub const BEGINS: u8 = 1;

/// Phrases begin with it and another word.
pub const BEGINS_PAIR: u8 = 1 << 1;

/// It is the second word of such phrases.
pub const IS_SECOND: u8 = 1 << 2;

/// A bit beside the number of a group in a pair.
pub const IS_GROUP: u32 = 1 << 31;

/// What is known of a word that phrases name.
#[derive(Clone, Copy, Debug)]
pub struct KnownWord {
    /// Where its numbers begin, and how many there are.
    pub ids: u32,
    pub count: u16,
    pub own: WordId,
    pub flags: u8,
    /// A bit for each number, modulo 64.
    pub bits: u64,
}

impl KnownWord {
    /// What is known of the word in a slot.
    #[inline]
    fn of(slot: &[u8; WORD_SLOT]) -> Self {
        let (ids, own) = (number(slot, 8), number(slot, 12));
        let (count, flags) = (u16::from_le_bytes([slot[16], slot[17]]), slot[19]);
        let bits = slot.last_chunk().map_or(0, |it| u64::from_le_bytes(*it));
        Self { ids, own, count, flags, bits }
    }
}

impl Lexicon<'_> {
    /// The entries in a range that can go on with a word that has these bits, with their indexes.
    pub fn candidates(&self, entries: Range<usize>, next: u64) -> impl Iterator<Item = (u32, &[u8; ENTRY])> {
        let records = (entries.start as u32..).zip(PhraseEntry::records(&self.entries, entries));
        records.filter(move |(_, record)| PhraseEntry::may_go_on_with(record, next))
    }

    /// The entries that begin with a number and can go on with many words.
    #[inline]
    pub fn alone(&self, id: WordId) -> Range<usize> {
        self.beginnings.as_chunks::<RANGE_SLOT>().0.get(id as usize).map_or(0..0, |slot| range_of(slot))
    }

    /// The entries that begin with a term of a group, and whether they do with another word.
    #[inline]
    pub fn of_group(&self, group: GroupId) -> (Range<usize>, u8) {
        let slot = self.groups.as_chunks::<GROUP_SLOT>().0.get(usize::from(group));
        slot.map_or((0..0, 0), |slot| (range_of(slot), slot[GROUP_SLOT - 1]))
    }

    /// The entries that begin with two numbers.
    pub fn pair(&self, first: u32, second: u32) -> Range<usize> {
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

    /// What is known of a word that phrases name.
    pub fn word(&self, hash: u32, word: &[u8]) -> Option<KnownWord> {
        self.look_up(&self.words, hash, word)
    }

    /// A beginning of words that phrases name.
    pub fn stem(&self, hash: u32, stem: &[u8]) -> Option<KnownWord> {
        let bit = hash as usize % FILTER;
        let may_be = self.filter.get(bit / 8).is_some_and(|bits| bits >> (bit % 8) & 1 == 1);
        if may_be { self.look_up(&self.stems, hash, stem) } else { None }
    }

    fn look_up(&self, table: &[u8], hash: u32, word: &[u8]) -> Option<KnownWord> {
        let slots = table.as_chunks::<WORD_SLOT>().0;
        let mut slot = hash as usize;
        loop {
            let found = slots.get(slot & slots.len().wrapping_sub(1))?;
            let length = usize::from(found[18]);
            if number(found, 0) == hash && length == word.len() {
                let start = number(found, 4) as usize;
                if self.text.get(start..start + length) == Some(word) {
                    return Some(KnownWord::of(found));
                }
            }
            if length == 0 {
                return None;
            }
            slot += 1;
        }
    }

    /// The numbers of the endings of a word and of digits at its beginning, with their flags.
    pub fn endings_of(&self, word: &[u8]) -> impl Iterator<Item = (WordId, u8)> {
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

    /// The numbers of a word that phrases name, with their flags.
    #[inline]
    pub fn numbers_of(&self, word: KnownWord) -> &[[u8; 4]] {
        let start = word.ids as usize;
        self.ids.as_chunks().0.get(start..start + usize::from(word.count)).unwrap_or_default()
    }

    /// The list of what the rest of a phrase needs, and what follows it.
    #[inline]
    pub fn needs(&self, list: u32) -> &[[u8; 2]] {
        self.needs.as_chunks().0.get(list as usize..).unwrap_or_default()
    }

    /// The elements of the rest of a phrase.
    #[inline]
    pub fn rest(&self, entry: PhraseEntry) -> Option<&[[u8; ELEMENT]]> {
        let start = entry.rest as usize;
        self.elements.as_chunks().0.get(start..start + usize::from(entry.rest_length))
    }
}

/// The entries of a slot.
fn range_of(slot: &[u8]) -> Range<usize> {
    let start = number(slot, 0) as usize;
    start..start + number(slot, 4) as usize
}

/// Where a pair of numbers is looked for.
pub fn hash_of_pair(first: u32, second: u32) -> u32 {
    let mixed = (u64::from(first) << 32 | u64::from(second)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as u32
}
