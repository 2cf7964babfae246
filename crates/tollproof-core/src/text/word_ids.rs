//! The words of a sentence by the numbers that the phrases of a [`Lexicon`] have for them.

use std::ops::Range;

use tollproof_data::text::entry::{WordId, bit_of, flags_of, id_of, marked};
use tollproof_data::text::lexicon::{KnownWord, Lexicon};
use tollproof_data::text::words::{HASH_START, Words, hash_on};

use super::own_name::NamePlace;

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;

/// For each word of a sentence, the numbers that match it: its own, and those of the beginnings and endings that it has.
#[derive(Debug, Default)]
pub(crate) struct WordIds {
    /// The index of the first word in the text.
    first: usize,
    words: Vec<NumberedWord>,
    /// The numbers of all words, each with its flags.
    numbers: Vec<u32>,
}

/// The numbers of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NumberedWord {
    /// A bit for each number, modulo 64.
    pub(super) bits: u64,
    /// The number of the word itself; 0 if phrases do not have it.
    own: WordId,
    start: u32,
    end: u32,
    /// The flags of all numbers.
    pub(super) flags: u8,
    pub(super) is_short: bool,
}

impl NumberedWord {
    /// Where its numbers are.
    pub(super) fn numbers(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl WordIds {
    /// Looks up the words of a sentence. Of those at the places of `names`, phrases know nothing.
    pub(super) fn set(
        &mut self,
        (words, sentence): (&Words, &Range<usize>),
        names: &[NamePlace<'_>],
        lexicon: &Lexicon<'_>,
    ) {
        self.first = sentence.start;
        self.words.clear();
        self.numbers.clear();
        for (at, word) in sentence.clone().zip(&words.all()[sentence.clone()]) {
            let start = self.numbers.len() as u32;
            let mut numbered = match names.iter().any(|name| name.words.contains(&at)) {
                true => NumberedWord::default(),
                false => self.look_up(word.hash, words.folded(word), lexicon),
            };
            (numbered.start, numbered.end) = (start, self.numbers.len() as u32);
            self.words.push(numbered);
        }
    }

    /// Adds the numbers of a word: those that the lexicon has for it, or those of the beginnings and endings that it has.
    fn look_up(&mut self, hash: u32, folded: &[u8], lexicon: &Lexicon<'_>) -> NumberedWord {
        let is_short = folded.len() < SHORT;
        if let Some(known) = lexicon.word(hash, folded) {
            self.numbers.extend(lexicon.numbers_of(known).iter().map(|number| u32::from_le_bytes(*number)));
            let KnownWord { own, bits, flags, .. } = known;
            return NumberedWord { own, bits, flags, is_short, ..NumberedWord::default() };
        }
        let start = self.numbers.len();
        let mut hash = HASH_START;
        for (at, &byte) in folded.iter().enumerate() {
            hash = hash_on(hash, byte);
            if let Some(stem) = lexicon.stem(hash, &folded[..=at]) {
                self.numbers.push(marked(stem.own, stem.flags));
            }
        }
        self.numbers.extend(lexicon.endings_of(folded).map(|(id, flags)| marked(id, flags)));
        let numbers = &self.numbers[start..];
        let bits = numbers.iter().fold(0, |bits, number| bits | bit_of(id_of(*number)));
        let flags = numbers.iter().fold(0, |flags, number| flags | flags_of(*number));
        NumberedWord { bits, flags, is_short, ..NumberedWord::default() }
    }

    /// A word; outside of the sentence, one without numbers.
    #[inline]
    pub(super) fn get(&self, at: usize) -> NumberedWord {
        self.words.get(at.wrapping_sub(self.first)).copied().unwrap_or_default()
    }

    /// One of the numbers of a word, with its flags.
    #[inline]
    pub(super) fn number(&self, index: usize) -> u32 {
        self.numbers.get(index).copied().unwrap_or_default()
    }

    /// The numbers of all words, with their flags.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The numbers that match a word.
    #[inline]
    pub(super) fn of_word(&self, word: NumberedWord) -> impl Iterator<Item = WordId> {
        let numbers = self.numbers.get(word.numbers()).unwrap_or_default();
        numbers.iter().map(|it| id_of(*it))
    }

    /// Whether a number matches a word.
    #[inline]
    pub(super) fn has(&self, at: usize, id: WordId) -> bool {
        let word = self.get(at);
        word.own == id || word.bits & bit_of(id) != 0 && self.of_word(word).any(|it| it == id)
    }
}
