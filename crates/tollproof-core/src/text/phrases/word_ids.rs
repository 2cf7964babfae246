//! The words of a sentence by the numbers that the phrases of a [`Lexicon`] have for them.

use std::ops::Range;

use tollproof_data::text::table::lexicon::{Lexicon, WordId, bit_of};
use tollproof_data::text::words::word::Words;

use crate::text::words::own_name::NamePlace;

/// English words shorter than this do not count in a text of another language.
const SHORT: usize = 4;

/// For each word of a sentence, the numbers that match it: its own, and those of the beginnings and endings that it has.
#[derive(Debug, Default)]
pub(crate) struct WordIds {
    /// The index of the first word in the text.
    first: usize,
    words: Vec<NumberedWord>,
    /// The bits of the numbers of all words.
    bits: u64,
    /// The numbers of all words.
    numbers: Vec<WordId>,
}

/// The numbers of a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NumberedWord {
    start: u32,
    end: u32,
    /// The bits of its numbers.
    pub(crate) bits: u64,
    pub(crate) is_short: bool,
}

impl NumberedWord {
    /// The range of its numbers.
    pub(crate) fn numbers(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl WordIds {
    /// Looks up the words of a sentence. Of those at the places of `names`, phrases know nothing.
    pub(crate) fn set(
        &mut self,
        (words, sentence): (&Words, &Range<usize>),
        names: &[NamePlace<'_>],
        lexicon: &Lexicon<'_>,
    ) {
        self.first = sentence.start;
        self.words.clear();
        self.bits = 0;
        self.numbers.clear();
        let room = sentence.len().max(32);
        self.words.reserve(room);
        self.numbers.reserve(room * 4);
        for (at, word) in sentence.clone().zip(&words.all()[sentence.clone()]) {
            let start = self.numbers.len() as u32;
            let folded = words.folded(word);
            if !names.iter().any(|name| name.words.contains(&at)) {
                lexicon.add_numbers(folded, &mut self.numbers);
            }
            let end = self.numbers.len() as u32;
            let bits = self.numbers[start as usize..].iter().fold(0, |bits, number| bits | bit_of(*number));
            self.bits |= bits;
            self.words.push(NumberedWord { start, end, bits, is_short: folded.len() < SHORT });
        }
    }

    /// The bits of the numbers of all words.
    pub(crate) fn bits(&self) -> u64 {
        self.bits
    }

    /// A word; outside of the sentence, one without numbers.
    pub(crate) fn get(&self, at: usize) -> NumberedWord {
        self.words.get(at.wrapping_sub(self.first)).copied().unwrap_or_default()
    }

    /// One of the numbers of a word.
    pub(crate) fn number(&self, index: usize) -> WordId {
        self.numbers.get(index).copied().unwrap_or_default()
    }

    /// The numbers that match a word.
    pub(crate) fn of_word(&self, word: NumberedWord) -> &[WordId] {
        self.numbers.get(word.numbers()).unwrap_or_default()
    }
}
