//! A phrase in the phrase table, by one of the ways in which it can begin, and its elements in the form for matching.

use std::ops::Range;

use super::hit::{GroupId, SetId};

/// The number of a word, or of a beginning, an ending or another class of words that phrases name.
pub type WordId = u32;

/// The number of all words that begin with a digit; `#` in a phrase. 0 is the number of no word.
pub const NUMBER: WordId = 1;

/// The flags of a number in a list of those of a word are beside it, so that both are one integer.
const MARK_SHIFT: u32 = 24;

/// The number of a word with its flags, which `lexicon.rs` lists.
pub fn marked(id: WordId, flags: u8) -> u32 {
    id | u32::from(flags) << MARK_SHIFT
}

/// The number without its flags.
pub fn id_of(marked: u32) -> WordId {
    marked & MAX_NUMBER
}

/// The flags of a number.
pub fn flags_of(marked: u32) -> u8 {
    (marked >> MARK_SHIFT) as u8
}

/// The size of an encoded [`PhraseEntry`].
pub const ENTRY: usize = 24;

/// A phrase by one of the ways in which it can begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhraseEntry {
    /// The index of the first [`PhraseElement`] of the rest of the phrase, which must follow.
    pub rest: u32,
    /// The number of its elements.
    pub rest_length: u16,
    pub set: SetId,
    /// The index of the list of what it needs.
    pub needs: u32,
    /// The constants below, and its language.
    pub flags: u8,
    /// The group that has it as a term.
    pub group: Option<GroupId>,
    /// If a certain word must be next, a bit for each of its possible numbers, modulo 64; otherwise 0.
    pub next: u64,
}

/// The group of a phrase that is not a term of one.
const NO_GROUP: GroupId = GroupId::MAX;

/// The phrase names groups behind the words that are looked up.
pub const NAMES_GROUPS: u8 = 1;

/// The phrase requires a negation behind its first element.
pub const NEGATIVE: u8 = 1 << 1;

/// The phrase is more than one word.
pub const GOES_ON: u8 = 1 << 2;

/// Where the language begins.
pub const LANGUAGE_SHIFT: u8 = 4;

impl PhraseEntry {
    pub fn encode(self) -> [u8; ENTRY] {
        let mut record = [0; ENTRY];
        record[..4].copy_from_slice(&self.rest.to_le_bytes());
        record[4..8].copy_from_slice(&self.needs.to_le_bytes());
        record[8..10].copy_from_slice(&self.set.to_le_bytes());
        record[10..12].copy_from_slice(&self.rest_length.to_le_bytes());
        record[12..14].copy_from_slice(&self.group.unwrap_or(NO_GROUP).to_le_bytes());
        record[14] = self.flags;
        record[16..].copy_from_slice(&self.next.to_le_bytes());
        record
    }

    /// The encoded entries in a range of a table.
    #[inline]
    pub fn records(table: &[u8], range: Range<usize>) -> &[[u8; ENTRY]] {
        table.as_chunks().0.get(range).unwrap_or_default()
    }

    /// An encoded entry of a table.
    pub fn at(table: &[u8], index: u32) -> Option<Self> {
        table.as_chunks().0.get(index as usize).map(Self::decode)
    }

    /// The flags of an encoded entry.
    pub fn flags(record: &[u8; ENTRY]) -> u8 {
        record[14]
    }

    /// Whether an encoded entry can go on with a word that has these bits.
    #[inline]
    pub fn may_go_on_with(record: &[u8; ENTRY], bits: u64) -> bool {
        let next = Self::next(record);
        next == 0 || next & bits != 0
    }

    /// Whether an encoded entry is a whole phrase, which the words that were looked up are.
    pub fn is_whole(record: &[u8; ENTRY]) -> bool {
        record[10..12] == [0; 2]
    }

    /// The set and the group of an encoded entry.
    #[inline]
    pub fn term(record: &[u8; ENTRY]) -> (SetId, Option<GroupId>) {
        let group = u16::from_le_bytes([record[12], record[13]]);
        (u16::from_le_bytes([record[8], record[9]]), (group != NO_GROUP).then_some(group))
    }

    #[inline]
    fn next(record: &[u8; ENTRY]) -> u64 {
        record.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    #[inline]
    pub fn decode(record: &[u8; ENTRY]) -> Self {
        let (set, group) = Self::term(record);
        Self {
            rest: number(record, 0),
            needs: number(record, 4),
            set,
            rest_length: u16::from_le_bytes([record[10], record[11]]),
            flags: Self::flags(record),
            group,
            next: Self::next(record),
        }
    }

    pub fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Four bytes of a record as an integer.
#[inline]
pub fn number(record: &[u8], at: usize) -> u32 {
    record.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The size of an encoded [`PhraseElement`].
pub const ELEMENT: usize = 4;

/// An element of a phrase: what it is, and a number. Encoded as 24 bits for the number and 8 for the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhraseElement {
    pub kind: PhraseElementKind,
    /// Whether it can be left out.
    pub is_optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhraseElementKind {
    /// A word with this number.
    Word(WordId),
    /// A word with one of the numbers in a [`NumberChoice`], which begins here in the pool of choices.
    AnyOf(u32),
    /// A term of one of some groups, by the place of the [`NumberChoice`] with their numbers.
    Groups(u32),
    /// Up to some words.
    Gap,
}

/// The maximum of the number in an element.
pub const MAX_NUMBER: u32 = (1 << 24) - 1;

impl PhraseElement {
    pub fn encode(self) -> [u8; ELEMENT] {
        let (kind, number) = match self.kind {
            PhraseElementKind::Word(id) => (0, id),
            PhraseElementKind::AnyOf(at) => (1, at),
            PhraseElementKind::Groups(at) => (2, at),
            PhraseElementKind::Gap => (3, 0),
        };
        (number | kind << 24 | u32::from(self.is_optional) << 31).to_le_bytes()
    }

    pub fn decode(bytes: [u8; ELEMENT]) -> Self {
        let code = u32::from_le_bytes(bytes);
        let number = code & MAX_NUMBER;
        let kind = match code >> 24 & 3 {
            0 => PhraseElementKind::Word(number),
            1 => PhraseElementKind::AnyOf(number),
            2 => PhraseElementKind::Groups(number),
            _ => PhraseElementKind::Gap,
        };
        Self { kind, is_optional: code >> 31 == 1 }
    }
}

/// The numbers of which an element needs one: sorted, with a set of them modulo 64.
#[derive(Clone, Copy, Debug)]
pub struct NumberChoice<'l> {
    mask: u64,
    /// How many numbers there are, then the numbers, and what is behind them.
    numbers: &'l [[u8; 4]],
}

/// A bit for a number, modulo 64.
pub fn bit_of(number: u32) -> u64 {
    1 << (number % 64)
}

impl<'l> NumberChoice<'l> {
    pub fn encode(sorted: &[u32]) -> Vec<u8> {
        let mask = sorted.iter().fold(0, |mask, &it| mask | bit_of(it));
        let numbers = sorted.iter().flat_map(|it| it.to_le_bytes());
        mask.to_le_bytes().into_iter().chain((sorted.len() as u32).to_le_bytes()).chain(numbers).collect()
    }

    /// The choice that begins at an index of the pool, in units of four bytes.
    #[inline]
    pub fn at(pool: &'l [u8], index: u32) -> Self {
        let units: &[[u8; 4]] = pool.as_chunks().0;
        match units.get(index as usize..) {
            Some([low, high, numbers @ ..]) => {
                let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
                Self { mask: half(high) << 32 | half(low), numbers }
            }
            _ => Self { mask: 0, numbers: &[] },
        }
    }

    /// Whether some numbers with these bits can be in it.
    pub fn may_have(self, bits: u64) -> bool {
        self.mask & bits != 0
    }

    #[inline]
    pub fn has(self, number: u32) -> bool {
        let value = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
        let Some((count, numbers)) = self.numbers.split_first() else { return false };
        let numbers = || numbers.get(..value(count) as usize).unwrap_or_default();
        self.may_have(bit_of(number)) && numbers().binary_search_by_key(&number, value).is_ok()
    }

    pub fn has_group(self, group: GroupId) -> bool {
        self.has(u32::from(group))
    }
}
