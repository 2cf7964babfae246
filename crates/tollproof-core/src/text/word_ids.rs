//! The words of a sentence by the numbers that the phrases of a [`Lexicon`] have for them.

use std::ops::Range;

use super::entry::{WordId, bit_of, id_of, marked};
use super::lexicon::Lexicon;
use super::words::{HASH_START, Words, hash_on};

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
}

impl NumberedWord {
    /// Where its numbers are.
    pub(super) fn numbers(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl WordIds {
    /// Looks up the words of a sentence.
    pub(super) fn set(&mut self, words: &Words, sentence: Range<usize>, lexicon: &Lexicon<'_>) {
        self.first = sentence.start;
        self.words.clear();
        self.numbers.clear();
        for word in words.slice(sentence) {
            let (hash, word) = (word.hash, words.folded(word));
            let start = self.numbers.len() as u32;
            let (own, bits, flags) = match lexicon.word(hash, word) {
                Some(known) => {
                    for number in lexicon.numbers_of(known) {
                        self.numbers.push(u32::from_le_bytes(*number));
                    }
                    (known.own, known.bits, known.flags)
                }
                None => self.other(word, lexicon),
            };
            self.words.push(NumberedWord { bits, own, start, end: self.numbers.len() as u32, flags });
        }
    }

    /// A word that phrases know at most by its beginning, its ending, or as a number: it has no number of its own.
    fn other(&mut self, word: &[u8], lexicon: &Lexicon<'_>) -> (WordId, u64, u8) {
        let mut flags = 0;
        let mut bits = 0;
        let mut add = |id: WordId, of_id: u8| {
            self.numbers.push(marked(id, of_id));
            bits |= bit_of(id);
            flags |= of_id;
        };
        let mut hash = HASH_START;
        for (at, &byte) in word.iter().enumerate() {
            hash = hash_on(hash, byte);
            if let Some(stem) = lexicon.stem(hash, &word[..=at]) {
                add(stem.own, stem.flags);
            }
        }
        lexicon.endings_of(word).for_each(|(id, flags)| add(id, flags));
        (0, bits, flags)
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
