//! A table of all phrases of a set of rules, so that one pass over a text finds the phrases of every rule.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use zerocopy::little_endian::{U16, U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::text::table::stored::{BeginningTable, WordTable, records, row};
use crate::text::words::hit::{GroupId, SetId};
use crate::text::words::language::Language;

/// The number of a word, or of a beginning, an ending or another class of words that phrases name.
pub type WordId = u32;

/// 0 is the number of no word.
pub const NO_WORD: WordId = 0;

/// The number of all words that begin with a digit; `#` in a phrase.
pub const NUMBER: WordId = 1;

/// The phrase table. Every word that a phrase names has a number, as have the beginnings and endings of words that
/// phrases name; the numbers of each word of a text are looked up once (`WordIds`), and only they are compared. Built at
/// compile time and used without decoding.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lexicon<'a> {
    #[serde(borrow)]
    pub(in crate::text) words: WordTable<'a>,
    /// By the index of a word, where its numbers start; then the number of all of them.
    #[serde(borrow, with = "records")]
    pub(in crate::text) starts: Cow<'a, [U32]>,
    /// The numbers of words, of their beginnings and of their endings.
    #[serde(borrow, with = "records")]
    pub(in crate::text) numbers: Cow<'a, [U32]>,
    /// The numbers of the beginnings of words.
    #[serde(borrow)]
    pub(in crate::text) stems: BeginningTable<'a>,
    /// The numbers of the endings of words, whose letters are in reverse order.
    #[serde(borrow)]
    pub(in crate::text) endings: BeginningTable<'a>,
    /// By the number of a word, where the beginnings of phrases with it start; then the number of all of them.
    #[serde(borrow, with = "records")]
    pub(in crate::text) of_words: Cow<'a, [U32]>,
    /// The same by the number of a group.
    #[serde(borrow, with = "records")]
    pub(in crate::text) of_groups: Cow<'a, [U32]>,
    /// Beginnings of phrases, sorted by their first word or group, then by their second word, and then as they were added.
    /// Of terms that begin with the same word, the one that is found first is the one that other phrases contain.
    #[serde(borrow, with = "records")]
    pub(in crate::text) beginnings: Cow<'a, [PhraseBeginning]>,
    #[serde(borrow, with = "records")]
    pub(in crate::text) phrases: Cow<'a, [StoredPhrase]>,
    /// The elements of phrases after the words that are looked up.
    #[serde(borrow, with = "records")]
    pub(in crate::text) elements: Cow<'a, [PhraseElement]>,
    /// The words and groups of which elements need one.
    #[serde(borrow, with = "records")]
    pub(in crate::text) choices: Cow<'a, [U32]>,
}

/// One of the ways in which a phrase can begin.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct PhraseBeginning {
    /// The number of the second word, if it is one of few; otherwise [`NO_WORD`].
    pub(in crate::text) second: U32,
    /// The index of the phrase.
    pub(in crate::text) phrase: U32,
}

/// A phrase without the words that are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
pub struct StoredPhrase {
    pub(in crate::text) set: U16,
    pub(in crate::text) group: U16,
    pub(in crate::text) language: Language,
    pub(in crate::text) flags: u8,
    /// The number of elements that must follow.
    pub(in crate::text) length: U16,
    /// The index of the first of them.
    pub(in crate::text) start: U32,
}

/// The group of a phrase that is not a term of one.
pub(in crate::text) const NO_GROUP: GroupId = GroupId::MAX;

/// The elements of a phrase name groups.
pub(in crate::text) const NAMES_GROUPS: u8 = 1;

/// The phrase requires a negation after its first element.
pub(in crate::text) const REQUIRES_NEGATION: u8 = 1 << 1;

impl StoredPhrase {
    /// The set that has it.
    pub fn set(&self) -> SetId {
        self.set.get()
    }

    /// The group that has it as a term.
    #[inline]
    pub fn group(&self) -> Option<GroupId> {
        Some(self.group.get()).filter(|group| *group != NO_GROUP)
    }

    /// Its language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Whether elements after the words that are looked up name groups.
    pub fn names_groups(&self) -> bool {
        self.flags & NAMES_GROUPS != 0
    }

    /// Whether it requires a negation after its first element.
    pub fn requires_negation(&self) -> bool {
        self.flags & REQUIRES_NEGATION != 0
    }

    /// Whether the words that are looked up are all of it.
    pub fn is_whole(&self) -> bool {
        self.length.get() == 0
    }
}

/// An element of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
pub struct PhraseElement {
    /// One of the constants of this type.
    pub(in crate::text) kind: u8,
    /// The number of the words or groups of which it needs one.
    pub(in crate::text) count: U16,
    /// The index of the first of them.
    pub(in crate::text) start: U32,
    /// The bits of all of them.
    pub(in crate::text) bits: U64,
}

/// A bit for a number, modulo 64, so that most comparisons of numbers need no search.
pub fn bit_of(number: u32) -> u64 {
    1 << (number % 64)
}

impl PhraseElement {
    /// One of some words.
    pub const WORD: u8 = 0;
    /// The same, or nothing.
    pub const OPTIONAL_WORD: u8 = 1;
    /// A term of one of some groups.
    pub const TERM: u8 = 2;
    /// Up to some words.
    pub const GAP: u8 = 3;

    /// One of the constants above.
    pub fn kind(&self) -> u8 {
        self.kind
    }

    /// Whether it may need a number with one of some bits.
    pub fn may_need(&self, bits: u64) -> bool {
        self.bits.get() & bits != 0
    }
}

impl Lexicon<'_> {
    /// The set of each phrase, by the index of the phrase.
    pub fn sets(&self) -> impl Iterator<Item = SetId> {
        self.phrases.iter().map(StoredPhrase::set)
    }

    /// Puts a phrase that no text has in place of one, for tests, and returns that one.
    pub fn leave_out(&mut self, index: usize) -> StoredPhrase {
        let no_word =
            PhraseElement { kind: PhraseElement::WORD, count: 0.into(), start: 0.into(), bits: 0.into() };
        let elements = self.elements.to_mut();
        if elements.last().is_none_or(|last| last.kind() != PhraseElement::WORD || last.may_need(u64::MAX)) {
            elements.push(no_word);
        }
        let start = (elements.len() as u32 - 1).into();
        let phrase = &mut self.phrases.to_mut()[index];
        std::mem::replace(phrase, StoredPhrase { length: 1.into(), start, ..*phrase })
    }

    /// Puts a phrase back that was left out.
    pub fn put_back(&mut self, index: usize, phrase: StoredPhrase) {
        self.phrases.to_mut()[index] = phrase;
    }

    /// Adds the numbers of a word: those of its beginnings, its endings and digits at its beginning, and its own.
    pub fn add_numbers(&self, word: &[u8], numbers: &mut Vec<WordId>) {
        match self.words.find(word) {
            Some(index) => numbers.extend(row(&self.numbers, &self.starts, index).iter().map(|it| it.get())),
            None => numbers.extend(self.classes(word)),
        }
    }

    /// The numbers of the beginnings and endings of a word, and of digits at its beginning.
    pub(in crate::text) fn classes(&self, word: &[u8]) -> impl Iterator<Item = WordId> {
        let stems = self.stems.find(word.iter().copied());
        // An ending is shorter than its word.
        let endings = self.endings.find(word.iter().skip(1).rev().copied());
        let number = word.first().is_some_and(u8::is_ascii_digit).then_some(NUMBER);
        stems.chain(number).chain(endings)
    }

    /// The beginnings of phrases whose first word has a number.
    #[inline]
    pub fn of_word(&self, first: WordId) -> &[PhraseBeginning] {
        row(&self.beginnings, &self.of_words, first as usize)
    }

    /// The beginnings of phrases whose first element is a term of a group.
    pub fn of_group(&self, group: GroupId) -> &[PhraseBeginning] {
        row(&self.beginnings, &self.of_groups, usize::from(group))
    }

    /// Of beginnings with the same first word, the phrases of those with a second word, or with [`NO_WORD`].
    #[inline]
    pub fn with_second(
        &self,
        beginnings: &[PhraseBeginning],
        second: WordId,
    ) -> impl ExactSizeIterator<Item = &StoredPhrase> {
        // Those without a second word come first.
        let is_before = |beginning: &PhraseBeginning| beginning.second.get() < second;
        let start = match beginnings.last() {
            _ if second == NO_WORD => 0,
            Some(last) if is_before(last) => beginnings.len(),
            _ => beginnings.partition_point(is_before),
        };
        let same = &beginnings[start..];
        let count = same.iter().take_while(|beginning| beginning.second.get() == second).count();
        same[..count].iter().map(|beginning| &self.phrases[beginning.phrase.get() as usize])
    }

    /// The elements of a phrase after the words that are looked up.
    pub fn elements(&self, phrase: &StoredPhrase) -> &[PhraseElement] {
        let start = phrase.start.get() as usize;
        self.elements.get(start..start + usize::from(phrase.length.get())).unwrap_or_default()
    }

    /// Whether one of the words or groups of an element has a number.
    pub fn has_choice(&self, element: &PhraseElement, number: u32) -> bool {
        let start = element.start.get() as usize;
        let choices = self.choices.get(start..start + usize::from(element.count.get())).unwrap_or_default();
        choices.binary_search_by_key(&number, |choice| choice.get()).is_ok()
    }
}
