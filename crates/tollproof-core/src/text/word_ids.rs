//! The words of a sentence by the numbers that the phrases of a [`Lexicon`] have for them.

use std::ops::Range;

use super::entry::{WordId, bit_of, flags_of, id_of};
use super::lexicon::{KnownWord, Lexicon};
use super::word_codes::{CodedWord, coded_words, is_short};

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
    /// Looks up the words of a sentence by their codes; `first` is the index of the first of them.
    pub(super) fn set(&mut self, first: usize, codes: &[u32], lexicon: &Lexicon<'_>) {
        self.first = first;
        self.words.clear();
        self.numbers.clear();
        for word in coded_words(codes) {
            let start = self.numbers.len() as u32;
            let mut numbered = match word {
                CodedWord::Named(place) => {
                    lexicon.word_at(place).map_or_else(NumberedWord::default, |known| {
                        let numbers = lexicon.numbers_of(known).iter();
                        self.numbers.extend(numbers.map(|number| u32::from_le_bytes(*number)));
                        let is_short = is_short(usize::from(known.letters));
                        let KnownWord { own, bits, flags, .. } = known;
                        NumberedWord { own, bits, flags, is_short, ..NumberedWord::default() }
                    })
                }
                CodedWord::Other(numbers, is_long) => {
                    self.numbers.extend_from_slice(numbers);
                    let bits = numbers.iter().fold(0, |bits, number| bits | bit_of(id_of(*number)));
                    let flags = numbers.iter().fold(0, |flags, number| flags | flags_of(*number));
                    NumberedWord { bits, flags, is_short: !is_long, ..NumberedWord::default() }
                }
            };
            (numbered.start, numbered.end) = (start, self.numbers.len() as u32);
            self.words.push(numbered);
        }
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
