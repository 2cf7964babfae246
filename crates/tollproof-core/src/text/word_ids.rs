//! The words of a text by the numbers that the phrases of a [`Lexicon`] have for them.

use std::ops::Range;

use super::entry::{WordId, bit_of};
use super::lexicon::{KnownWord, Lexicon};
use super::words::{HASH_START, Words, hash_on};

/// For each word of a text, the numbers that match it: its own, and those of the beginnings and endings that it has.
#[derive(Debug)]
pub(crate) struct WordIds<'l> {
    words: Vec<NumberedWord>,
    /// The numbers of words that phrases know.
    known: &'l [[u8; 4]],
    /// The numbers of the others.
    others: Vec<[u8; 4]>,
}

/// The numbers of a word.
#[derive(Clone, Copy, Debug, Default)]
struct NumberedWord {
    /// A bit for each number, modulo 64.
    bits: u64,
    /// The number of the word itself; 0 if phrases do not have it.
    own: WordId,
    start: u32,
    count: u16,
    is_known: bool,
    flags: u8,
}

impl<'l> WordIds<'l> {
    /// The numbers of the words in some ranges of a text, which are in order. The others have none.
    pub(super) fn of(
        words: &Words,
        ranges: impl Iterator<Item = Range<usize>>,
        lexicon: &'l Lexicon<'_>,
    ) -> Self {
        let mut ids =
            Self { words: Vec::with_capacity(words.len()), known: lexicon.known_ids(), others: Vec::new() };
        for at in ranges.flatten() {
            ids.words.resize(at, NumberedWord::default());
            let word = words.bytes(at);
            let numbered = match lexicon.word(words.hash(at), word) {
                Some(KnownWord { ids: start, count, own, flags, bits }) => {
                    NumberedWord { bits, own, start, count, is_known: true, flags }
                }
                None => ids.other(word, lexicon),
            };
            ids.words.push(numbered);
        }
        ids
    }

    /// A word that phrases know at most by its beginning, its ending, or as a number.
    fn other(&mut self, word: &[u8], lexicon: &Lexicon<'_>) -> NumberedWord {
        let start = self.others.len();
        let mut flags = 0;
        let mut bits = 0;
        let mut add = |id: WordId, of_id: u8| {
            self.others.push(id.to_le_bytes());
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
        let count = (self.others.len() - start) as u16;
        NumberedWord { bits, own: 0, start: start as u32, count, is_known: false, flags }
    }

    fn numbers(&self, word: &NumberedWord) -> &[[u8; 4]] {
        let all = if word.is_known { self.known } else { &self.others };
        let start = word.start as usize;
        all.get(start..start + usize::from(word.count)).unwrap_or_default()
    }

    /// The numbers that match a word, as bytes.
    pub(super) fn of_word(&self, at: usize) -> &[[u8; 4]] {
        self.words.get(at).map_or(&[], |word| self.numbers(word))
    }

    /// A bit for each number that matches a word, modulo 64.
    pub(super) fn bits(&self, at: usize) -> u64 {
        self.words.get(at).map_or(0, |word| word.bits)
    }

    /// The same of a word that may be behind a sentence, which has none.
    pub(super) fn bits_within(&self, at: usize, sentence: &Range<usize>) -> u64 {
        if at < sentence.end { self.bits(at) } else { 0 }
    }

    /// Whether one of the numbers of a word has a flag of the lexicon.
    pub(super) fn has_flag(&self, at: usize, flag: u8) -> bool {
        self.words.get(at).is_some_and(|word| word.flags & flag != 0)
    }

    /// Whether a number matches a word.
    pub(super) fn has(&self, at: usize, id: WordId) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        word.own == id || word.bits & bit_of(id) != 0 && self.numbers(word).contains(&id.to_le_bytes())
    }
}
