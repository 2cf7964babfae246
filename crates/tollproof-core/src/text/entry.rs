//! A phrase in the phrase table, by one of the words with which it can begin.

use std::ops::Range;

use super::hit::{GroupId, SetId};
use super::tokenize::hash_of;

/// The size of an encoded [`PhraseEntry`].
pub(super) const ENTRY: usize = 23;

/// A phrase by one of the words, or pairs of words, with which it can begin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PhraseEntry {
    /// Where its first word begins in the text of the table, without `*`; or the group that it begins with.
    pub(super) first: u32,
    /// Where the second word of a pair begins.
    pub(super) second: u32,
    /// Where the rest of the phrase begins, which must follow.
    pub(super) rest: u32,
    /// The index of the list of words that it needs.
    pub(super) needs: u32,
    pub(super) set: SetId,
    pub(super) rest_length: u16,
    pub(super) first_length: u8,
    /// 0 if only the first word is looked up.
    pub(super) second_length: u8,
    /// The constants below, and its language.
    pub(super) flags: u8,
}

/// The phrase names groups behind the words that are looked up.
pub(super) const NAMES_GROUPS: u8 = 1;

/// The phrase requires a negation behind its first element.
pub(super) const NEGATIVE: u8 = 1 << 1;

/// The phrase begins with a prefix.
pub(super) const IS_PREFIX: u8 = 1 << 2;

/// The phrase begins with a group.
pub(super) const IS_GROUP: u8 = 1 << 3;

/// Where the language begins.
pub(super) const LANGUAGE_SHIFT: u8 = 4;

impl PhraseEntry {
    pub(super) fn encode(self) -> [u8; ENTRY] {
        let mut record = [0; ENTRY];
        for (at, number) in [self.first, self.second, self.rest, self.needs].into_iter().enumerate() {
            record[at * 4..at * 4 + 4].copy_from_slice(&number.to_le_bytes());
        }
        record[16..18].copy_from_slice(&self.set.to_le_bytes());
        record[18..20].copy_from_slice(&self.rest_length.to_le_bytes());
        record[20..].copy_from_slice(&[self.first_length, self.second_length, self.flags]);
        record
    }

    /// Decodes the entry at an index of a table.
    pub(super) fn at(table: &[u8], index: usize) -> Self {
        let Some(record) = table.get(index * ENTRY..).and_then(<[u8]>::first_chunk::<ENTRY>) else {
            return Self::default();
        };
        let long =
            |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        Self {
            first: long(0),
            second: long(4),
            rest: long(8),
            needs: long(12),
            set: u16::from_le_bytes([record[16], record[17]]),
            rest_length: u16::from_le_bytes([record[18], record[19]]),
            first_length: record[20],
            second_length: record[21],
            flags: record[22],
        }
    }

    /// Whether the phrase is more than one word.
    pub(super) fn goes_on(&self) -> bool {
        self.second_length > 0 || self.rest_length > 0
    }

    pub(super) fn first(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.first_length)
    }

    pub(super) fn second(&self) -> Range<usize> {
        self.second as usize..self.second as usize + usize::from(self.second_length)
    }

    pub(super) fn rest(&self) -> Range<usize> {
        self.rest as usize..self.rest as usize + usize::from(self.rest_length)
    }
}

/// What a phrase begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Beginning<'p> {
    Word(&'p [u8]),
    Prefix(&'p [u8]),
    Group(GroupId),
}

impl Beginning<'_> {
    /// The hash by which it is looked up alone.
    pub(super) fn hash(self) -> u32 {
        match self {
            Self::Word(word) | Self::Prefix(word) => hash_of(word),
            Self::Group(group) => u32::from(group),
        }
    }

    /// The hash by which it is looked up together with the word behind it; `first` is its own hash.
    pub(super) fn pair_hash(self, first: u32, second: u32) -> u32 {
        (first.rotate_left(7) ^ second).wrapping_add(u32::from(self.flag())).wrapping_mul(0x9e37_79b1)
    }

    /// Its flag in an entry.
    pub(super) fn flag(self) -> u8 {
        match self {
            Self::Word(_) => 0,
            Self::Prefix(_) => IS_PREFIX,
            Self::Group(_) => IS_GROUP,
        }
    }
}
